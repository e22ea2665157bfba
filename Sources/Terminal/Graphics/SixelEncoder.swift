import CPixelLoops
import Pixels

/// Encodes images as sixels of up to 252 colours, without dithering.
///
/// Source: DEC STD 070, Video Systems Reference Manual.
struct SixelEncoder {
  /// The way to choose colours.
  enum Palette {
    /// The same for every image, so that nothing flickers: six levels of red, seven of green and six of blue.
    case fixed
    /// Those that fit the image, which takes twice the time and three times the bytes.
    case adaptive
  }

  /// Mode 8452 leaves the cursor beside an image, and the other sequence asks for enough colours (XTSMGRAPHICS).
  static let enter = Array("\u{1B}[?8452h\u{1B}[?1;3;256S".utf8)
  static let leave = Array("\u{1B}[?8452l".utf8)

  private static let bandRows = 6
  private let cube: qd_sixel_map
  private let cubeText: [UInt8]

  init() {
    var map = qd_sixel_map()
    qd_sixel_cube(&map)
    cube = map
    cubeText = Self.text(of: &map)
  }

  /// The colours of a palette, as percentages.
  private static func text(of map: inout qd_sixel_map) -> [UInt8] {
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

  /// Appends an image as the sequence that displays it at the cursor.
  ///
  /// - Parameters:
  ///   - size: The size to display it in.
  ///   - enlargement: The sides of the square that a pixel of the image is shown as, the last ones cut off.
  func encode(_ image: PixelImage, size: PixelSize, enlargement: Int, _ palette: Palette, into bytes: inout [UInt8]) {
    bytes += Array("\u{1B}P0;1;0q\"1;1;\(size.width);\(size.height)".utf8)
    image.withBytes { pixels in
      guard let pixels = pixels.baseAddress else { return }
      var map = cube
      switch palette {
      case .fixed: bytes += cubeText
      case .adaptive:
        withUnsafeTemporaryAllocation(byteCount: qd_sixel_fit_scratch(), alignment: 8) {
          qd_sixel_fit(pixels, image.size.area, $0.baseAddress, &map)
        }
        bytes += Self.text(of: &map)
      }
      let capacity = qd_sixel_band_capacity(size.width)
      withUnsafeTemporaryAllocation(byteCount: qd_sixel_scratch(size.width), alignment: 8) { scratch in
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { band in
          guard let out = band.baseAddress else { return }
          for top in stride(from: 0, to: size.height, by: Self.bandRows) {
            let rows = min(Self.bandRows, size.height - top)
            let count = qd_sixel_band(
              &map, pixels, image.width, image.height, enlargement, top, rows, size.width, scratch.baseAddress, out)
            bytes.append(contentsOf: UnsafeBufferPointer(start: out, count: count))
          }
        }
      }
    }
    bytes += Array("\u{1B}\\".utf8)
  }
}
