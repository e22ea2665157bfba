import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Text typed into a line.
@Suite(.timeLimit(.minutes(10))) struct PromptTests {
  @Test func openAndClose() throws {
    let folder = try TemporaryFolder()
    let spaced = try PlayerClips.copy(in: folder, named: "a clip with spaces.mp4")
    let run = try PlayerRun(["--paused", PlayerClips.timeline()]) { $0.environment["HOME"] = folder.path }
    try run.waitUntilPaused()
    run.process.send("o\(spaced)\r")
    try run.wait("it is there") {
      $0.contains("2 a clip") && $0.contains("1 timeline") && run.numbersShown == [0, 0]
    }
    run.process.send("c")
    try run.wait("it is gone") { run.numbersShown == [0] && !$0.contains("a clip") }
    run.process.send("o~/a clip with spaces.mp4\r")
    try run.wait("it is there") { $0.contains("2 a clip") }
    // Relative to where the program was started; quitting letters are only letters here.
    run.process.send("o./q.mp4\r")
    try run.wait("it says why, and the name can be corrected") {
      $0.contains("./q.mp4: no such file") && $0.contains("Open clip: ./q.mp4 ") && $0.contains("2 a clip")
    }
    run.process.send("\u{15}\(spaced)\r")
    try run.wait(for: "3 a clip")
    run.process.send("o\(spaced)\r")
    try run.wait(for: "4 a clip")
    run.process.send("o")
    try run.wait("it says why") { $0.contains("four clips are already open") && $0.contains("added") && $0.contains("Open clip: ") }
    run.process.send("\(spaced)\r")
    try run.wait("no fifth") { $0.contains("four clips are already open; c closes") && !$0.contains("Open clip") }
    run.process.send("coxyz")
    try run.wait(for: "Open clip: xyz")
    run.process.send("\u{1B}")
    try run.wait("the prompt is gone") { !$0.contains("Open clip") && !$0.contains("xyz") }
    run.process.send("cccc")
    try run.wait(for: "No clip.")
    // Keys that need a clip do no harm.
    run.process.send(" ,.[]{}azgbL=ti=5")
    run.process.press(.right)
    run.process.send("o\(spaced)\r")
    try run.wait("it plays") { $0.contains("a cli") && $0.contains("►") }
    run.quit()
    #expect(try run.statistics().panes.count >= 6)
  }

  /// A clip that is opened beside others does what they do.
  @Test func aFurtherClipPausesOrPlaysWithTheOthers() throws {
    let clip = try PlayerClips.timeline()
    let run = try PlayerRun(["--paused", "--layout", "row", clip], columns: 129)
    try run.waitUntilPaused()
    run.process.send("t#70\r")
    try run.wait("there") { _ in run.numbersShown == [70] }
    run.process.send("o\(clip)\r")
    try run.waitForFrames(70, 0)
    try run.wait(for: "‖ 0:00.000")
    run.process.send("c")
    try run.wait("one is left") { _ in run.numbersShown == [70] }
    run.process.send(" ")
    try run.wait("it plays") { $0.contains("►") }
    run.process.send("o\(clip)\r")
    try run.wait("both play") { $0.text.joined().filter { $0 == "►" }.count == 2 }
    run.process.send("c o\(clip)\r")
    try run.waitUntilPaused(panes: 2)
    // Keys for one pane only leave the others alone.
    run.process.send("cao\(clip)\r")
    try run.wait("the new one plays") { $0.text.joined().filter { $0 == "►" }.count == 1 && $0.contains("2 timeline") }
    run.quit()
  }

  @Test func whatCannotBePlayedGetsNoPane() throws {
    let folder = try TemporaryFolder()
    let run = try PlayerRun(["--paused", PlayerClips.timeline()]) { $0.directory = folder.path }
    try run.waitUntilPaused()
    try "text".write(toFile: folder.path("a.mp4"), atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: false)
    for (name, reason) in [
      ("a.mp4", "a.mp4: is"), ("empty", "empty: is a folder without clips"), (".", "./a.mp4: is"),
    ] {
      run.process.send("o\(name)\r")
      try run.wait("it says why") { $0.contains(reason) && $0.contains("Open clip: ") && !$0.contains(" 2 ") }
      run.process.send("\u{1B}")
      try run.wait("the prompt is gone") { !$0.contains("Open clip") && run.numbersShown == [0] }
    }
    run.quit()
    #expect(try run.statistics().panes.count == 1)
  }

  @Test func openingIsCalledOff() throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.path("slow"), 0o600) == 0)
    let run = try PlayerRun(["--paused", PlayerClips.timeline()]) { $0.directory = folder.path }
    try run.waitUntilPaused()
    run.process.send("oslow\r")
    try run.wait(for: "opening slow…")
    // Meanwhile all goes on.
    run.process.press(.right)
    try run.waitForFrames(50)
    #expect(run.screen.contains("opening slow…"))
    run.process.send("\u{1B}")
    try run.wait("it is called off") { !$0.contains("opening") && run.numbersShown == [50] }
    run.quit()
  }

  /// Names that are typed while another clip is being opened are names, and no keys.
  @Test func namesMayFollowEachOther() throws {
    let folder = try TemporaryFolder()
    for name in ["q one.mp4", "two.mp4"] { _ = try PlayerClips.copy(in: folder, named: name) }
    try #require(mkfifo(folder.path("slow"), 0o600) == 0)
    let run = try PlayerRun(["--paused", PlayerClips.timeline()]) { $0.directory = folder.path }
    try run.waitUntilPaused()
    run.process.send("oq one.mp4\rotwo.mp4\r")
    try run.wait("both in their order") { $0.contains("2 q one") && $0.contains("3 two") }
    // Behind one that does not come to an end, too; esc calls both off.
    run.process.send("cc")
    try run.wait("they are gone") { run.numbersShown == [0] && !$0.contains("two") }
    run.process.send("oslow\roq one.mp4\r")
    try run.wait(for: "opening slow…")
    run.process.send("oquit")
    try run.wait(for: "Open clip: quit")
    run.process.send("\u{1B}\u{1B}")
    try run.wait("all is called off") { !$0.contains("opening") && !$0.contains("Open clip") && run.numbersShown == [0] }
    run.quit()
  }

  /// Answers of the terminal in the meantime must not keep the paste alive.
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

  @Test func namesAreCompleted() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("films of '24"), withIntermediateDirectories: true)
    for name in ["films of '24/red 1.mp4", "films of '24/red 2.mp4", "films of '24/.red 3.mp4", "notes.txt"] {
      _ = try PlayerClips.copy(in: folder, named: name)
    }
    let run = try PlayerRun(["--paused", PlayerClips.timeline()]) { $0.environment["HOME"] = folder.path }
    try run.waitUntilPaused()
    run.process.send("o~/f\t")
    try run.wait(for: ": ~/films of '24/ ")
    run.process.send("\t")
    try run.wait("the names are shown, what they have in common is typed") {
      $0.contains("red 1.mp4  red 2.mp4") && $0.contains(": ~/films of '24/red  ") && !$0.contains("red 3")
    }
    run.process.send("\t\t")
    try run.wait(for: ": ~/films of '24/red 2.mp4 ")
    run.process.press(.tab, .shift)
    try run.wait(for: ": ~/films of '24/red 1.mp4 ")
    run.process.send("\r")
    try run.wait("it is there") { _ in run.numbersShown == [0, 0] }
    #expect(run.screen.contains("red 1.mp4"))
    run.process.send("onothing/x\t")
    try run.wait(for: "nothing/: cannot be listed: no such file")
    run.process.send("\u{1B}")
    try run.wait("the prompt is gone") { !$0.contains("Open clip") }
    run.quit()
  }

  @Test func whatWasTypedIsKeptFromRunToRun() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.copy(in: folder, named: "a.mp4")
    for isFirst in [true, false] {
      let run = try PlayerRun(["--paused", clip]) { $0.environment["XDG_STATE_HOME"] = folder.path("state") }
      try run.waitUntilPaused()
      if isFirst {
        run.process.send("t#7\r")
        try run.wait("there") { _ in run.numbersShown == [7] }
        run.process.send("t#9\r")
        try run.wait("there") { _ in run.numbersShown == [9] }
        run.process.send("o\(clip)\r")
        try run.wait("two") { _ in run.numbersShown == [9, 0] }
      } else {
        run.process.send("tx")
        // The history is read when it is wanted first.
        try run.wait("the last line") { screen in
          run.process.press(.down)
          run.process.press(.up)
          return screen.contains(": #9 ")
        }
        run.process.press(.up)
        try run.wait(for: ": #7 ")
        run.process.press(.down)
        run.process.press(.down)
        try run.wait(for: ": x ")
        run.process.press(.up)
        run.process.press(.up)
        run.process.send("\r")
        try run.wait("there") { _ in run.numbersShown == [7] }
      }
      run.quit()
    }
    let kept = try String(contentsOfFile: folder.path("state/quadrille/history"), encoding: .utf8)
    #expect(kept == "goto #7\ngoto #9\nopen \(clip)\ngoto #7\n")
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
      try run.waitForFrames(number)
    }
    // What is no place comes back to be corrected.
    run.process.send("tsoon\r")
    try run.wait("it says why") { $0.contains("\"soon\" is not a time, #frame") && $0.contains(": soon ") }
    run.process.send("\u{15}1\r")
    try run.waitForFrames(10)
    run.quit()
  }

  @Test func goingFromWhereEachPaneIs() throws {
    let run = try PlayerRun.pair()
    run.process.send("a")
    try run.wait(for: "this pane only")
    run.process.send("t20\r")
    try run.waitForFrames(200, 0)
    run.process.send("a")
    try run.wait(for: "all panes")
    for (text, first, second) in [
      ("+5", 250, 50), ("-2.5", 225, 25), ("+10f", 235, 35), ("-2f", 233, 33), ("+0:01.5", 248, 48),
      ("-100f", 148, 0), ("50%", 750, 750), ("-0:10", 650, 650), ("100%", 1499, 1499), ("-9f", 1490, 1490),
      ("+99f", 1499, 1499), ("12.5%", 187, 187),
    ] {
      run.process.send("t\(text)\r")
      try run.waitForFrames(first, second)
    }
    run.quit()
  }

  @Test func framesThatThereAreNot() throws {
    let run = try PlayerRun(["--paused", PlayerClips.short()])
    try run.waitUntilPaused()
    // Until the index is complete, nobody knows which frame is the last.
    run.process.send("i")
    try run.wait(for: "60 frames indexed")
    run.process.send("i")
    run.process.send("t#59\r")
    try run.waitForFrames(59)
    run.process.send("t#7\r")
    try run.waitForFrames(7)
    run.process.send("t#60\r")
    try run.wait(for: "the clip has 60 frames (#0–#59)")
    try run.waitUntilStill()
    try run.waitForFrames(7)
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
    // Ten frames a second in 25: each comes two or three times.
    let run = try PlayerRun(["--paused", PlayerClips.rawTimeline()])
    try run.wait(for: "/2:30")
    run.process.send("t#3001\r")
    try run.wait("frame 3001, which shows 1200") { screen in
      run.numbersShown == [3001] && screen.frameNumber(column: 0, row: 1, width: 64, height: 18) == 1200
    }
    run.quit()
  }

  @Test func pastesGoIntoPromptsOnly() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.send("\u{1B}[200~q59\r\u{1B}[201~")
    run.process.press(.right)
    try run.waitForFrames(50)
    run.process.send("t\u{1B}[200~1:00\nq\u{1B}[201~")
    try run.wait(for: "): 1:00 ")
    run.process.send("\r")
    try run.waitForFrames(600)
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
    try run.waitForFrames(12)
    run.quit()
  }

  /// Returns the text in the prompt's row before the cursor's cell, the only bright one there, and in it.
  private func cursor(_ screen: EmulatorScreen) -> (before: String, under: String)? {
    guard let row = screen.find("Go to")?.row else { return nil }
    let cells = (0..<screen.columns).filter { screen.shownColors(column: $0, row: row).background.red > 200 }
    guard cells.count == 1 else { return nil }
    let text = Array(screen.text[row])
    return (String(text.prefix(cells[0])), cells[0] < text.count ? String(text[cells[0]]) : " ")
  }
}
