import CVTerm

/// A copy of an emulated terminal's screen, which later output does not change.
public struct EmulatorScreen {
  public enum MouseMode: Int, Sendable {
    case off, click, drag, move
  }

  public let columns: Int
  public let rows: Int
  public let cursor: (column: Int, row: Int)
  public let isCursorVisible: Bool
  public let isAlternateScreen: Bool
  public let mouseMode: MouseMode
  /// The window title; empty until it is set.
  public let title: String
  /// The private modes that are set (25 and 7 are set at the start).
  public let privateModes: Set<Int>

  let raw: [VTermScreenCell]
  let palette: Palette

  /// The colours of this terminal's palette.
  struct Palette {
    var entries: [RGB]
    var foreground: RGB
    var background: RGB
  }

  /// Returns the cell at a position on the screen, counted from 0.
  public subscript(column column: Int, row row: Int) -> TerminalCell {
    precondition(column >= 0 && column < columns && row >= 0 && row < rows, "not on the screen")
    return TerminalCell(raw[row * columns + column])
  }

  /// All cells, row by row.
  public var cells: [TerminalCell] { raw.map(TerminalCell.init) }

  /// Returns the text of a row without trailing blanks.
  public func text(row: Int) -> String {
    var text = ""
    var end = text.endIndex
    for column in 0..<columns {
      let glyph = self[column: column, row: row].glyph
      text += glyph
      if glyph != " " { end = text.endIndex }
    }
    return String(text[..<end])
  }

  /// The text of all rows, each without trailing blanks.
  public var text: [String] { (0..<rows).map(text(row:)) }

  /// Returns true if a row contains `needle`.
  public func contains(_ needle: String) -> Bool { find(needle) != nil }

  /// Returns the first position of `needle` within a row: the cell of its first glyph.
  public func find(_ needle: String) -> (column: Int, row: Int)? {
    let wanted = needle.map(String.init)
    guard !wanted.isEmpty else { return (0, 0) }
    for row in 0..<rows {
      let glyphs = (0..<columns).map { ($0, self[column: $0, row: row].glyph) }.filter { $0.1 != "" }
      guard glyphs.count >= wanted.count else { continue }
      for start in 0...(glyphs.count - wanted.count)
      where wanted.indices.allSatisfy({ glyphs[start + $0].1 == wanted[$0] }) {
        return (glyphs[start].0, row)
      }
    }
    return nil
  }

  /// Returns the RGB value of a colour in this terminal; `.default` is that of text, or of the background if requested.
  public func rgb(_ color: TerminalColor, asBackground: Bool = false) -> RGB {
    switch color {
    case .default: asBackground ? palette.background : palette.foreground
    case .indexed(let index): palette.entries[Int(index)]
    case .rgb(let red, let green, let blue): RGB(red, green, blue)
    }
  }

  /// Returns the colours of a cell as displayed, with reverse video applied.
  public func shownColors(column: Int, row: Int) -> (foreground: RGB, background: RGB) {
    let cell = self[column: column, row: row]
    let foreground = rgb(cell.foreground)
    let background = rgb(cell.background, asBackground: true)
    return cell.isReverse ? (background, foreground) : (foreground, background)
  }

  /// Returns the colours of the upper and the lower half of a cell; nil unless it is a blank or a half or full block.
  public func halves(column: Int, row: Int) -> (upper: RGB, lower: RGB)? {
    let (foreground, background) = shownColors(column: column, row: row)
    switch self[column: column, row: row].code {
    case 0x20, 0xA0: return (background, background)
    case 0x2580: return (foreground, background)
    case 0x2584: return (background, foreground)
    case 0x2588: return (foreground, foreground)
    default: return nil
    }
  }

  /// Writes the screen as lines of JSON, for debugging.
  ///
  /// The first line is `{"cols":80,"rows":24}`; each cell follows as `[row, column, code, "fg", "bg", bold]`, with displayed
  /// colours in six hexadecimal digits and `bold` as 0 or 1.
  public func dump() -> String {
    var lines = ["{\"cols\":\(columns),\"rows\":\(rows)}"]
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = self[column: column, row: row]
        let (foreground, background) = shownColors(column: column, row: row)
        lines.append(
          "[\(row),\(column),\(cell.code),\"\(foreground.hex)\",\"\(background.hex)\",\(cell.isBold ? 1 : 0)]"
        )
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension EmulatorScreen: CustomStringConvertible {
  /// The text of the screen in a frame, for failed expectations.
  public var description: String {
    let edge = "+" + String(repeating: "-", count: columns) + "+"
    return ([edge] + text.map { "|\($0)" } + [edge]).joined(separator: "\n")
  }
}

extension TerminalCell {
  init(_ cell: VTermScreenCell) {
    var scalars = String.UnicodeScalarView()
    let chars = cell.chars
    let isRightHalf = chars.0 == .max
    if !isRightHalf {
      for code in [chars.0, chars.1, chars.2, chars.3, chars.4, chars.5] {
        guard code != 0, let scalar = Unicode.Scalar(code) else { break }
        scalars.append(scalar)
      }
      if scalars.isEmpty { scalars.append(" ") }
    }
    self.init(
      glyph: String(scalars), code: scalars.first?.value ?? 0, width: max(1, Int(cell.width)),
      foreground: TerminalColor(cell.fg, defaultBit: VTERM_COLOR_DEFAULT_FG),
      background: TerminalColor(cell.bg, defaultBit: VTERM_COLOR_DEFAULT_BG),
      isBold: cell.attrs.bold != 0, isItalic: cell.attrs.italic != 0, isReverse: cell.attrs.reverse != 0,
      isBlinking: cell.attrs.blink != 0, isStruck: cell.attrs.strike != 0,
      underline: Int(cell.attrs.underline))
  }
}

extension TerminalColor {
  init(_ color: VTermColor, defaultBit: VTermColorType) {
    if UInt32(color.type) & defaultBit.rawValue != 0 {
      self = .default
    } else if UInt32(color.type) & VTERM_COLOR_TYPE_MASK.rawValue == VTERM_COLOR_INDEXED.rawValue {
      self = .indexed(color.indexed.idx)
    } else {
      self = .rgb(color.rgb.red, color.rgb.green, color.rgb.blue)
    }
  }
}
