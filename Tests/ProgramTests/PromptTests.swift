import TerminalHarness
import Testing

/// What is typed into a line.
@Suite struct PromptTests {
  @Test func openAndClose() throws {
    let folder = try TemporaryFolder()
    let spaced = try PlayerClips.copy(in: folder, named: "a clip with spaces.mp4")
    let run = try PlayerRun(["--paused", PlayerClips.timeline()]) { $0.environment["HOME"] = folder.path }
    try run.waitUntilPaused()
    run.process.send("o\(spaced)\r")
    try run.wait("it is there") {
      $0.contains("2 a clip") && $0.contains("1 timeline") && $0.contains("/0:02")
    }
    run.process.send("c")
    try run.wait("it is gone") { !$0.contains("2 a clip") && $0.contains("1/1") }
    run.process.send("o~/a clip with spaces.mp4\r")
    try run.wait("it is there") { $0.contains("2 a clip") }
    // Relative to where the program was started; quitting letters are only letters here.
    run.process.send("o./q.mp4\r")
    try run.wait(for: "no such file")
    run.process.send("o\(spaced)\r")
    try run.wait(for: "4 a clip")
    run.process.send("o\(spaced)\r")
    try run.wait(for: "four clips already")
    run.process.send("oxyz")
    try run.wait(for: "Open clip: xyz")
    run.process.send("\u{1B}")
    try run.wait("the prompt is gone") { !$0.contains("Open clip") && !$0.contains("xyz") }
    run.process.send("cccc")
    try run.wait(for: "No clip.")
    // Keys that need a clip do no harm.
    run.process.send(" ,.[]{}azgbL=ti=5")
    run.process.press(.right)
    run.process.send("o\(spaced)\r")
    try run.wait("it plays") { $0.contains("1 a clip") }
    run.quit()
    #expect(try run.statistics().panes.count >= 6)
  }

  @Test func goTo() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    for (text, number) in [
      ("12.5", 125), ("1:02", 620), ("0:02:03.4", 1234), ("#250", 250), ("#0", 0), ("9999", 1499),
      ("#777", 777),
    ] {
      run.process.send("t")
      try run.wait(for: "Go to")
      run.process.send("\(text)\r")
      try run.waitForPictures(number)
    }
    run.process.send("tsoon\r")
    try run.wait(for: "\"soon\" is no time")
    try run.waitForPictures(777)
    run.process.send("t-5\r")
    try run.wait(for: "\"-5\" is no time")
    run.quit()
  }

  @Test func numbersAreExactWhereOnlyADecodeTells() throws {
    // Ten pictures a second in 25: each comes two or three times.
    let run = try PlayerRun(["--paused", PlayerClips.rawTimeline()])
    try run.wait(for: "/2:30")
    run.process.send("t#3001\r")
    try run.wait("picture 3001, which shows 1200") { screen in
      run.numbersShown == [3001] && screen.frameNumber(column: 0, row: 1, width: 64, height: 18) == 1200
    }
    run.quit()
  }

  @Test func pastesGoIntoPromptsOnly() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.send("\u{1B}[200~q59\r\u{1B}[201~")
    run.process.press(.right)
    try run.waitForPictures(50)
    run.process.send("t\u{1B}[200~1:00\nq\u{1B}[201~")
    try run.wait(for: "): 1:00 ")
    run.process.send("\r")
    try run.waitForPictures(600)
    run.quit()
  }

  @Test func linesAreEditedAtTheirCursor() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.send("t123")
    run.process.press(.left)
    run.process.press(.left)
    run.process.send(".")
    try run.wait("the cursor is on the 2") { screen in
      cursor(screen)?.before.hasSuffix("1.") == true && cursor(screen)?.under == "2"
    }
    run.process.press(.home)
    run.process.press(.delete)
    run.process.send("0:1")
    run.process.press(.end)
    run.process.press(.backspace)
    try run.wait("the line is as edited") { $0.contains("): 0:1.2 ") }
    run.process.send("\r")
    try run.waitForPictures(12)
    run.quit()
  }

  /// What stands in the lowest row before the cursor's cell, the only bright one there, and in it.
  private func cursor(_ screen: TerminalScreen) -> (before: String, under: String)? {
    let row = screen.rows - 1
    let cells = (0..<screen.columns).filter { screen.shownColors(column: $0, row: row).background.red > 200 }
    guard cells.count == 1 else { return nil }
    let text = Array(screen.text[row])
    return (String(text.prefix(cells[0])), cells[0] < text.count ? String(text[cells[0]]) : " ")
  }
}
