import CPixelLoops
import Pixels

/// Colours that fit an image, of which terminals take up to 256.
///
/// Source: the colours are found by median cut, at the mean instead of the median.
final class SixelPalette {
  /// The colours, and those that pixels get.
  let map: qd_sixel_map
  /// The sequences that define the colours.
  let definition: [UInt8]
  /// The loss of the image that the colours were made for.
  private let loss: Double

  /// Few colours form long runs, which are short to write; with more of them, moving frames hardly look better.
  private static let movingCount = 48
  private static let restingCount = Int(qd_sixel_colors)
  /// One of so many pixels is looked at to judge an image.
  private static let step = 13
  /// The loss beyond which new colours are made: a factor of the own loss, and what is added to it.
  private static let maxLoss = (factor: 1.5, more: 30.0)

  private init(_ image: PixelImage, count: Int, isCompleted: Bool) {
    var map = qd_sixel_map()
    loss = image.withBytes { pixels in
      guard let pixels = pixels.baseAddress else { return 0 }
      withUnsafeTemporaryAllocation(byteCount: qd_sixel_fit_scratch(), alignment: 8) {
        qd_sixel_fit(pixels, image.size.area, count, $0.baseAddress, &map)
      }
      if isCompleted { qd_sixel_complete(&map) }
      return qd_sixel_loss(&map, pixels, image.size.area, Self.step)
    }
    definition = Self.definition(of: &map)
    self.map = map
  }

  /// Makes colours for an image that rests. Other images cannot be drawn with them.
  convenience init(resting image: PixelImage) { self.init(image, count: Self.restingCount, isCompleted: false) }

  /// Makes colours for an image that moves, and for those that follow while they fit: new ones for each frame would flicker.
  convenience init(moving image: PixelImage) { self.init(image, count: Self.movingCount, isCompleted: true) }

  /// Returns true if colours for moving images fit another one almost as well as that for which they were made.
  func fits(_ image: PixelImage) -> Bool {
    let other = withUnsafePointer(to: map) { map in
      image.withBytes { $0.baseAddress.map { qd_sixel_loss(map, $0, image.size.area, Self.step) } ?? 0 }
    }
    return other <= Self.maxLoss.factor * loss + Self.maxLoss.more
  }

  /// The colours as percentages.
  private static func definition(of map: inout qd_sixel_map) -> [UInt8] {
    let count = map.count
    return withUnsafeBytes(of: &map.palette) { colors in
      var text = ""
      for color in 0..<count {
        let parts = (0..<3).map { (Int(colors[3 * color + $0]) * 100 + 127) / 255 }
        text += "#\(color);2;\(parts[0]);\(parts[1]);\(parts[2])"
      }
      return Array(text.utf8)
    }
  }
}
