import Pixels
import TestSupport
import Testing

/// Two images in one, against single pixels.
@Suite(.timeLimit(.minutes(20))) struct ImageMixingTests {
  private typealias Pixel = (red: UInt8, green: UInt8, blue: UInt8)

  private func image(_ size: PixelSize, _ dice: inout SeededGenerator, hasOpacity: Bool = false) -> PixelImage {
    func value() -> UInt8 { UInt8.random(in: 0...255, using: &dice) }
    let opacity = hasOpacity ? (0..<size.area).map { _ in value() } : nil
    return PixelImage(size: size, opacity: opacity) { for i in $0.indices { $0[i] = value() } }
  }

  private func expect(_ image: PixelImage, _ pixel: (_ x: Int, _ y: Int) -> Pixel) {
    for y in 0..<image.height {
      for x in 0..<image.width { #expect(image[x, y] == pixel(x, y), "at \(x), \(y) of \(image.size)") }
    }
  }

  private static let sizes = [(1, 1), (2, 1), (1, 5), (7, 4), (16, 9)]

  @Test(arguments: sizes) func wipes(width: Int, height: Int) {
    var dice = SeededGenerator(seed: 1)
    let size = PixelSize(width: width, height: height)
    let (a, b) = (image(size, &dice), image(size, &dice))
    for edge in [-1, 0, 0.2, 0.5, 0.99, 1, 7, .nan] {
      let share = edge.isNaN ? 0 : min(1, max(0, edge))
      let column = Int((share * Double(width)).rounded()), row = Int((share * Double(height)).rounded())
      expect(ImageMixing.wipe(a, b, edge: edge, axis: .vertical)) { x, y in x < column ? a[x, y] : b[x, y] }
      expect(ImageMixing.wipe(a, b, edge: edge, axis: .horizontal)) { x, y in y < row ? a[x, y] : b[x, y] }
      let line = ImageMixing.EdgeLine(red: 1, green: 2, blue: 3)
      expect(ImageMixing.wipe(a, b, edge: edge, axis: .vertical, line: line)) { x, y in
        x == column && column > 0 ? (1, 2, 3) : x < column ? a[x, y] : b[x, y]
      }
      expect(ImageMixing.wipe(a, b, edge: edge, axis: .horizontal, line: line)) { x, y in
        y == row && row > 0 ? (1, 2, 3) : y < row ? a[x, y] : b[x, y]
      }
    }
  }

  @Test(arguments: sizes) func squaresAndWings(width: Int, height: Int) {
    var dice = SeededGenerator(seed: 2)
    let size = PixelSize(width: width, height: height)
    let (a, b) = (image(size, &dice), image(size, &dice))
    for side in [1, 3, 8, 100, .max] {
      expect(ImageMixing.checkerboard(a, b, square: side)) { x, y in (x / side + y / side) % 2 == 0 ? a[x, y] : b[x, y] }
    }
    #expect(ImageMixing.checkerboard(a, b, square: 0) == ImageMixing.checkerboard(a, b, square: 1))
    expect(ImageMixing.butterfly(a, b)) { x, y in x < (width + 1) / 2 ? a[x, y] : b[width - 1 - x, y] }
  }

  @Test func mixes() {
    var dice = SeededGenerator(seed: 3)
    let size = PixelSize(width: 33, height: 5)
    let (a, b) = (image(size, &dice), image(size, &dice))
    #expect(ImageMixing.mix(a, b, share: 0) == a && ImageMixing.mix(a, b, share: 1) == b)
    for share in [0.125, 0.5, 0.75] {
      let mixed = ImageMixing.mix(a, b, share: share)
      expect(mixed) { x, y in
        func between(_ from: UInt8, _ to: UInt8) -> UInt8 {
          UInt8((Double(from) + (Double(to) - Double(from)) * share + 1e-3).rounded())
        }
        return (between(a[x, y].red, b[x, y].red), between(a[x, y].green, b[x, y].green), between(a[x, y].blue, b[x, y].blue))
      }
    }
  }

  @Test func opacityIsCarried() {
    var dice = SeededGenerator(seed: 4)
    let size = PixelSize(width: 6, height: 2)
    let (a, b) = (image(size, &dice, hasOpacity: true), image(size, &dice))
    let own = a.opacity ?? []
    #expect(ImageMixing.wipe(a, b, edge: 0.5, axis: .vertical).opacity == own.indices.map { $0 % 6 < 3 ? own[$0] : 255 })
    #expect(ImageMixing.butterfly(b, a).opacity == own.indices.map { $0 % 6 < 3 ? 255 : own[$0 / 6 * 6 + 5 - $0 % 6] })
    #expect(ImageMixing.wipe(b, b, edge: 0.5, axis: .vertical).opacity == nil)
  }

  @Test func relativeOrientations() {
    let all = (0..<4).flatMap { [Orientation(quarterTurns: $0), Orientation(quarterTurns: $0, isMirrored: true)] }
    let displayed = PixelSize(width: 5, height: 3)
    for first in all {
      for second in all {
        // The second frame, turned, is the first one: the same place is displayed from both.
        let turning = second.relative(to: first)
        let coded = first.swapsSides ? PixelSize(width: 3, height: 5) : displayed
        for y in 0..<3 {
          for x in 0..<5 {
            let place = first.sourcePixel(x: x, y: y, displayed: displayed)
            let turned = turning.sourcePixel(x: place.x, y: place.y, displayed: coded)
            #expect(turned == second.sourcePixel(x: x, y: y, displayed: displayed), "\(first), \(second)")
          }
        }
      }
    }
  }
}
