import Foundation
import TerminalHarness
import TestSupport
import Testing

/// What keys do, read on the screen. In `timeline` picture n is shown at n tenths of a second.
@Suite struct KeyTests {
  private static let twoPanes = (columns: 129, rows: 21)
  private static let second = (column: 65, row: 1)

  /// Two timelines side by side, each in the size that fits.
  private func pair(_ arguments: [String] = []) throws -> PlayerRun {
    let clip = try PlayerClips.timeline()
    let run = try PlayerRun(
      ["--paused", "--layout", "row"] + arguments + [clip, clip], columns: Self.twoPanes.columns)
    try run.waitUntilPaused(panes: 2)
    return run
  }

  /// Waits until the panes show these pictures, in words and in their squares.
  private func expect(
    _ run: PlayerRun, _ numbers: Int..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try run.wait("pictures \(numbers)", sourceLocation: sourceLocation) { screen in
      run.numbersShown == numbers
        && numbers.indices.allSatisfy {
          screen.frameNumber(column: 65 * $0, row: 1, width: 64, height: 18) == numbers[$0]
        }
    }
  }

  @Test func seeking() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    try expect(run, 0)
    run.process.press(.right)
    try expect(run, 50)
    run.process.press(.up)
    try expect(run, 650)
    run.process.press(.left)
    try expect(run, 600)
    run.process.press(.right, .shift)
    try expect(run, 610)
    run.process.press(.left, .shift)
    try expect(run, 600)
    run.process.press(.down)
    try expect(run, 0)
    run.process.press(.left)
    try expect(run, 0)
    run.process.send(">>>")
    try expect(run, 30)
    run.process.send("<")
    try expect(run, 20)
    run.process.press(.end)
    try expect(run, 1499)
    run.process.press(.home)
    try expect(run, 0)
    for digit in [9, 1, 5, 0] {
      run.process.send("\(digit)")
      try expect(run, digit * 150)
    }
    run.quit()
    let seeks = try run.statistics().panes[0].seek_ms
    // Of keys in quick succession some targets are overtaken.
    #expect(seeks.count >= 10)
    #expect(seeks.p50 <= seeks.p95 && seeks.p95 <= seeks.max && seeks.max > 0)
  }

  @Test func stepping() throws {
    let run = try PlayerRun(["--paused", "--start", "20", PlayerClips.timeline()])
    try run.waitUntilPaused()
    try expect(run, 200)
    run.process.send(".")
    try expect(run, 201)
    run.process.send("..")
    try expect(run, 203)
    run.process.send(",,,,")
    try expect(run, 199)
    #expect(run.screen.contains("pts "))
    run.process.send("t#0\r")
    try expect(run, 0)
    run.process.send(",")
    try expect(run, 0)
    run.process.press(.end)
    try expect(run, 1499)
    run.process.send(".")
    try run.waitUntilStill()
    try expect(run, 1499)
    // Stepping pauses.
    run.process.press(.home)
    try expect(run, 0)
    run.process.send(" ")
    try run.wait("it moves") { ($0.frameNumber(column: 0, row: 1, width: 64, height: 18) ?? 0) > 3 }
    run.process.send(".")
    try run.waitUntilPaused()
    try run.waitUntilStill()
    let number = try #require(run.frameNumber())
    #expect(run.numbersShown == [number])
    run.process.send(".")
    try expect(run, number + 1)
    run.quit()
  }

  @Test func heldKeysEndWhereTheyShould() throws {
    let run = try PlayerRun([PlayerClips.timeline()])
    try run.waitUntilMoving()
    for _ in 0..<50 { run.process.press(.right) }
    try run.wait("the end") { $0.contains("2:3") }
    run.process.press(.home)
    run.process.send(" ")
    try run.waitUntilPaused()
    run.process.press(.home)
    try expect(run, 0)
    for _ in 0..<50 { run.process.send(".") }
    try expect(run, 50)
    for _ in 0..<20 { run.process.press(.right) }
    try expect(run, 1050)
    for _ in 0..<50 { run.process.send(",") }
    try expect(run, 1000)
    run.quit()
  }

  @Test func playAndPause() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    #expect(run.screen.contains("‖ 0:00.000"))
    for key in [" ", "p"] {
      run.process.send(key)
      try run.wait("plays") { $0.contains("►") && !$0.contains("#") }
      run.process.send(key)
      try run.waitUntilPaused()
      #expect(run.screen.contains("‖"))
    }
    run.quit()
  }

  @Test func speeds() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    for (key, mark) in [
      ("]", "×1.10"), ("[", ""), ("}", "×2.00"), ("}", "×4.00"), ("}}}", "×16.00"), ("{", "×8.00"),
      ("\u{7F}", ""), ("{", "×0.50"), ("{{{{{{", "×0.05"), ("\u{7F}", ""),
    ] {
      run.process.send(key)
      try run.wait("speed \(mark)") { screen in
        mark.isEmpty ? !screen.text[0].contains("×") : screen.text[0].hasSuffix(mark)
      }
    }
    run.process.send("t2:10\r}}}} ")
    // At 16 times the speed the end is soon there.
    try run.wait("the end") { $0.contains("■ 2:30") }
    try expect(run, 1499)
    // Playing on at the end begins anew.
    run.process.send(" ")
    try run.wait("it plays again") { $0.contains("►") && !$0.contains("2:30/") }
    run.quit()
  }

  @Test func focusAndLink() throws {
    let run = try pair()
    #expect(run.screen.contains("1/2  all panes"))
    run.process.press(.right)
    try expect(run, 50, 50)
    run.process.send("a")
    try run.wait(for: "focused pane only")
    run.process.press(.right)
    try expect(run, 100, 50)
    run.process.press(.tab)
    try run.wait("the second has the focus") {
      $0.text.last?.contains("2/2") ?? false || $0.contains("keys steer")
    }
    run.process.press(.right, .shift)
    try expect(run, 100, 60)
    for (keys, expected) in [
      ("\u{1B}1", [110, 60]), ("\u{1B}2", [110, 70]), ("n", [120, 70]), ("N", [120, 80]),
    ] {
      run.process.send(keys)
      run.process.press(.right, .shift)
      try expect(run, expected[0], expected[1])
    }
    run.process.press(.function(1))
    run.process.press(.right, .shift)
    try expect(run, 130, 80)
    run.process.press(.tab, .shift)
    run.process.press(.right, .shift)
    try expect(run, 130, 90)
    run.process.press(.function(2))
    run.process.press(.function(3))  // There is none; the focus stays.
    run.process.press(.right, .shift)
    try expect(run, 130, 100)
    // Linked again, each goes on from where it is.
    run.process.send("a")
    try run.wait(for: "keys steer all panes")
    run.process.press(.right)
    try expect(run, 180, 150)
    run.process.send("..")
    try expect(run, 182, 152)
    run.process.send("5")
    try expect(run, 750, 750)
    try run.quitAndCompare()
  }

  /// Two panes of which the first is 50 pictures ahead, and that are to stay so.
  private func alignedPair() throws -> PlayerRun {
    let run = try pair()
    run.process.send("a")
    try run.wait(for: "focused pane only")
    run.process.press(.right)
    try expect(run, 50, 0)
    run.process.send("a=")
    try run.wait(for: "panes aligned")
    return run
  }

  @Test func alignment() throws {
    let run = try alignedPair()
    // Absolute positions count for the focused pane; the other keeps its distance.
    run.process.send("5")
    try expect(run, 750, 700)
    run.process.press(.right)
    try expect(run, 800, 750)
    run.process.send("t10\r")
    try expect(run, 100, 50)
    run.process.send("=")
    try run.wait(for: "alignment released")
    run.process.send("5")
    try expect(run, 750, 750)
    run.quit()
  }

  @Test func alignmentSurvivesTheEdges() throws {
    let run = try alignedPair()
    run.process.press(.home)
    try expect(run, 0, 0)
    run.process.press(.right)
    try expect(run, 50, 0)
    run.process.press(.right)
    try expect(run, 100, 50)
    run.quit()
  }

  @Test func zoomAndGravity() throws {
    let run = try pair()
    run.process.send("z")
    try run.wait("zoomed") { $0.contains("zoomed") && !$0.contains(" 2 timeline") }
    run.process.press(.tab)
    try run.wait("the other one") { $0.contains("2 timeline") && !$0.contains("1 timeline") }
    run.process.send("z")
    try run.wait("both") { $0.contains("2 timeline") && $0.contains("1 timeline") }
    for name in ["fill", "stretch"] {
      run.process.send("g")
      try run.wait(name) { $0.text[0].contains(name) && $0.contains("picture: \(name)") }
    }
    run.process.send("g")
    try run.wait("fit") { !$0.text[0].contains("stretch") }
    try run.quitAndCompare()
  }

  @Test func loops() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.press(.right)
    try expect(run, 50)
    run.process.send("b")
    try run.wait(for: "A-B loop begins at 0:05.000")
    run.process.press(.right, .shift)
    try expect(run, 60)
    run.process.send("b")
    try run.wait(for: "A-B loop 0:05.000…0:06.000")
    #expect(run.screen.text[0].contains("A-B"))
    run.process.send("t5.8\r ")
    try run.wait("it is back at the beginning") { screen in
      (50...53).contains(screen.frameNumber(column: 0, row: 1, width: 64, height: 18) ?? 0)
    }
    run.process.send("b")
    try run.wait("no loop") { !$0.text[0].contains("A-B") && $0.contains("A-B loop off") }
    try run.wait("it goes on behind it") { $0.contains("0:07/") }
    run.process.send("L")
    try run.wait("repeats") { $0.text[0].contains("loop") && $0.contains("repeat on") }
    run.process.send("t2:29.5\r")
    try run.wait("it is back at the beginning") { $0.contains("► 0:00/") }
    run.process.send("L")
    try run.wait("repeats no more") { !$0.text[0].contains("loop") && $0.contains("repeat off") }
    run.quit()
  }

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
      try expect(run, number)
    }
    run.process.send("tsoon\r")
    try run.wait(for: "\"soon\" is no time")
    try expect(run, 777)
    run.process.send("t-5\r")
    try run.wait(for: "\"-5\" is no time")
    run.quit()
  }

  @Test func pastesGoIntoPromptsOnly() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.send("\u{1B}[200~q59\r\u{1B}[201~")
    run.process.press(.right)
    try expect(run, 50)
    run.process.send("t\u{1B}[200~1:00\nq\u{1B}[201~")
    try run.wait(for: "1:00▏")
    run.process.send("\r")
    try expect(run, 600)
    run.quit()
  }

  @Test func panels() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()], columns: 100, rows: 40)
    try run.waitUntilPaused()
    run.process.send("?")
    try run.wait(for: "these keys")
    for text in ["play, pause", "go to a time or #frame", "alt-1", "f1", "wheel: scrub", "quit"] {
      #expect(run.screen.contains(text), "\(text)\n\(run.screen)")
    }
    run.process.send("\u{1B}")
    try run.wait("gone") { !$0.contains("these keys") }
    run.process.send("i")
    try run.wait(for: "fps")
    for text in ["H.264", "160×90", "10 fps", "decoded ", "skipped 0", "B/s"] {
      #expect(run.screen.contains(text), "\(text)\n\(run.screen)")
    }
    run.process.send("i")
    try run.wait("gone") { !$0.contains("fps") }
    run.quit()
  }

  @Test func rebinding() throws {
    let folder = try TemporaryFolder()
    let settings = folder.path("s.yaml")
    let keys = "  x: seek 5\n  right: none\n  ctrl-t: step 3\n  \"?\": none\n  h: none\n  K: help\n"
    try "defaults:\n  paused: yes\nkeys:\n\(keys)".write(
      toFile: settings, atomically: true, encoding: .utf8)
    let run = try PlayerRun(["--settings", settings, PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.press(.right)
    run.process.send("x")
    try expect(run, 50)
    run.process.send("\u{14}")
    try expect(run, 53)
    #expect(run.screen.contains("K keys") && !run.screen.contains("? keys"))
    run.process.send("K")
    try run.wait(for: "Keys 1/2")
    run.quit()
  }
}

@Suite struct MouseTests {
  private func expect(_ run: PlayerRun, _ number: Int, tolerance: Int = 0) throws {
    try run.wait("picture \(number)") { screen in
      guard let seen = screen.frameNumber(column: 0, row: 1, width: 64, height: 18) else { return false }
      return abs(seen - number) <= tolerance
    }
  }

  @Test func clicksDragsAndTheWheel() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    let row = 19
    run.process.mouse(.wheelUp, column: 10, row: 5)
    try expect(run, 10)
    run.process.mouse(.wheelDown, column: 10, row: 5)
    try expect(run, 0)
    run.process.mouse(.press(1), column: 63, row: row)
    run.process.mouse(.release(1), column: 63, row: row)
    try run.wait("near the end") { screen in
      (screen.frameNumber(column: 0, row: 1, width: 64, height: 18) ?? 0) > 1400
    }
    // A drag goes on where the button was pressed, also outside the bar, until it is released.
    run.process.mouse(.press(1), column: 50, row: row)
    for column in stride(from: 49, through: 20, by: -1) { run.process.mouse(.move, column: column, row: 3) }
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
    try run.wait(for: "2/2")
    run.process.press(.right)
    try run.wait("the second moved") { _ in run.numbersShown == [0, 50] }
    run.process.mouse(.wheelUp, column: 10, row: 5)
    try run.wait("the first moved") { _ in run.numbersShown == [10, 50] }
    #expect(run.screen.contains("1/2"))
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
