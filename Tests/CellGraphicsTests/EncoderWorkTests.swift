import Testing

@testable import CellGraphics

/// Rows that need nothing cost nothing: they are neither compared cell by cell nor planned.
@Suite(.timeLimit(.minutes(20))) struct EncoderWorkTests {
  private let columns = 40, rows = 16

  /// Image cells of colours that all differ, another one in each `turn`.
  private func fill(_ grid: inout CellGrid, rows: Range<Int>, turn: Int) {
    for row in rows {
      for column in 0..<columns {
        let seed = UInt32(truncatingIfNeeded: (column &* 31 &+ row &* 7 &+ turn &* 101) &* 2_654_435_761)
        grid[column: column, row: row] = Cell(
          glyph: 0x2580, foreground: .rgb(UInt8(seed >> 24), UInt8(seed >> 16 & 0xFF), UInt8(column)),
          background: .rgb(UInt8(seed >> 8 & 0xFF), UInt8(row), UInt8(turn)), isImage: true)
      }
    }
  }

  private func encode(_ encoder: inout DifferenceEncoder, _ grid: CellGrid, budget: Int?) -> EncodeResult {
    var bytes: [UInt8] = []
    return encoder.encode(grid, imageBudget: budget, into: &bytes)
  }

  @Test(arguments: [ColorDepth.trueColor, .palette256]) func whatStandsStillIsNotLookedAt(depth: ColorDepth) {
    var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: depth))
    var grid = CellGrid(columns: columns, rows: rows)
    fill(&grid, rows: 0..<rows, turn: 0)
    for row in 0..<rows {
      for column in 0..<columns { grid[column: column, row: row] = encoder.expressed(grid[column: column, row: row]) }
    }
    // All of it is new, and does not fit.
    _ = encode(&encoder, grid, budget: 1000)
    #expect(encoder.rowsCompared == rows && encoder.rowsPlanned == rows)
    var updates = 0
    while !encode(&encoder, grid, budget: 1000).isExact, updates < 500 { updates += 1 }
    #expect(encode(&encoder, grid, budget: 1000).bytes == 0)
    #expect(encoder.rowsCompared == 0 && encoder.rowsPlanned == 0)
    // One cell changes.
    grid[column: 3, row: 5].background = .indexed(17)
    _ = encode(&encoder, grid, budget: 1000)
    #expect(encoder.rowsCompared == 1 && encoder.rowsPlanned == 0)
    // An image moves above one that stands.
    for turn in 1...20 {
      fill(&grid, rows: 0..<6, turn: turn)
      _ = encode(&encoder, grid, budget: 600)
      #expect(encoder.rowsCompared == 6 && encoder.rowsPlanned <= 6, "turn \(turn)")
      #expect(depth == .palette256 || encoder.rowsPlanned == 6)
    }
    // And with all bytes that it wants.
    fill(&grid, rows: 0..<6, turn: 21)
    #expect(encode(&encoder, grid, budget: nil).isExact)
    #expect(encoder.rowsCompared == 6 && encoder.rowsPlanned == 0)
  }

  /// A frame at rest is completed row by row: rows that are exact are not planned again.
  @Test func rowsThatAreExactAreNotPlannedAgain() {
    var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: .trueColor))
    var grid = CellGrid(columns: columns, rows: rows)
    fill(&grid, rows: 0..<rows, turn: 0)
    var result = encode(&encoder, grid, budget: 1500)
    for _ in 0..<500 where !result.isExact {
      let inexact = (0..<rows).count { row in
        (0..<columns).contains { !encoder.shown[column: $0, row: row].looksLike(grid[column: $0, row: row]) }
      }
      result = encode(&encoder, grid, budget: 1500)
      #expect(encoder.rowsCompared == inexact && encoder.rowsPlanned <= inexact)
    }
    #expect(result.isExact)
  }

  /// Nor are rows that are near to what they are to show, until that changes, or has to be exact.
  @Test func whatStandsStillNearItsTargetIsNotLookedAt() {
    var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: .trueColor))
    var grid = CellGrid(columns: columns, rows: rows)
    fill(&grid, rows: 0..<rows, turn: 100)
    // By one in blue, which nobody sees.
    func setBlue(_ value: UInt8) {
      for row in 4..<12 { grid[column: 7, row: row].background = .rgb(100, UInt8(row), value) }
    }
    setBlue(100)
    #expect(encode(&encoder, grid, budget: nil).isExact)
    encoder.quality = .high
    setBlue(101)
    let result = encode(&encoder, grid, budget: nil)
    #expect(encoder.rowsCompared == 8 && result.cellsNear == 8 && result.cellsSent == 0 && result.loss.squaredError > 0)
    for _ in 1...3 {
      #expect(encode(&encoder, grid, budget: nil) == result && encoder.rowsCompared == 0)
    }
    setBlue(100)
    #expect(encode(&encoder, grid, budget: nil).isExact && encoder.rowsCompared == 0)
    setBlue(101)
    _ = encode(&encoder, grid, budget: nil)
    encoder.regions = [
      ImageRegion(cells: CellRect(x: 0, y: 0, width: columns, height: rows)),
      ImageRegion(cells: CellRect(x: 0, y: 4, width: columns, height: 2), isExact: true),
    ]
    #expect(encode(&encoder, grid, budget: nil).cellsSent == 2)
    encoder.quality = .exact
    #expect(encode(&encoder, grid, budget: nil).isExact && encoder.shown[column: 7, row: 9].looksLike(grid[column: 7, row: 9]))
    encoder.quality = .high
    setBlue(100)
    _ = encode(&encoder, grid, budget: nil)
    encoder.invalidate()
    #expect(encode(&encoder, grid, budget: nil).isExact && encoder.shown[column: 7, row: 9].looksLike(grid[column: 7, row: 9]))
  }
}
