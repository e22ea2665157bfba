import CellGraphics
import TestSupport
import Testing

@testable import TerminalHarness

/// Cells that are left to images in pixels.
@Suite(.timeLimit(.minutes(20))) struct HoleTests {
  private static let (columns, rows) = (40, 12)

  private func change(_ grid: inout CellGrid, _ random: inout TestRandom) {
    let rect = CellRect(
      x: .random(in: -3..<Self.columns, using: &random), y: .random(in: -2..<Self.rows, using: &random),
      width: .random(in: 1...24, using: &random), height: .random(in: 1...6, using: &random))
    let colors: [CellColor] = [.default, .rgb(20, 30, 40), .rgb(200, 30, 40)]
    let color = colors[.random(in: 0..<3, using: &random)]
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: grid.fill(rect, with: .hole)
    case 2: grid.fill(rect, with: Cell(background: color))
    case 3: grid.fill(rect, with: Cell("x", foreground: color, background: color))
    default:
      let part = rect.intersection(grid.bounds)
      for row in part.y..<max(part.y, part.maxY) {
        for column in part.x..<max(part.x, part.maxX) {
          let value = UInt8.random(in: 0...255, using: &random)
          grid[column: column, row: row] = Cell(foreground: .rgb(value, 1, 2), background: .rgb(0, value, 9), isImage: true)
        }
      }
    }
  }

  @Test(arguments: [false, true]) func unchangedHolesAreNeverSent(hasTricks: Bool) {
    var random = TestRandom(41)
    for _ in 0..<30 {
      let emulator = Emulator(columns: Self.columns, rows: Self.rows)
      var encoder = DifferenceEncoder(
        columns: Self.columns, rows: Self.rows,
        profile: EncoderProfile(colorDepth: .trueColor, erasesCells: hasTricks, backColorErase: hasTricks))
      var grid = CellGrid(columns: Self.columns, rows: Self.rows)
      for turn in 0..<12 {
        let before = encoder.shown
        for _ in 0..<3 { change(&grid, &random) }
        var bytes: [UInt8] = []
        _ = encoder.encode(grid, imageBudget: random.chance(2) ? nil : 60, into: &bytes)
        _ = emulator.takeDamage()
        emulator.feed(bytes)
        let written = Set(emulator.takeDamage())
        guard turn > 0 else { continue }
        for row in 0..<Self.rows {
          for column in 0..<Self.columns where grid[column: column, row: row].isHole {
            #expect(encoder.shown[column: column, row: row].isHole)
            let isUnchanged = before[column: column, row: row].isHole
            let isWritten = written.contains(row * TerminalImages.stride + column)
            if isUnchanged && isWritten { Issue.record("\(column), \(row)") }
            // What was there must go.
            if !isUnchanged && !isWritten { Issue.record("\(column), \(row) is covered") }
          }
        }
      }
    }
  }
}
