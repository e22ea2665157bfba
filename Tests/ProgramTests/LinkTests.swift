import TerminalHarness
import Testing

/// Panes that move together, or not.
@Suite struct LinkTests {
  @Test func focusAndLink() throws {
    let run = try PlayerRun.pair()
    #expect(run.screen.contains("1/2  all panes"))
    run.process.press(.right)
    try run.waitForPictures(50, 50)
    run.process.send("a")
    try run.wait(for: "focused pane only")
    run.process.press(.right)
    try run.waitForPictures(100, 50)
    run.process.press(.tab)
    try run.wait("the second has the focus") {
      $0.text.last?.contains("2/2") ?? false || $0.contains("keys steer")
    }
    run.process.press(.right, .shift)
    try run.waitForPictures(100, 60)
    for (keys, expected) in [
      ("\u{1B}1", [110, 60]), ("\u{1B}2", [110, 70]), ("n", [120, 70]), ("N", [120, 80]),
    ] {
      run.process.send(keys)
      run.process.press(.right, .shift)
      try run.waitForPictures(expected[0], expected[1])
    }
    run.process.press(.function(1))
    run.process.press(.right, .shift)
    try run.waitForPictures(130, 80)
    run.process.press(.tab, .shift)
    run.process.press(.right, .shift)
    try run.waitForPictures(130, 90)
    run.process.press(.function(2))
    run.process.press(.function(3))  // There is none; the focus stays.
    run.process.press(.right, .shift)
    try run.waitForPictures(130, 100)
    // Linked again, each goes on from where it is.
    run.process.send("a")
    try run.wait(for: "keys steer all panes")
    run.process.press(.right)
    try run.waitForPictures(180, 150)
    run.process.send("..")
    try run.waitForPictures(182, 152)
    run.process.send("5")
    try run.waitForPictures(750, 750)
    try run.quitAndCompare()
  }

  /// Two panes of which the first is 50 pictures ahead, and that are to stay so.
  private func alignedPair() throws -> PlayerRun {
    let run = try PlayerRun.pair()
    run.process.send("a")
    try run.wait(for: "focused pane only")
    run.process.press(.right)
    try run.waitForPictures(50, 0)
    run.process.send("a=")
    try run.wait(for: "panes aligned")
    return run
  }

  @Test func alignment() throws {
    let run = try alignedPair()
    // Absolute positions count for the focused pane; the other keeps its distance.
    run.process.send("5")
    try run.waitForPictures(750, 700)
    run.process.press(.right)
    try run.waitForPictures(800, 750)
    run.process.send("t10\r")
    try run.waitForPictures(100, 50)
    run.process.send("=")
    try run.wait(for: "alignment released")
    run.process.send("5")
    try run.waitForPictures(750, 750)
    run.quit()
  }

  @Test func alignmentSurvivesTheEdges() throws {
    let run = try alignedPair()
    run.process.press(.home)
    try run.waitForPictures(0, 0)
    run.process.press(.right)
    try run.waitForPictures(50, 0)
    run.process.press(.right)
    try run.waitForPictures(100, 50)
    run.quit()
  }
}
