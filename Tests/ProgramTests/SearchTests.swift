import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Words that are looked for in subtitles, and subtitles that are images, read on the screen.
@Suite(.timeLimit(.minutes(10))) struct SearchTests {
  private func words() throws -> String {
    let lines = ["The first café", "Nothing", "a CAFE\nagain", "more", "the last Café of all"]
    let text = lines.enumerated().map { "\($0 + 1)\n00:00:\(10 + 10 * $0),000 --> 00:00:\(12 + 10 * $0),000\n\($1)\n\n" }.joined()
    return try SampleMedia.file(name: "cafe.srt", key: [text]) { try Data(text.utf8).write(to: URL(fileURLWithPath: $0)) }
  }

  /// In the narrowest screen, and without colours, the places that are found are seen, too.
  @Test(arguments: [20, 40], ["mono", "8", "16"]) func inFewColumnsAndColors(columns: Int, depth: String) throws {
    let run = try PlayerRun(
      ["--paused", "--colors", depth, "--subs", words(), PlayerClips.timeline()], columns: columns, rows: 24)
    try run.waitUntilPaused()
    run.process.send("/cafe\r")
    try run.wait("the first") { $0.contains("\"cafe\": 1/3") && $0.contains("#100 ") }
    run.process.send("n")
    try run.wait("the next") { $0.contains("\"cafe\": 2/3") && $0.contains("#300 ") && $0.contains("again") }
    try run.quitAndCompare()
  }

  /// Words typed before the clip's subtitles are known are searched for once they are.
  @Test func wordsTypedWhileTheClipIsBeingOpened() throws {
    let run = try PlayerRun(["--paused", "--subs", words(), PlayerClips.timeline()], columns: 80, rows: 24)
    run.process.send("/cafe\r")
    try run.wait("the first") { $0.contains("\"cafe\": 1/3") && $0.contains("#100 ") && $0.contains("The first café") }
    try run.quitAndCompare()
  }

  @Test func wordsAreFound() throws {
    let run = try PlayerRun(["--paused", "--subs", words(), PlayerClips.timeline()], columns: 80, rows: 24)
    try run.waitUntilPaused()
    run.process.send("/cafe\r")
    try run.wait("the first") { $0.contains("\"cafe\": 1/3") && $0.contains("#100 ") && $0.contains("The first café") }
    run.process.send("n")
    try run.wait("the next") { $0.contains("\"cafe\": 2/3") && $0.contains("#300 ") && $0.contains("again") }
    run.process.send("nn")
    try run.wait("round") { $0.contains("\"cafe\": 1/3") && $0.contains("#100 ") }
    run.process.send("N")
    try run.wait("back") { $0.contains("\"cafe\": 3/3") && $0.contains("#500 ") }
    // From wherever one has gone meanwhile.
    run.process.send("t20\rn")
    try run.wait("from there") { $0.contains("\"cafe\": 2/3") && $0.contains("#300 ") }
    // What comes later is found later.
    run.process.send("XXXXXn")
    try run.wait("with the delay") { $0.contains("\"cafe\": 2/3") && $0.contains("#305 ") }
    run.process.send("\u{1B}")
    try run.wait("ended") { !$0.contains("\"cafe\"") }
    // What was typed is kept, and what is not said is said so.
    run.process.send("/")
    try run.wait(for: "Find in subtitles:")
    run.process.press(.up)
    run.process.send("x\r")
    try run.wait(for: "\"cafex\": not found")
    run.process.send("\u{1B}")
    try run.wait("ended") { !$0.contains("cafex") }
    try run.quitAndCompare()
  }

  @Test func withoutSubtitlesThereIsNothingToFind() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.send("/")
    try run.wait("an answer") { $0.contains("this clip has no text subtitles") || $0.contains("Find in subtitles:") }
    // Files beside the clip were still being looked for.
    if run.screen.contains("Find in subtitles:") {
      run.process.send("x\r")
      try run.wait(for: "this clip has no text subtitles")
    }
    run.quit()
  }

  /// Four seconds of blue with subtitles that are images, which are chosen by themselves.
  private func clip(_ name: String, size: String, _ pgs: PGSFile, codec: String = "copy") throws -> String {
    let file = try pgs.file(named: "\(name).sup")
    return try SampleMedia.clip(
      name: "\(name).mkv",
      arguments: [
        "-f", "lavfi", "-i", "color=0x000030:s=\(size):r=10:d=4", "-itsoffset", "1", "-i", file, "-map", "0", "-map", "1", "-c:v",
        "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:s", codec, "-disposition:s", "default",
      ])
  }

  /// A white box over blue, where and when the file says, at every depth.
  @Test(arguments: ["24bit", "256", "16", "8", "mono"]) func imagesAreSeen(colors: String) throws {
    var pgs = PGSFile(width: 160, height: 90)
    pgs.show(at: 1, x: 70, y: 70, width: 20, height: 10)
    pgs.clear(at: 2)
    let clip = try self.clip("box", size: "160x90", pgs)
    let run = try PlayerRun(["--paused", "--colors", colors, clip], columns: 80, rows: 24)
    try run.waitUntilPaused()
    // The frame has 80×45 half cells; its box, twice as large as it was made, lies in rows 15 to 19, columns 30 to 49.
    func brightness(_ screen: EmulatorScreen, _ x: Int) -> Int {
      let part = ScreenPixels(screen).part(x: x, y: 36, width: 8, height: 3)
      return part.bytes.reduce(0) { $0 + Int($1) } / part.bytes.count
    }
    func hasBox(_ screen: EmulatorScreen) -> Bool { brightness(screen, 40) > 150 && brightness(screen, 6) < 90 }
    try run.wait("chosen by itself, not yet") { !hasBox($0) && $0.contains("#0") }
    run.process.send("t#10\r")
    try run.wait("the box") { hasBox($0) && $0.contains("#10 ") }
    run.process.send(",")
    try run.wait("before it") { !hasBox($0) && $0.contains("#9 ") }
    run.process.send("t#19\r")
    try run.wait("its last frame") { hasBox($0) && $0.contains("#19 ") }
    run.process.send("V")
    try run.wait("hidden") { !hasBox($0) }
    run.process.send("V")
    try run.wait("again") { hasBox($0) }
    run.process.send(".")
    try run.wait("gone") { !hasBox($0) && $0.contains("#20 ") }
    // A later beginning, while it stands.
    run.process.send("X")
    try run.wait("later") { hasBox($0) }
    run.process.send("v")
    try run.wait("none") { !hasBox($0) && $0.contains("subtitles off") }
    try run.quitAndCompare()
  }

  /// The images of broadcasts and discs, which are coded in other ways.
  @Test(arguments: ["dvbsub", "dvdsub"]) func imagesOfBroadcastsAndDiscs(codec: String) throws {
    var pgs = PGSFile(width: 720, height: 576)
    pgs.show(at: 1, x: 320, y: 450, width: 80, height: 60)
    pgs.clear(at: 2)
    let clip = try self.clip("box-\(codec)", size: "720x576", pgs, codec: codec)
    let run = try PlayerRun(["--paused", "--start", "#10", clip], columns: 80, rows: 24)
    try run.waitUntilPaused()
    // The frame has 58×46 half cells behind 11 columns: its box is in the middle, near the bottom.
    func brightness(_ screen: EmulatorScreen, _ x: Int) -> Int {
      let part = ScreenPixels(screen).part(x: x, y: 37, width: 2, height: 2)
      return part.bytes.reduce(0) { $0 + Int($1) } / part.bytes.count
    }
    try run.wait("the box") { brightness($0, 39) > 150 && brightness($0, 20) < 90 }
    run.process.send("V")
    try run.wait("hidden") { brightness($0, 39) < 90 }
    try run.quitAndCompare()
  }

  /// A line of a film's subtitles in panes that are far too small for it: what would be a smear is left out, what is a little larger
  /// is seen, and the reason is told. A short one is seen in the same pane.
  @Test(
    arguments: [
      (20, 1200, "see"), (36, 1200, "see"), (36, 400, "read"), (100, 1200, "read"), (20, 160, "read"), (36, 160, nil),
    ] as [(Int, Int, String?)])
  func imagesThatCannotBeReadAreToldOf(columns: Int, width: Int, what: String?) throws {
    var pgs = PGSFile(width: 1920, height: 1080)
    pgs.show(at: 1, x: 960 - width / 2, y: 960, width: width, height: 50)
    pgs.clear(at: 3)
    let clip = try self.clip("line\(width)", size: "192x108", pgs)
    let run = try PlayerRun(["--paused", "--start", "1.5", "--colors", "24bit", clip], columns: columns, rows: 40)
    func words(_ screen: EmulatorScreen) -> String { screen.text.joined(separator: " ").split(separator: " ").joined(separator: " ") }
    /// Returns true if something in the frame besides words is brighter than its blue.
    func isSeen(_ screen: EmulatorScreen) -> Bool {
      let pixels = ScreenPixels(screen)
      // The middle column, in the rows of the frame's lower half.
      let height = columns * 9 / 16, top = pixels.height / 2
      return (top..<top + height / 2).contains { y in pixels.part(x: columns / 2, y: y, width: 1, height: 1).bytes[0] > 120 }
    }
    try run.wait("the box is seen, or left out") { screen in
      screen.contains("#15 ") && isSeen(screen) == (what != "see")
        && (what.map { words(screen).contains("image subtitles are too small to \($0) here") } ?? true)
    }
    if what == nil { #expect(!words(run.screen).contains("too small")) }
    try run.quitAndCompare()
  }

  /// In the narrowest panes, too.
  @Test(arguments: [20, 24, 26, 33, 40]) func silenceIsSaid(columns: Int) throws {
    let clip = try SampleMedia.clip(name: "low.flac", arguments: ["-f", "lavfi", "-i", "sine=frequency=440:duration=3"])
    let run = try PlayerRun(["--paused", clip], columns: columns, rows: 12)
    try run.wait("that nothing is heard") { $0.contains("silent") && $0.contains("‖") }
    try run.quitAndCompare()
  }

  @Test func aCoverIsSeen() throws {
    let cover = try SampleMedia.clip(name: "cover.png", arguments: ["-f", "lavfi", "-i", "color=red:s=160x90", "-frames:v", "1"])
    let clip = try SampleMedia.clip(
      name: "covered.m4a",
      arguments: [
        "-f", "lavfi", "-i", "sine=frequency=440:duration=8", "-i", cover, "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v",
        "attached_pic",
      ])
    let run = try PlayerRun(["--paused", "--colors", "24bit", clip], columns: 80, rows: 24)
    func isRed(_ screen: EmulatorScreen) -> Bool {
      let bytes = ScreenPixels(screen).part(x: 30, y: 16, width: 20, height: 10).bytes
      return stride(from: 0, to: bytes.count, by: 3).allSatisfy { bytes[$0] > 200 && bytes[$0 + 1] < 40 && bytes[$0 + 2] < 40 }
    }
    try run.wait("the cover, and that nothing is heard") { isRed($0) && $0.contains("silent") && $0.contains("#0 ") }
    run.process.send("t4\r")
    try run.wait("the cover, later") { isRed($0) && $0.contains("#100 ") }
    run.process.send("_")
    try run.wait(for: "this clip has no video")
    try run.quitAndCompare()
  }

  @Test func soundIsSeen() throws {
    let clip = try SampleMedia.clip(
      name: "seen.flac", arguments: ["-f", "lavfi", "-i", "aevalsrc='if(gte(t,2),0.9*sin(880*PI*t),0)':s=44100:d=8"])
    let run = try PlayerRun(["--paused", "--colors", "24bit", clip], columns: 100, rows: 24)
    try run.wait("silence") { $0.contains("silent") && $0.contains("0:00.000/0:08 #0") }
    // The image is 46 half cells high and 82 columns wide, from column 9 on: 4 s of sound, the present in the middle.
    func isLoud(_ screen: EmulatorScreen, _ second: Double, of present: Double) -> Bool {
      let x = 9 + Int(82 * (second - present + 2) / 4)
      let bytes = ScreenPixels(screen).part(x: x, y: 16, width: 1, height: 1).bytes
      return bytes[2] > 120
    }
    func isSeen(_ screen: EmulatorScreen, at present: Double) -> Bool {
      [-1.7, -0.8, -0.2, 0.3, 0.9, 1.8].allSatisfy { isLoud(screen, present + $0, of: present) == (present + $0 > 2) }
        && ScreenPixels(screen).part(x: 9 + 41, y: 6, width: 1, height: 30).bytes.allSatisfy { $0 > 200 }
    }
    /// Returns the number of filled cells of the bar.
    func played(_ screen: EmulatorScreen) -> Int { screen.text.last?.filter { $0 == "█" }.count ?? 0 }
    try run.wait("silence, then sound") { isSeen($0, at: 0) }
    let beginning = played(run.screen)
    run.process.send("t3\r")
    try run.wait("silence goes") { $0.contains("#75 ") && isSeen($0, at: 3) }
    run.process.send("t4\r")
    try run.wait("it is loud all over") { $0.contains("#100 ") && isSeen($0, at: 4) }
    let middle = played(run.screen)
    #expect(beginning <= 1 && middle >= 8, "\(beginning) \(middle)\n\(run.screen)")
    run.process.send(".")
    try run.wait(for: "#101 ")
    run.process.send("s")
    try run.wait(for: "cannot save a frame: this clip has no video")
    run.process.send("T")
    try run.wait(for: "Sound")
    run.process.send("T ")
    try run.wait("it plays") { $0.contains("►") }
    run.process.press(.end)
    try run.wait(for: "0:08")
    run.quit()
  }
}
