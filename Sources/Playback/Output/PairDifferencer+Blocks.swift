import Libav
import Pixels

/// The errors of a pair by place in the frame.
extension PairDifferencer {
  /// The sides of a block: of samples, and of the image's pixels at least.
  private static let samplesPerBlock = 16.0
  private static let minPixelsPerBlock = 2
  /// The mean difference of 0…255 that gets the end of the scale, unless a block has more.
  private static let leastRange = 4
  /// The brightness of the picture under the blocks.
  private static let dimming = 0.55

  /// Returns the second frame's image, grey and darkened, under the mean error of each block of 16×16 samples in colours of
  /// `HeatScale`, up to the greatest of the frame.
  ///
  /// - Parameters:
  ///   - pair: a pair of frames.
  ///   - settings: as in `difference(_:_:)`; style, gain and reduction do not matter.
  /// - Returns: nil if the frames came without their decoded pixels.
  /// - Throws: as `difference(_:_:)`.
  package func errorBlocks(_ pair: FramePair, _ settings: DifferenceRequest) throws(PlaybackError) -> FrameDifference? {
    let image = pair.second.image
    guard let kept = pair.second.kept else { return nil }
    let region = pair.second.request.region, samples = kept.pixels.size
    func count(_ part: Double, _ samples: Int, _ pixels: Int) -> Int {
      max(1, min(Int((part * Double(samples) / Self.samplesPerBlock).rounded(.up)), pixels / Self.minPixelsPerBlock))
    }
    let turned = kept.orientation.swapsSides ? PixelSize(width: samples.height, height: samples.width) : samples
    let size = PixelSize(
      width: count(region.width, turned.width, image.width), height: count(region.height, turned.height, image.height))
    var request = settings
    (request.style, request.gain, request.reduction) = (.absolute, Self.gain, .mean)
    guard var blocks = try difference(pair, request, size: size) else { return nil }
    blocks.image = Self.overlay(blocks.image, on: image)
    return blocks
  }

  /// Differences are in steps of an eighth.
  private static let gain = 8

  static func overlay(_ blocks: PixelImage, on image: PixelImage) -> PixelImage {
    var amounts = [Int](repeating: 0, count: blocks.size.area)
    blocks.withBytes { bytes in
      for i in amounts.indices { amounts[i] = Int(max(bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2])) }
    }
    let greatest = max(leastRange * gain, amounts.max() ?? 0)
    return PixelImage(size: image.size) { out in
      image.withBytes { bytes in
        for y in 0..<image.height {
          let row = y * blocks.height / image.height * blocks.width
          for x in 0..<image.width {
            let pixel = 3 * (y * image.width + x)
            let amount = 255 * amounts[row + x * blocks.width / image.width] / greatest
            let share = Double(amount) / 255 * 0.85
            let luma = 0.2126 * Double(bytes[pixel]) + 0.7152 * Double(bytes[pixel + 1]) + 0.0722 * Double(bytes[pixel + 2])
            let color = HeatScale.color(of: UInt8(amount))
            for (i, value) in [color.red, color.green, color.blue].enumerated() {
              out[pixel + i] = UInt8(min(255, luma * dimming * (1 - share) + Double(value) * share))
            }
          }
        }
      }
    }
  }
}
