import Pixels
import TestSupport
import Testing

/// Orientations, rectangles and images.
@Suite(.timeLimit(.minutes(20))) struct PixelsTests {
  /// The image turned the plain way: mirrored, then turned by a quarter as often as said.
  private func turned(_ source: [[Int]], _ orientation: Orientation) -> [[Int]] {
    var image = orientation.isMirrored ? source.map { $0.reversed() } : source
    for _ in 0..<orientation.quarterTurns {
      let height = image.count
      let width = image[0].count
      image = (0..<width).map { y in (0..<height).map { x in image[height - 1 - x][y] } }
    }
    return image
  }

  @Test(arguments: [(1, 1), (3, 2), (5, 7), (1, 9)]) func orientationsAgainstTurningByHand(
    width: Int, height: Int
  ) {
    let source = (0..<height).map { y in (0..<width).map { x in y * 100 + x } }
    for mirrored in [false, true] {
      for turns in 0..<4 {
        let orientation = Orientation(quarterTurns: turns, isMirrored: mirrored)
        let expected = turned(source, orientation)
        let size = PixelSize(width: expected[0].count, height: expected.count)
        #expect((size.width == width) != orientation.swapsSides || width == height)
        for y in 0..<size.height {
          for x in 0..<size.width {
            let place = orientation.sourcePixel(x: x, y: y, displayed: size)
            #expect(source[place.y][place.x] == expected[y][x])
          }
        }
      }
    }
  }

  @Test func turnsAreTakenModuloFour() {
    #expect(Orientation(quarterTurns: 5) == Orientation(quarterTurns: 1))
    #expect(Orientation(quarterTurns: -1) == Orientation(quarterTurns: 3))
    #expect(Orientation(quarterTurns: -8) == .upright)
  }

  @Test func rectangles() {
    let a = PixelRect(x: 1, y: 2, width: 10, height: 5)
    #expect(a.maxX == 11 && a.maxY == 7 && a.size == PixelSize(width: 10, height: 5) && a.size.area == 50)
    #expect(
      a.contains(x: 1, y: 2) && a.contains(x: 10, y: 6) && !a.contains(x: 11, y: 6)
        && !a.contains(x: 10, y: 7))
    #expect(a.intersection(a) == a)
    #expect(
      a.intersection(PixelRect(x: 5, y: 0, width: 100, height: 4))
        == PixelRect(x: 5, y: 2, width: 6, height: 2))
    let apart = a.intersection(PixelRect(x: 50, y: 50, width: 2, height: 2))
    #expect(apart.isEmpty && apart.width == 0 && apart.height == 0)
    #expect(
      PixelRect(origin: (3, 4), size: PixelSize(width: 1, height: 2))
        == PixelRect(x: 3, y: 4, width: 1, height: 2))
    #expect(PixelSize(width: 0, height: 3).isEmpty && PixelSize(width: 3, height: 2).description == "3×2")
  }

  @Test func intersectionsAgainstPoints() {
    var random = SeededGenerator(seed: 1)
    func rect() -> PixelRect {
      PixelRect(
        x: .random(in: -5...5, using: &random), y: .random(in: -5...5, using: &random),
        width: .random(in: 0...6, using: &random), height: .random(in: 0...6, using: &random))
    }
    for _ in 0..<300 {
      let a = rect()
      let b = rect()
      let both = a.intersection(b)
      #expect(both.width >= 0 && both.height >= 0)
      for y in -6...12 {
        for x in -6...12 {
          #expect(both.contains(x: x, y: y) == (a.contains(x: x, y: y) && b.contains(x: x, y: y)))
        }
      }
    }
  }

  private struct Fault: Error {}

  @Test func images() throws {
    let size = PixelSize(width: 3, height: 2)
    let black = PixelImage(size: size) { _ in }
    #expect(black.byteCount == 18 && black.width == 3 && black.height == 2)
    #expect(black.withBytes { $0.allSatisfy { $0 == 0 } })
    let image = PixelImage(size: size) { bytes in for i in bytes.indices { bytes[i] = UInt8(i) } }
    #expect(image[1, 1] == (12, 13, 14))
    let copy = image
    #expect(copy == image && image != black)
    #expect(image == PixelImage(size: size) { bytes in for i in bytes.indices { bytes[i] = UInt8(i) } })
    // The same bytes in another shape are another image.
    #expect(black != PixelImage(size: PixelSize(width: 2, height: 3)) { _ in })
    #expect(throws: Fault.self) { try PixelImage(size: size) { _ in throw Fault() } }
  }
}
