import Libav
import Pixels
import TestSupport
import Testing

/// Transparent frames over the chequerboard.
@Suite(.timeLimit(.minutes(20))) struct AlphaTests {
  private func grey(_ x: Int, _ y: Int) -> Int { (x / 4 + y / 4) % 2 == 0 ? 0x66 : 0x99 }

  private func clip(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) throws -> String {
    var bytes: [UInt8] = []
    for y in 0..<height { for x in 0..<width { bytes += pixel(x, y) } }
    return try RawClip.path("rgba", width: width, height: height, bytes: bytes)
  }

  @Test(arguments: [0, 1, 64, 127, 128, 200, 254, 255]) func anyOpacity(alpha: UInt8) throws {
    let path = try clip(16, 16) { x, y in [200, UInt8(x * 16), UInt8(y * 16), alpha] }
    let image = try ClipReader(path).image(0, ScaleRequest(size: PixelSize(width: 16, height: 16)))
    let a = Int(alpha)
    for y in 0..<16 {
      for x in 0..<16 {
        let back = grey(x, y)
        let (r, g, b) = image[x, y]
        for (found, colour) in zip([Int(r), Int(g), Int(b)], [200, x * 16, y * 16]) {
          let exact = Double(colour * a + back * (255 - a)) / 255
          #expect(
            abs(Double(found) - exact) <= (alpha == 0 || alpha == 255 ? 0 : 1.01), "\(alpha) at \(x),\(y)")
        }
      }
    }
  }

  @Test func opacityIsKeptWhereItIsAskedFor() throws {
    let path = try clip(16, 16) { x, y in [200, UInt8(x * 16), 9, UInt8(y * 17)] }
    var request = ScaleRequest(size: PixelSize(width: 16, height: 16), orientation: Orientation(quarterTurns: 1, isMirrored: false))
    let chequered = try ClipReader(path).image(0, request)
    request.keepsOpacity = true
    let image = try ClipReader(path).image(0, request)
    let opacity = try #require(image.opacity)
    #expect(chequered.opacity == nil && image != chequered)
    for y in 0..<16 {
      for x in 0..<16 {
        let alpha = Int(opacity[16 * y + x])
        #expect(alpha == (15 - x) * 17)
        // A colour that was weighed by little is not known any better.
        if alpha >= 85 { #expect(abs(Int(image[x, y].red) - 200) <= 2 && abs(Int(image[x, y].green) - y * 16) <= 2) }
      }
    }
    request.size = PixelSize(width: 4, height: 4)
    #expect(try ClipReader(path).image(0, request).opacity?.count == 16)
  }

  @Test func hiddenColoursDoNotBleed() throws {
    // Invisible bright red beside opaque blue, scaled to half: the edge is blue and grey, never red.
    let path = try clip(32, 32) { x, _ in x < 15 ? [255, 0, 0, 0] : [0, 0, 255, 255] }
    for size in [
      PixelSize(width: 16, height: 16), PixelSize(width: 11, height: 11), PixelSize(width: 64, height: 64),
    ] {
      let image = try ClipReader(path).image(0, ScaleRequest(size: size))
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (r, g, _) = image[x, y]
          #expect(abs(Int(r) - Int(g)) <= 2, "\(size) at \(x),\(y): \(image[x, y])")
        }
      }
    }
  }

  @Test func theBoardStandsInThePaneWhateverTheTurn() throws {
    let path = try clip(16, 8) { _, _ in [9, 9, 9, 0] }
    for turns in 0..<4 {
      let orientation = Orientation(quarterTurns: turns, isMirrored: turns == 2)
      let size = orientation.swapsSides ? PixelSize(width: 8, height: 16) : PixelSize(width: 16, height: 8)
      let image = try ClipReader(path).image(0, ScaleRequest(size: size, orientation: orientation))
      for y in 0..<size.height { for x in 0..<size.width { #expect(Int(image[x, y].red) == grey(x, y)) } }
    }
  }

  @Test(arguments: [SampleClip.vp9Alpha, .vp8Alpha, .gifTransparent]) func codecsWithAlpha(clip: SampleClip)
    throws
  {
    // Transparent in the left half below the numbers.
    let reader = try ClipReader(try clip.path())
    let image = try reader.image(3, ScaleRequest(size: PixelSize(width: 160, height: 90)))
    #expect(FrameNumber.read(image) == 3)
    var greys = 0
    var others = 0
    for y in 30..<86 {
      for x in 4..<72 {
        let (r, g, b) = image[x, y]
        let wanted = grey(x, y)
        if [r, g, b].allSatisfy({ abs(Int($0) - wanted) <= 6 }) { greys += 1 } else { others += 1 }
      }
    }
    #expect(others * 50 < greys, "\(clip): \(greys) greys, \(others) others")
    var coloured = 0
    for y in 30..<86 {
      for x in 90..<156 where abs(Int(image[x, y].red) - Int(image[x, y].blue)) > 30 { coloured += 1 }
    }
    #expect(coloured > 500)
  }
}
