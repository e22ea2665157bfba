import TerminalHarness
import TestSupport
import Testing

/// The effects of keys, read on the screen.
@Suite(.timeLimit(.minutes(10))) struct KeyTests {
  @Test func seeking() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    try run.waitForFrames(0)
    run.process.press(.right)
    try run.waitForFrames(50)
    run.process.press(.up)
    try run.waitForFrames(650)
    run.process.press(.left)
    try run.waitForFrames(600)
    run.process.press(.right, .shift)
    try run.waitForFrames(610)
    run.process.press(.left, .shift)
    try run.waitForFrames(600)
    run.process.press(.down)
    try run.waitForFrames(0)
    run.process.press(.left)
    try run.waitForFrames(0)
    run.process.send(">>>")
    try run.waitForFrames(30)
    run.process.send("<")
    try run.waitForFrames(20)
    run.process.press(.end)
    try run.waitForFrames(1499)
    run.process.press(.home)
    try run.waitForFrames(0)
    for digit in [9, 1, 5, 0] {
      run.process.send("\(digit)")
      try run.waitForFrames(digit * 150)
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
    try run.waitForFrames(200)
    run.process.send(".")
    try run.waitForFrames(201)
    run.process.send("..")
    try run.waitForFrames(203)
    run.process.send(",,,,")
    try run.waitForFrames(199)
    run.process.send("t#0\r")
    try run.waitForFrames(0)
    run.process.send(",")
    try run.waitForFrames(0)
    run.process.press(.end)
    try run.waitForFrames(1499)
    run.process.send(".")
    try run.waitUntilStill()
    try run.waitForFrames(1499)
    // Stepping pauses.
    run.process.press(.home)
    try run.waitForFrames(0)
    run.process.send(" ")
    try run.wait("it moves") { ($0.frameNumber(column: 0, row: 1, width: 64, height: 18) ?? 0) > 3 }
    run.process.send(".")
    try run.waitUntilPaused()
    try run.waitUntilStill()
    let number = try #require(run.frameNumber())
    #expect(run.numbersShown == [number])
    run.process.send(".")
    try run.waitForFrames(number + 1)
    run.quit()
  }

  @Test func heldKeysEndWhereTheyShould() throws {
    let run = try PlayerRun([PlayerClips.timeline()])
    try run.waitUntilMoving()
    for _ in 0..<50 { run.process.press(.right) }
    // It has ended, and so is paused.
    try run.wait("the end") { $0.contains("■ 2:30") }
    run.process.press(.home)
    try run.waitForFrames(0)
    for _ in 0..<50 { run.process.send(".") }
    try run.waitForFrames(50)
    for _ in 0..<20 { run.process.press(.right) }
    try run.waitForFrames(1050)
    for _ in 0..<50 { run.process.send(",") }
    try run.waitForFrames(1000)
    run.quit()
  }

  @Test func playAndPause() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    try run.wait(for: "‖ 0:00.000")
    for key in [" ", "p"] {
      run.process.send(key)
      try run.wait("plays") { $0.contains("►") && !$0.contains("#") }
      run.process.send(key)
      try run.waitUntilPaused()
      #expect(run.screen.contains("‖"))
    }
    run.quit()
  }

  @Test func playingGoesOnWhereverOneWentFromTheEnd() throws {
    let run = try PlayerRun(["--start", "2:28", PlayerClips.timeline()])
    try run.wait("it has ended") { $0.contains("■") }
    run.process.press(.left, .shift)
    try run.waitForFrames(1490)
    #expect(run.screen.contains("‖"))
    run.process.send(" ")
    try run.wait("it plays on") { $0.contains("► 2:29") || $0.contains("■") }
    #expect(!run.screen.contains(" 0:00/"))
    run.quit()
  }

  /// The number of a frame comes with it, in one update, or is marked as approximate.
  @Test(arguments: [",", "."]) func theNumberIsThatOfTheFrame(key: String) throws {
    let run = try PlayerRun(["--paused", PlayerClips.heavyGroup()])
    try run.waitUntilPaused()
    run.process.press(.end)
    try run.waitForFrames(119)
    if key == "." {
      run.process.press(.home)
      try run.waitForFrames(0)
    }
    var wrong: [String] = []
    for _ in 0..<40 {
      run.process.send(key)
      _ = run.process.run(timeout: 0.033) { screen in
        let seen = screen.frameNumber(column: 0, row: 1, width: 64, height: 18)
        let isAbout = screen.contains("≈")
        if !isAbout, let seen, let said = run.numbersShown.first, said != seen { wrong.append("#\(said) over \(seen)") }
        return false
      }
    }
    #expect(wrong.isEmpty)
    try run.waitUntilStill()
    #expect(!run.screen.contains("≈") && run.numbersShown.first == run.frameNumber())
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
        mark.isEmpty ? !screen.contains("×") : screen.text.last?.hasSuffix(mark) ?? false
      }
    }
    run.process.send("t2:10\r}}}} ")
    // At 16 times the speed the end is soon there.
    try run.wait("the end") { $0.contains("■ 2:30") }
    try run.waitForFrames(1499)
    // Playing on at the end begins anew.
    run.process.send(" ")
    try run.wait("it plays again") { $0.contains("►") && !$0.contains("2:30/") }
    run.quit()
  }

  @Test func zoomAndGravity() throws {
    let run = try PlayerRun.pair()
    run.process.send("z")
    try run.wait("zoomed") { $0.contains("1/2 timeline") && !$0.contains(" 2 timeline") }
    run.process.press(.tab)
    try run.wait("the other one") { $0.contains("2/2 timeline") && !$0.contains("1/2 timeline") }
    run.process.send("z")
    try run.wait("both") { $0.contains(" 2 timeline") && $0.contains(" 1 timeline") }
    for name in ["fill", "stretch"] {
      run.process.send("g")
      try run.wait(name) { $0.text[0].contains(name) && $0.contains("frame: \(name)") }
    }
    run.process.send("g")
    try run.wait("fit") { !$0.text[0].contains("stretch") }
    try run.quitAndCompare()
  }

  @Test func loops() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.press(.right)
    try run.waitForFrames(50)
    run.process.send("b")
    try run.wait(for: "A-B loop starts at 0:05.000")
    run.process.press(.right, .shift)
    try run.waitForFrames(60)
    run.process.send("b")
    try run.wait(for: "A-B loop 0:05.000…0:06.000")
    #expect(run.screen.text.last?.contains("A-B") ?? false)
    run.process.send("t5.8\r ")
    try run.wait("it is back at the beginning") { screen in
      (50...53).contains(screen.frameNumber(column: 0, row: 1, width: 64, height: 18) ?? 0)
    }
    run.process.send("b")
    try run.wait("no loop") { !($0.text.last?.contains("A-B") ?? true) && $0.contains("A-B loop off") }
    try run.wait("it goes on behind it") { $0.contains("0:07/") }
    run.process.send("L")
    try run.wait("repeats") { $0.text.last?.contains("repeat") ?? false && $0.contains("repeat on") }
    run.process.send("t2:29.5\r")
    try run.wait("it is back at the beginning") { $0.contains("► 0:00/") }
    run.process.send("L")
    try run.wait("repeats no more") { !($0.text.last?.contains("repeat") ?? true) && $0.contains("repeat off") }
    run.quit()
  }

  @Test func panels() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()], columns: 120, rows: 60)
    try run.waitUntilPaused()
    run.process.send("?")
    for text in ["play, pause", "go to a time or #frame", "f1–f4", "0–9", "wheel", "quit", "Signs"] {
      try run.wait(for: text)
    }
    run.process.send("\u{1B}")
    try run.wait("gone") { !$0.contains("these keys") }
    run.process.send("i")
    try run.wait(for: "fps")
    for text in ["timeline.mp4", "mp4 H.264", "160×90", "10 fps", "frame #0 pts 0", "decoded ", "dropped 0", "B/s"] {
      #expect(run.screen.contains(text), "\(text)\n\(run.screen)")
    }
    run.process.send("i")
    try run.wait("gone") { !$0.contains("fps") }
    run.quit()
  }

  @Test func theHelpIsClosedAndItsPagesTurned() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    func gone() throws { try run.wait("the help is gone") { !$0.contains("Keys") } }
    for key in ["q", "\u{1B}"] {
      run.process.send("?")
      try run.wait(for: "Keys 1/")
      run.process.send(key)
      try gone()
    }
    // The key that opens it turns its pages, and closes the last.
    run.process.send("?")
    try run.wait(for: "Keys 1/")
    let count = try #require(run.screen.text.joined().firstMatch(of: /Keys 1\/(\d+)/).flatMap { Int($0.1) })
    try #require(count >= 3)
    for page in 2...count {
      run.process.send(page == 2 ? "h" : "?")
      try run.wait(for: "Keys \(page)/\(count)")
    }
    run.process.send("?")
    try gone()
    run.process.send("?")
    try run.wait(for: "Keys 1/\(count)")
    run.process.press(.pageDown)
    try run.wait(for: "Keys 2/\(count)")
    run.process.send(String(repeating: " ", count: count))
    try run.wait(for: "Keys \(count)/\(count)")
    run.process.press(.up)
    try run.wait(for: "Keys \(count - 1)/\(count)")
    for _ in 0..<count { run.process.press(.pageUp) }
    try run.wait(for: "Keys 1/\(count)")
    // Other keys do what they do.
    run.process.send(".")
    try run.waitForFrames(1)
    #expect(!run.screen.contains("Keys"))
    run.process.send("?\u{3}")
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
  }

  @Test func aHelpOfOnePageLetsKeysThrough() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()], columns: 129, rows: 60)
    try run.waitUntilPaused()
    run.process.send("?")
    try run.wait(for: "these keys")
    run.process.press(.right)
    try run.wait("it went on and the help is gone") { !$0.contains("these keys") && $0.contains("0:05.000") }
    run.process.send("??")
    try run.waitUntilStill()
    #expect(!run.screen.contains("these keys"))
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
    try run.waitForFrames(50)
    run.process.send("\u{14}")
    try run.waitForFrames(53)
    #expect(run.screen.contains("K keys") && !run.screen.contains("? keys"))
    run.process.send("K")
    try run.wait(for: "Keys 1/")
    run.process.send("K")
    try run.wait(for: "Keys 2/")
    run.process.send("q")
    run.quit()
  }
}
