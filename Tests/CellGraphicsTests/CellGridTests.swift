import CellGraphics
import Testing

@Suite(.timeLimit(.minutes(20))) struct CellGridTests {
  @Test func cellsAreSixteenBytes() {
    #expect(MemoryLayout<Cell>.size == 16 && MemoryLayout<Cell>.stride == 16)
  }

  @Test func colorsKeepWhatTheyAre() {
    #expect(CellColor.default.kind == .default)
    #expect(CellColor.indexed(0).kind == .indexed(0) && CellColor.indexed(0) != .default)
    #expect(CellColor.rgb(0, 0, 0).kind == .rgb(0, 0, 0) && CellColor.rgb(0, 0, 0) != .indexed(0))
    #expect(CellColor.rgb(1, 2, 3).kind == .rgb(1, 2, 3))
    #expect("\(CellColor.rgb(1, 2, 3))" == "rgb(1, 2, 3)")
  }

  @Test func imagesLookLikeChrome() {
    var cell = Cell("x", attributes: [.bold, .reverse])
    let chrome = cell
    cell.isImage = true
    #expect(cell != chrome && cell.looksLike(chrome) && cell.attributes == [.bold, .reverse])
    cell.attributes = .dim
    #expect(cell.isImage && !cell.looksLike(chrome))
  }

  @Test func sizesAndFilling() {
    var grid = CellGrid(columns: 5, rows: 3)
    let copy = grid
    grid.fill(CellRect(x: 3, y: -1, width: 9, height: 3), with: Cell("x"))
    #expect(copy == CellGrid(columns: 5, rows: 3))
    for row in 0..<3 {
      for column in 0..<5 {
        #expect(grid[column: column, row: row] == (column >= 3 && row < 2 ? Cell("x") : .blank))
      }
    }
    grid.resize(columns: 3, rows: 5, filledWith: Cell("y"))
    #expect(grid == CellGrid(columns: 3, rows: 5, filledWith: Cell("y")))
    grid.resize(columns: -1, rows: 4)
    #expect(grid.columns == 0 && grid.withCells { $0.isEmpty })
  }

  @Test func anEmptyScreenTakesNothing() {
    var encoder = DifferenceEncoder(columns: 0, rows: 0, profile: .init(colorDepth: .trueColor))
    var bytes: [UInt8] = []
    #expect(encoder.encode(CellGrid(columns: 0, rows: 3), imageBudget: nil, into: &bytes) == EncodeResult())
    #expect(bytes.isEmpty)
    let result = encoder.encode(
      CellGrid(columns: 1, rows: 1, filledWith: Cell("x")), imageBudget: nil, into: &bytes)
    #expect(result.isExact && encoder.shown[column: 0, row: 0] == Cell("x"))
  }
}
