import CVTerm
import Foundation

/// A screen as pixels: two per cell, one above the other, as half blocks show them.
public struct ScreenPixels: Equatable, Sendable {
  /// Size in pixels: the screen's columns, and twice its rows.
  public let width: Int
  public let height: Int
  /// R, G and B of each pixel, row by row, without gaps.
  public private(set) var bytes: [UInt8]

  /// Creates the pixels of a screen. Both pixels of a cell with any other glyph have its background colour.
  public init(_ screen: EmulatorScreen) {
    width = screen.columns
    height = 2 * screen.rows
    bytes = [UInt8](repeating: 0, count: 3 * width * height)
    for row in 0..<screen.rows {
      for column in 0..<screen.columns {
        let (upper, lower) = screen.groundHalves(column: column, row: row)
        put(upper, x: column, y: 2 * row)
        put(lower, x: column, y: 2 * row + 1)
      }
    }
  }

  /// Returns a copy of a part, which must lie on the screen.
  public func part(x: Int, y: Int, width: Int, height: Int) -> ScreenPixels {
    precondition(x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= self.width && y + height <= self.height)
    var part: [UInt8] = []
    part.reserveCapacity(3 * width * height)
    for row in y..<(y + height) {
      let start = 3 * (row * self.width + x)
      part += bytes[start..<start + 3 * width]
    }
    return ScreenPixels(width: width, height: height, bytes: part)
  }

  /// Creates an image from the R, G and B of each pixel, row by row, whose number must match the size.
  public init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(width > 0 && height > 0 && bytes.count == 3 * width * height)
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// Returns the image as a PPM file (P6).
  public var ppm: Data { Data("P6\n\(width) \(height)\n255\n".utf8) + Data(bytes) }

  private mutating func put(_ color: RGB, x: Int, y: Int) {
    let place = 3 * (y * width + x)
    bytes[place] = color.red
    bytes[place + 1] = color.green
    bytes[place + 2] = color.blue
  }
}

extension EmulatorScreen {
  /// Returns the colours of the upper and the lower half of a cell; the background for a glyph that is not a block.
  ///
  /// Reads libvterm's cell directly, because whole screens are examined while a program runs.
  fileprivate func groundHalves(column: Int, row: Int) -> (upper: RGB, lower: RGB) {
    let cell = raw[row * columns + column]
    let fore = rgb(TerminalColor(cell.fg, defaultBit: VTERM_COLOR_DEFAULT_FG))
    let back = rgb(TerminalColor(cell.bg, defaultBit: VTERM_COLOR_DEFAULT_BG), asBackground: true)
    let (ink, ground) = cell.attrs.reverse != 0 ? (back, fore) : (fore, back)
    switch cell.chars.0 {
    case 0x2580: return (ink, ground)
    case 0x2584: return (ground, ink)
    case 0x2588: return (ink, ink)
    default: return (ground, ground)
    }
  }
}
