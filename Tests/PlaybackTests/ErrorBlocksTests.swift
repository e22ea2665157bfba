import Pixels
import Testing

@testable import Playback

/// The errors of blocks over the picture.
@Suite(.timeLimit(.minutes(20))) struct ErrorBlocksTests {
  private func image(_ width: Int, _ height: Int, _ value: (_ x: Int, _ y: Int) -> UInt8) -> PixelImage {
    PixelImage(size: PixelSize(width: width, height: height)) { out in
      for i in 0..<width * height { for k in 0..<3 { out[3 * i + k] = value(i % width, i / width) } }
    }
  }

  private func pixel(_ image: PixelImage, _ x: Int, _ y: Int) -> [UInt8] {
    image.withBytes { bytes in (0..<3).map { bytes[3 * (y * image.width + x) + $0] } }
  }

  @Test func equalBlocksAreDarkAndGrey() {
    let result = PairDifferencer.overlay(image(4, 3) { _, _ in 0 }, on: image(16, 9) { _, _ in 200 })
    #expect(result.size == PixelSize(width: 16, height: 9))
    #expect(pixel(result, 0, 0) == [110, 110, 110] && pixel(result, 15, 8) == [110, 110, 110])
  }

  /// The greatest error has the end of the scale wherever the block is; small errors have not, even if they are the greatest.
  @Test func theGreatestErrorStandsOut() {
    let picture = image(16, 9) { _, _ in 100 }
    let great = PairDifferencer.overlay(image(4, 3) { x, y in x == 3 && y == 2 ? 64 : x == 0 ? 16 : 0 }, on: picture)
    #expect(pixel(great, 12, 6).allSatisfy { $0 > 220 } && pixel(great, 15, 8) == pixel(great, 12, 6))
    #expect(pixel(great, 11, 8) == [55, 55, 55] && pixel(great, 12, 5) == [55, 55, 55])
    let low = pixel(great, 0, 0)
    #expect(low[2] > low[0] && low != [55, 55, 55])
    let small = PairDifferencer.overlay(image(4, 3) { x, _ in x == 0 ? 8 : 0 }, on: picture)
    #expect(pixel(small, 0, 0).contains { $0 < 100 } && pixel(small, 0, 0) == low)
  }
}
