import CPixelLoops
import Pixels

/// Encodes images as sixels, without dithering.
///
/// Source: DEC STD 070, Video Systems Reference Manual.
enum SixelEncoder {
  /// Mode 8452 leaves the cursor beside an image, and the other sequence asks for enough colours (XTSMGRAPHICS).
  static let enter = Array("\u{1B}[?8452h\u{1B}[?1;3;256S".utf8)
  static let leave = Array("\u{1B}[?8452l".utf8)

  private static let bandRows = 6

  /// Appends an image as the sequence that displays it at the cursor.
  ///
  /// - Parameters:
  ///   - size: The size to display it in.
  ///   - enlargement: The sides of the square that a pixel of the image is shown as, the last ones cut off.
  ///   - palette: Made for this image, or for moving ones.
  static func encode(_ image: PixelImage, size: PixelSize, enlargement: Int, _ palette: SixelPalette, into bytes: inout [UInt8]) {
    bytes += Array("\u{1B}P0;1;0q\"1;1;\(size.width);\(size.height)".utf8)
    bytes += palette.definition
    let capacity = qd_sixel_band_capacity(size.width)
    image.withBytes { pixels in
      withUnsafePointer(to: palette.map) { map in
        withUnsafeTemporaryAllocation(byteCount: qd_sixel_scratch(size.width), alignment: 8) { scratch in
          withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { band in
            guard let out = band.baseAddress, let pixels = pixels.baseAddress else { return }
            for top in stride(from: 0, to: size.height, by: bandRows) {
              let rows = min(bandRows, size.height - top)
              let count = qd_sixel_band(
                map, pixels, image.width, image.height, enlargement, top, rows, size.width, scratch.baseAddress, out)
              bytes.append(contentsOf: UnsafeBufferPointer(start: out, count: count))
            }
          }
        }
      }
    }
    bytes += Array("\u{1B}\\".utf8)
  }
}
