import CPixelLoops
import Pixels

/// Encodes images as sixels, in a fixed palette of 252 colours without dithering.
///
/// A fixed palette costs nothing to choose and is the same in every frame, so that still areas stand still.
///
/// Source: DEC STD 070, Video Systems Reference Manual.
struct SixelEncoder {
  /// Mode 8452 leaves the cursor beside an image, so that nothing scrolls at the end of the screen. The other sequence asks for
  /// enough colours (XTSMGRAPHICS).
  static let enter = Array("\u{1B}[?8452h\u{1B}[?1;3;256S".utf8)
  static let leave = Array("\u{1B}[?8452l".utf8)

  private static let bandRows = 6
  private let palette = Self.makePalette()

  private static func makePalette() -> [UInt8] {
    let (reds, greens, blues) = (Int32(qd_sixel_reds), Int32(qd_sixel_greens), Int32(qd_sixel_blues))
    func percent(_ level: Int32, _ levels: Int32) -> Int { (Int(qd_sixel_level(level, levels)) * 100 + 127) / 255 }
    var text = ""
    for red in 0..<reds {
      for green in 0..<greens {
        for blue in 0..<blues {
          text += "#\((red * greens + green) * blues + blue);2;\(percent(red, reds));\(percent(green, greens));\(percent(blue, blues))"
        }
      }
    }
    return Array(text.utf8)
  }

  /// Appends an image as the sequence that displays it at the cursor.
  ///
  /// - Parameters:
  ///   - size: The size to display it in.
  ///   - enlargement: The sides of the square that a pixel of the image is shown as, the last ones cut off.
  func encode(_ image: PixelImage, size: PixelSize, enlargement: Int, into bytes: inout [UInt8]) {
    bytes += Array("\u{1B}P0;1;0q\"1;1;\(size.width);\(size.height)".utf8)
    bytes += palette
    let capacity = qd_sixel_band_capacity(size.width)
    image.withBytes { pixels in
      withUnsafeTemporaryAllocation(byteCount: qd_sixel_scratch(size.width), alignment: 8) { scratch in
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { band in
          guard let pixels = pixels.baseAddress, let out = band.baseAddress else { return }
          for top in stride(from: 0, to: size.height, by: Self.bandRows) {
            let count = qd_sixel_band(
              pixels, image.width, image.height, enlargement, top, min(Self.bandRows, size.height - top), size.width, scratch.baseAddress, out)
            bytes.append(contentsOf: UnsafeBufferPointer(start: out, count: count))
          }
        }
      }
    }
    bytes += Array("\u{1B}\\".utf8)
  }
}
