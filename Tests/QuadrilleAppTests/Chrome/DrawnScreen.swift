import CellGraphics
import Terminal
import Testing

@testable import QuadrilleApp

/// The chrome painter's drawing of a model, over a grid filled by a frame.
struct DrawnScreen: CustomTestStringConvertible {
  static let frame = Cell(glyph: 0x2580, foreground: .rgb(1, 2, 3), background: .rgb(4, 5, 6), isImage: true)

  let grid: CellGrid
  let theme: ChromeTheme

  init(
    _ model: ScreenModel, columns: Int = 80, rows: Int = 24, depth: ColorDepth = .trueColor,
    glyphSet: GlyphSet = .unicode
  ) throws {
    theme = ChromeTheme(depth: depth, glyphSet: glyphSet)
    let painter = try ChromePainter(columns: columns, rows: rows, theme: theme, keys: .standard)
    painter.draw(model)
    var grid = CellGrid(columns: columns, rows: rows, filledWith: Self.frame)
    painter.compose(into: &grid)
    self.grid = grid
  }

  /// The letters of a row; frames are spaces.
  func text(row: Int) -> String {
    var text = String.UnicodeScalarView()
    for column in 0..<grid.columns {
      let cell = grid[column: column, row: row]
      if cell.glyph != 0, let scalar = Unicode.Scalar(cell.glyph) { text.append(cell.isImage ? " " : scalar) }
    }
    return String(text)
  }

  /// All rows, with line ends between.
  var text: String { (0..<grid.rows).map(text(row:)).joined(separator: "\n") }

  var testDescription: String { text }

  func contains(_ words: String) -> Bool { text.contains(words) }

  /// Returns true if the frame is seen through the chrome.
  func showsFrame(column: Int, row: Int) -> Bool { grid[column: column, row: row] == Self.frame }

  func style(column: Int, row: Int) -> ChromeStyle {
    let cell = grid[column: column, row: row]
    return ChromeStyle(foreground: cell.foreground, background: cell.background, attributes: cell.attributes)
  }
}
