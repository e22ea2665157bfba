import Pixels
import Testing

@testable import Playback

/// Images that count as the same.
@Suite(.timeLimit(.minutes(20))) struct RenderCheckTests {
  private func image(_ width: Int, _ height: Int, _ sample: (Int, Int) -> UInt8) -> PixelImage {
    PixelImage(size: PixelSize(width: width, height: height)) { out in
      for i in out.indices { out[i] = sample(i / 3 % width, i / 3 / width) }
    }
  }

  @Test func sizesMayDifferAndContentsMayNot() {
    func ramp(_ x: Int, of width: Int) -> UInt8 { UInt8(255 * x / width) }
    let wide = image(64, 36) { x, _ in ramp(x, of: 64) }
    #expect(RenderCheck.difference(wide, image(48, 48) { x, _ in ramp(x, of: 48) }) < 10)
    #expect(RenderCheck.difference(wide, image(64, 36) { x, _ in 255 - ramp(x, of: 64) }) > 64)
    #expect(RenderCheck.difference(image(1, 1) { _, _ in 7 }, image(3, 2) { _, _ in 7 }) == 0)
  }
}
