import TerminalHarness
import TestSupport
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

  /// What the terminal answers meanwhile must not keep it alive.
  @Test func aPasteWithoutAnEndLeavesTheKeyboard() throws {
    let run = try PlayerRun([PlayerClips.timeline()])
    try run.waitUntilMoving()
    run.process.send("\u{1B}[200~x")
    run.process.run(seconds: 5.5)
    run.process.send("q")
    #expect(run.process.runUntilExit(timeout: 5) == .exited(0))
    let other = try PlayerRun([PlayerClips.timeline()])
    try other.waitUntilMoving()
    other.process.send("\u{1B}[200~x")
    other.process.send("\u{3}")
    #expect(other.process.runUntilExit(timeout: 3) == .exited(0))
    other.expectRestored()
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

  /// 30 frames a second begin at times that no decimals give exactly.
  @Test func theTimeOfAFrameLeadsBackToIt() throws {
    let clip = try SampleMedia.clip(
      name: "thirty.mp4",
      arguments: SampleMedia.numbered(seconds: 5) + ["-c:v", "libx264", "-preset", "veryfast", "-g", "60"])
    let run = try PlayerRun(["--paused", clip])
    try run.waitUntilPaused()
    for number in [101, 100, 1, 149, 62] {
      run.process.send("t#\(number)\r")
      try run.wait("the frame") { $0.contains("#\(number)") && !$0.contains("≈") }
      let text = try #require(run.screen.text.joined().firstMatch(of: /‖ (\d+:\d\d\.\d+)/)?.1)
      run.process.press(.home)
      try run.wait(for: "#0")
      run.process.send("t\(text)\r")
      try run.wait("where \(text) leads") { $0.contains("#\(number)") && $0.contains("‖ \(text)") }
    }
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
    try run.wait(for: "1:00▏")
    run.process.send("\r")
    try run.waitForPictures(600)
    run.quit()
  }
}
