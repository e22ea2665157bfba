import TerminalHarness
import Testing

/// The effects of the mouse, read on the screen.
@Suite(.timeLimit(.minutes(10))) struct MouseTests {
  private func expect(_ run: PlayerRun, _ number: Int, tolerance: Int = 0) throws {
    try run.wait("frame \(number)") { screen in
      guard let seen = screen.frameNumber(column: 0, row: 1, width: 64, height: 18) else { return false }
      return abs(seen - number) <= tolerance
    }
  }

  @Test func clicksDragsAndTheWheel() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    let row = 20
    run.process.mouse(.wheelUp, column: 10, row: 5)
    try expect(run, 10)
    run.process.mouse(.wheelDown, column: 10, row: 5)
    try expect(run, 0)
    run.process.mouse(.press(1), column: 42, row: row)
    run.process.mouse(.release(1), column: 42, row: row)
    try run.wait("near the end") { screen in
      (screen.frameNumber(column: 0, row: 1, width: 64, height: 18) ?? 0) > 1400
    }
    // A drag goes on where the button was pressed, also outside the bar, until it is released.
    run.process.mouse(.press(1), column: 40, row: row)
    for column in stride(from: 39, through: 20, by: -1) { run.process.mouse(.move, column: column, row: 3) }
    try expect(run, 0, tolerance: 40)
    run.process.mouse(.release(1), column: 20, row: 3)
    run.process.mouse(.move, column: 60, row: row)
    run.process.mouse(.wheelUp, column: 60, row: 3)
    try run.waitUntilStill()
    #expect((run.frameNumber() ?? 999) < 60)
    try run.quitAndCompare()
  }

  @Test func clicksFocus() throws {
    let clip = try PlayerClips.timeline()
    let run = try PlayerRun(["--paused", "--layout", "row", "--no-linked", clip, clip], columns: 129)
    try run.waitUntilPaused(panes: 2)
    run.process.mouse(.press(1), column: 100, row: 5)
    run.process.mouse(.release(1), column: 100, row: 5)
    run.process.press(.right)
    try run.wait("the second moved") { _ in run.numbersShown == [0, 50] }
    run.process.mouse(.wheelUp, column: 10, row: 5)
    try run.wait("the first moved") { _ in run.numbersShown == [10, 50] }
    // Outside all panes nothing happens.
    run.process.mouse(.press(1), column: 64, row: 5)
    run.process.mouse(.wheelUp, column: 3, row: 20)
    try run.waitUntilStill()
    #expect(run.numbersShown == [10, 50])
    run.quit()
  }

  @Test func canBeLeftToTheTerminal() throws {
    let run = try PlayerRun(["--paused", "--no-mouse", PlayerClips.timeline()])
    try run.waitUntilPaused()
    #expect(run.screen.mouseMode == .off)
    run.quit()
  }
}
