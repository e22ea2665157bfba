import CellGraphics
import PlainText

/// A grid of cells as JSON lines: the size, then for each cell `[row, column, code point, foreground, background, bold,
/// reverse]`.
///
/// Colours are six hexadecimal digits, a palette index after `#`, or `default`.
struct ScreenDump {
  private let grid: CellGrid

  init(_ grid: CellGrid) { self.grid = grid }

  var text: String {
    var lines = ["{\"cols\":\(grid.columns),\"rows\":\(grid.rows)}"]
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let cell = grid[column: column, row: row]
        lines.append(
          "[\(row),\(column),\(GlyphCluster.scalars(of: cell.glyph).first?.value ?? cell.glyph),\"\(Self.name(cell.foreground))\",\"\(Self.name(cell.background))\","
            + "\(cell.attributes.contains(.bold) ? 1 : 0),\(cell.attributes.contains(.reverse) ? 1 : 0)]")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func name(_ color: CellColor) -> String {
    switch color.kind {
    case .default: return "default"
    case .indexed(let index): return "#\(index)"
    case .rgb(let red, let green, let blue):
      return String(hexadecimal: [red, green, blue])
    }
  }

}
