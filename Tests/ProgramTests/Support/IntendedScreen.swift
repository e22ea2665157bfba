import Foundation
import TerminalHarness
import TestSupport

/// The screen that the program meant to show (`--dump-screen`), for comparison with an emulated screen.
struct IntendedScreen {
  /// A colour as it is seen; the terminal's two defaults are colours of their own.
  private enum Seen: Hashable {
    case text, ground
    case color(TerminalColor)
  }

  /// The look of a cell: two coloured halves, or a glyph in two colours.
  private enum Look: Hashable, CustomStringConvertible {
    case halves(upper: Seen, lower: Seen)
    case glyph(UInt32, Seen, Seen, isBold: Bool)
    case rightHalf

    var description: String {
      switch self {
      case .halves(let upper, let lower): "\(upper)/\(lower)"
      case .glyph(let code, let front, let back, let isBold):
        "U+\(String(code, radix: 16)) \(front) on \(back)\(isBold ? " bold" : "")"
      case .rightHalf: "right half"
      }
    }
  }

  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  let columns: Int
  let rows: Int
  private var looks: [Look]

  init(path: String) throws {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let size = try JSONDecoder().decode([String: Int].self, from: Data((lines.first ?? "").utf8))
    columns = size["cols"] ?? 0
    rows = size["rows"] ?? 0
    looks = try lines.dropFirst().map { line in
      guard let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any], fields.count == 7,
        let code = fields[2] as? Int, let front = fields[3] as? String, let back = fields[4] as? String,
        let isBold = fields[5] as? Int, let isReverse = fields[6] as? Int
      else { throw Malformed(description: "not a line of a screen dump: \(line)") }
      return Self.look(
        UInt32(code), Self.color(front), Self.color(back), isBold: isBold != 0, isReverse: isReverse != 0)
    }
    guard looks.count == columns * rows else {
      throw Malformed(description: "\(looks.count) cells for \(columns)×\(rows)")
    }
  }

  private static func color(_ name: String) -> TerminalColor {
    if name.first == "#", let index = UInt8(name.dropFirst()) { return .indexed(index) }
    guard name.utf8.count == 6, let value = UInt32(name, radix: 16) else { return .default }
    return .rgb(
      UInt8(value >> 16), UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value))
  }

  /// A colour without regard to how it was said: only the first 16 of the palette are the user's.
  private static func meant(_ color: TerminalColor) -> TerminalColor {
    guard case .indexed(let index) = color, index >= 16 else { return color }
    if index >= 232 { return .rgb(8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10) }
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    let n = Int(index) - 16
    return .rgb(levels[n / 36], levels[n / 6 % 6], levels[n % 6])
  }

  private static func look(
    _ code: UInt32, _ foreground: TerminalColor, _ background: TerminalColor, isBold: Bool, isReverse: Bool
  ) -> Look {
    var front: Seen = foreground == .default ? .text : .color(meant(foreground))
    var back: Seen = background == .default ? .ground : .color(meant(background))
    if isReverse { swap(&front, &back) }
    var code = code
    if let inverse = inverses[code] { (code, front, back) = (inverse, back, front) }
    switch code {
    case 0: return .rightHalf
    case 0x20, 0xA0: return .halves(upper: back, lower: back)
    case 0x2580: return .halves(upper: front, lower: back)
    case 0x2584: return .halves(upper: back, lower: front)
    case 0x2588: return .halves(upper: front, lower: front)
    default: return .glyph(code, front, back, isBold: isBold)
    }
  }

  /// Of two glyphs of quadrants, sextants or octants that are each other's inverse, the one that stands for both.
  private static let inverses: [UInt32: UInt32] = {
    var inverses: [UInt32: UInt32] = [
      0x259F: 0x2598, 0x2599: 0x259D, 0x259C: 0x2596, 0x2590: 0x258C, 0x259A: 0x259E, 0x2597: 0x259B,
    ]
    let sextants = (1..<63).filter { $0 != 21 && $0 != 42 }
    let drawn: Set = [0, 1, 2, 3, 5, 10, 15, 20, 40, 63, 64, 80, 85, 90, 95, 128, 160, 165, 170, 175, 192, 240, 245, 250, 252, 255]
    let octants = (0..<256).filter { !drawn.contains($0) }
    for (first, masks, all) in [(0x1FB00, sextants, 63), (0x1CD00, octants, 255)] {
      for (n, mask) in masks.enumerated() where mask > all / 2 {
        if let inverse = masks.firstIndex(of: all - mask) { inverses[UInt32(first + n)] = UInt32(first + inverse) }
      }
    }
    return inverses
  }()

  /// The cells in which a terminal shows something else, each in a few words.
  func differences(from screen: EmulatorScreen) -> [String] {
    guard screen.columns == columns, screen.rows == rows else {
      return ["meant for \(columns)×\(rows), shown in \(screen.columns)×\(screen.rows)"]
    }
    var result: [String] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = screen[column: column, row: row]
        let shown = Self.look(
          cell.code, cell.foreground, cell.background, isBold: cell.isBold, isReverse: cell.isReverse)
        let wanted = looks[row * columns + column]
        if shown != wanted { result.append("(\(column), \(row)) shows \(shown), not \(wanted)") }
      }
    }
    return result
  }
}

extension EmulatorScreen {
  /// The number of the frame whose frame fills a rectangle of cells, read from its squares.
  func frameNumber(column: Int, row: Int, width: Int, height: Int) -> Int? {
    guard column + width <= columns, row + height <= rows else { return nil }
    return FrameNumber.read(width: width, height: 2 * height) { x, y in
      guard let halves = halves(column: column + x, row: row + y / 2) else { return (128, 128, 128) }
      let color = y.isMultiple(of: 2) ? halves.upper : halves.lower
      return (color.red, color.green, color.blue)
    }
  }
}
