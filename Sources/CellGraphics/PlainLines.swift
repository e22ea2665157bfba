/// Writes a grid as lines of coloured text, for a scrolling terminal or a file, without cursor movement.
///
/// Each line sets its own colours and resets them at the end, so lines can be separated.
public struct PlainLines: Sendable {
  private let normalizer: CellNormalizer

  public init(depth: ColorDepth, glyphSet: GlyphSet) {
    normalizer = CellNormalizer(EncoderProfile(colorDepth: depth, glyphSet: glyphSet))
  }

  /// Returns the text, with one line per row of the grid. Empty cells at the end of a row are omitted.
  public func text(_ grid: CellGrid) -> String {
    var text = ""
    for row in 0..<grid.rows {
      var cells = (0..<grid.columns).map { normalizer.normal(grid[column: $0, row: row]) }
      while let last = cells.last, last.looksLike(.blank) { cells.removeLast() }
      var foreground = CellColor.default
      var background = CellColor.default
      for cell in cells where cell.glyph != 0 {
        var parameters: [String] = []
        if cell.foreground != foreground, !cell.showsOnlyBackground {
          parameters.append(Self.parameter(cell.foreground, base: 30))
          foreground = cell.foreground
        }
        if cell.background != background {
          parameters.append(Self.parameter(cell.background, base: 40))
          background = cell.background
        }
        if !parameters.isEmpty { text += "\u{1B}[\(parameters.joined(separator: ";"))m" }
        let scalars = GlyphCluster.scalars(of: cell.glyph)
        text.unicodeScalars.append(contentsOf: scalars.isEmpty ? [" "] : scalars)
      }
      if foreground != .default || background != .default { text += "\u{1B}[m" }
      text += "\n"
    }
    return text
  }

  /// Returns the SGR parameter for a colour; `base` is 30 for the foreground and 40 for the background.
  private static func parameter(_ color: CellColor, base: Int) -> String {
    switch color.kind {
    case .default: "\(base + 9)"
    case .indexed(let index) where index < 8: "\(base + Int(index))"
    case .indexed(let index) where index < 16: "\(base + 60 + Int(index) - 8)"
    case .indexed(let index): "\(base + 8);5;\(index)"
    case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}
