import CellGraphics
import Testing

@Suite("Plain lines", .timeLimit(.minutes(20)))
struct PlainLinesTests {
  @Test("colours are set where they change and reset at each line's end")
  func colours() {
    var grid = CellGrid(columns: 3, rows: 2)
    grid[column: 0, row: 0] = Cell("▀", foreground: .rgb(1, 2, 3), background: .rgb(4, 5, 6))
    grid[column: 1, row: 0] = Cell("▀", foreground: .rgb(1, 2, 3), background: .rgb(7, 8, 9))
    grid[column: 1, row: 1] = Cell("x", foreground: .indexed(9))
    #expect(
      PlainLines(depth: .trueColor, glyphSet: .unicode).text(grid)
        == "\u{1B}[38;2;1;2;3;48;2;4;5;6m▀\u{1B}[48;2;7;8;9m▀\u{1B}[m\n \u{1B}[91mx\u{1B}[m\n")
  }

  @Test("without colours and blocks there is plain ASCII")
  func mono() {
    var grid = CellGrid(columns: 2, rows: 1)
    grid[column: 0, row: 0] = Cell("█", foreground: .rgb(200, 0, 0))
    #expect(PlainLines(depth: .mono, glyphSet: .ascii).text(grid) == "#\n")
  }
}
