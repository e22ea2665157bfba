import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Subtitles, as they are read on the screen.
@Suite(.timeLimit(.minutes(10))) struct SubtitleTests {
  /// Ten frames a second: of every ten frames the last seven say which they are, but for some that say nothing.
  private static func words(ofFrame number: Int) -> String? {
    let group = number / 10
    return number % 10 < 3 || group % 4 == 3 ? nil : "Said of \(group)."
  }

  private static func time(_ tenths: Int) -> String {
    let (seconds, rest) = (tenths / 10, tenths % 10)
    return String(format: "%02d:%02d:%02d,%03d", seconds / 3600, seconds / 60 % 60, seconds % 60, rest * 100)
  }

  private static let script = (0..<150).filter { $0 % 4 != 3 }.map { group in
    "\(group + 1)\n\(time(10 * group + 3)) --> \(time(10 * group + 10))\nSaid of \(group).\n\n"
  }.joined()

  /// A copy of the timeline in a folder of its own, with files beside it.
  private static func clip(in folder: TemporaryFolder, _ files: [String: String]) throws -> String {
    let path = folder.path("clip.mp4")
    try FileManager.default.copyItem(atPath: PlayerClips.timeline(), toPath: path)
    for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name))) }
    return path
  }

  /// The subtitles on the screen; nil where there are none.
  private static func shown(_ screen: EmulatorScreen) -> String? {
    let line = screen.text.first { $0.contains("Said of") } ?? ""
    return line.range(of: "Said of [0-9]+\\.", options: .regularExpression).map { String(line[$0]) }
  }

  private static func waitFor(_ number: Int, _ run: PlayerRun) throws {
    try run.wait("frame \(number) with its words") { screen in
      run.numbersShown == [number] && shown(screen) == words(ofFrame: number)
    }
  }

  /// Cues that begin and end within a frame: it has the same ones whichever way it was come to, and a search shows what it has found.
  @Test func aFrameHasTheSameCuesWhicheverWayItWasComeTo() throws {
    let folder = try TemporaryFolder()
    let cue = { (number: Int, from: Double, to: Double) in "\(number)\n00:00:0\(from) --> 00:00:0\(to)\nSaid of \(number).\n\n" }
    let clip = try Self.clip(in: folder, ["clip.srt": cue(1, 3.03, 4.04) + cue(2, 5.07, 6.08)])
    let run = try PlayerRun(["--paused", clip])
    try run.waitUntilPaused()
    func expect(_ keys: String, _ frame: Int, _ said: String?) throws {
      run.process.send(keys)
      try run.wait("frame \(frame) with its words after \(keys)") { run.numbersShown == [frame] && Self.shown($0) == said }
    }
    for _ in 0..<2 {
      try expect("t#30\r", 30, "Said of 1.")
      try expect(",", 29, nil)
      try expect(".", 30, "Said of 1.")
      try expect("t3.09\r", 30, "Said of 1.")
      try expect("t4.01\r", 40, nil)
      try expect("t5.08\r", 50, nil)
      try expect(".", 51, "Said of 2.")
      try expect("t6.01\r", 60, "Said of 2.")
    }
    try expect("/of 2\r", 51, "Said of 2.")
    run.process.send("\u{1B}")
    try run.wait("the search is over") { !$0.contains("\"of 2\"") }
    try expect("/of 1\r", 30, "Said of 1.")
    try run.quitAndCompare()
  }

  /// A choice for one clip of a list applies to the others.
  @Test func aChoiceLastsForTheList() throws {
    let folder = try TemporaryFolder()
    func said(_ words: String) -> String { "1\n00:00:00,000 --> 00:02:00,000\n\(words)\n\n" }
    for name in ["1", "2"] {
      try FileManager.default.copyItem(atPath: PlayerClips.timeline(), toPath: folder.path("\(name).mp4"))
      for (tag, word) in [("en", "English"), ("de", "Deutsch")] {
        try Data(said("\(word) \(name)").utf8).write(to: URL(fileURLWithPath: folder.path("\(name).\(tag).srt")))
      }
    }
    let run = try PlayerRun(["--paused", "--slang", "en", folder.path("1.mp4") + "," + folder.path("2.mp4")])
    /// The list of tracks tells when all files have been found.
    func waitUntilFound(_ mark: String) throws {
      run.process.send("T")
      try run.wait("the files of the clip") { $0.contains(mark) && $0.contains("German") && $0.contains("English") }
      run.process.send("\u{1B}")
      try run.wait("without the list") { !$0.contains("German") }
    }
    try run.wait(for: "English 1")
    try waitUntilFound("1/2")
    run.process.send("v")
    try run.wait("none") { !$0.contains("English 1") && $0.contains("subtitles off") }
    run.process.send(")")
    try waitUntilFound("2/2")
    #expect(!run.screen.contains("English 2"))
    run.process.send("v")
    try run.wait(for: "Deutsch 2")
    run.process.send("(")
    try run.wait(for: "Deutsch 1")
    run.process.send("v")
    try run.wait(for: "English 1")
    run.process.send(")")
    try run.wait(for: "English 2")
    try run.quitAndCompare()
  }

  /// Marks stand over and under their letters, and take no room.
  @Test func lettersHaveTheirMarks() throws {
    let folder = try TemporaryFolder()
    let words = ["ก\u{E35}\u{E48}ท\u{E35}\u{E48}", "ש\u{5C1}\u{5B8}", "а\u{301}x", "世界の「声」"]
    let text = "1\n00:00:00,000 --> 00:02:00,000\n\(words.joined(separator: "\n"))\n\n"
    let run = try PlayerRun(["--paused", Self.clip(in: folder, ["clip.srt": text])], columns: 80, rows: 30)
    try run.wait("all of them") { screen in words.allSatisfy { word in screen.text.contains { $0.contains(word) } } }
    try run.quitAndCompare()
  }

  /// Where a cue says that it stands, there it does.
  @Test func cuesHaveTheirPlaces() throws {
    let folder = try TemporaryFolder()
    let text = "1\n00:00:00,000 --> 00:02:00,000\n{\\an8}Above\n\n2\n00:00:00,000 --> 00:02:00,000\nBelow\n\n"
    let run = try PlayerRun(["--paused", Self.clip(in: folder, ["clip.srt": text])], columns: 80, rows: 30)
    try run.wait("both") { $0.contains("Above") && $0.contains("Below") }
    func row(_ word: String) throws -> Int { try #require(run.screen.text.firstIndex { $0.contains(word) }) }
    func column(_ word: String) throws -> Int {
      let line = run.screen.text[try row(word)]
      return line.distance(from: line.startIndex, to: try #require(line.range(of: word)).lowerBound)
    }
    #expect(try row("Above") < 8 && row("Below") > 22)
    #expect(try (36...38).contains(column("Above")) && (36...38).contains(column("Below")))
    try run.quitAndCompare()

    let places = "WEBVTT\n\n00:00.000 --> 02:00.000 line:0 align:left\nFirst\n\n00:00.000 --> 02:00.000 line:50%,center align:right\nSecond\n\n"
    let second = try TemporaryFolder()
    let other = try PlayerRun(["--paused", Self.clip(in: second, ["clip.vtt": places])], columns: 80, rows: 30)
    try other.wait("both") { $0.contains("First") && $0.contains("Second") }
    let rows = try ["First", "Second"].map { word in try #require(other.screen.text.firstIndex { $0.contains(word) }) }
    #expect(rows[0] < 8 && (12...17).contains(rows[1]))
    #expect(other.screen.text[rows[0]].prefix(12).contains("First") && other.screen.text[rows[1]].suffix(12).contains("Second"))
    try other.quitAndCompare()
  }

  /// A frame in a high, narrow window has few rows: what is longer is cut, and wide letters are whole.
  @Test(arguments: [
    "It was a bright cold day in April, and the clocks were striking thirteen, as they always had done before that.",
    "四月の晴れた寒い日で、時計は十三時を打っていた。いつものように、それより前からずっとそうであったように。また明日もそうであろう。",
  ])
  func aLongCueInANarrowWindow(said: String) throws {
    let folder = try TemporaryFolder()
    let text = "1\n00:00:00,000 --> 00:02:00,000\n\(said)\n\n"
    let run = try PlayerRun(["--paused", Self.clip(in: folder, ["clip.srt": text])], columns: 20, rows: 24)
    try run.wait("its beginning, and that there is more") { screen in
      screen.text.contains { $0.contains(said.prefix(4)) } && screen.text.contains { $0.contains("…") }
    }
    try run.quitAndCompare()
  }

  /// Right-to-left text stands as it is seen, whatever the terminal would make of it: where it cannot be told to leave it so, each
  /// letter has a mark behind it.
  @Test(arguments: [("xterm-256color", false), ("tmux-256color", true)]) func rightToLeftText(term: String, isMarked: Bool) throws {
    let folder = try TemporaryFolder()
    let text = "1\n00:00:00,000 --> 00:02:00,000\nשלום (abc) 123\nسلام\n\n"
    let run = try PlayerRun(["--paused", Self.clip(in: folder, ["clip.srt": text])], columns: 80, rows: 24, term: term)
    try run.wait("both lines") { screen in
      let rows = screen.text.map { $0.replacingOccurrences(of: "\u{200E}", with: "") }
      return rows.contains { $0.contains("123 (abc) םולש") } && rows.contains { $0.contains("\u{FEE1}\u{FEFC}\u{FEB3}") }
    }
    try run.quitAndCompare()
    #expect(String(decoding: run.process.rawOutput, as: UTF8.self).contains("\u{200E}") == isMarked)
  }

  /// Bold, underlined, slanted and coloured where the terminal can (without colours none slants); on the frame's own colour, darkened.
  @Test(arguments: ["24bit", "256", "16", "8", "mono"]) func styles(depth: String) throws {
    let folder = try TemporaryFolder()
    let text = "1\n00:00:00,000 --> 00:00:04,000\n<b>Bold</b> <i>slant</i> <u>under</u> <font color=\"#ff0000\">red</font>\n\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("s.srt")))
    let clip = try SampleMedia.clip(
      name: "blue.mp4",
      arguments: ["-f", "lavfi", "-i", "color=0x2060E0:s=160x90:r=10:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"])
    let run = try PlayerRun(["--paused", "--colors", depth, "--subs", folder.path("s.srt"), clip], columns: 80, rows: 24)
    try run.wait(for: "Bold slant under red")
    let screen = run.screen, place = try #require(screen.find("Bold slant under red"))
    func cell(_ offset: Int) -> TerminalCell { screen[column: place.column + offset, row: place.row] }
    #expect(cell(0).isBold && !cell(5).isBold && cell(5).isItalic == (depth != "mono") && !cell(0).isItalic)
    #expect(cell(11).underline == 1 && cell(5).underline == 0)
    let red = screen.shownColors(column: place.column + 17, row: place.row)
    if depth != "mono" { #expect(red.foreground.red > 200 && red.foreground.green < 130 && red.foreground.blue < 130, "\(red)") }
    let ground = red.background
    #expect(max(ground.red, ground.green) < 60 && ground.blue < 130, "\(ground)")
    // Of 256 colours a dark grey may be nearest.
    if depth == "24bit" { #expect(ground.blue > ground.red + 30, "\(ground)") }
    try run.quitAndCompare()
  }

  /// A file that is typed belongs to the focused pane.
  @Test func theFocusedPaneGetsTheFile() throws {
    let folder = try TemporaryFolder()
    let clip = try Self.clip(in: folder, ["other.srt": "1\n00:00:00,000 --> 00:02:00,000\nZebra\n\n"])
    let run = try PlayerRun(["--paused", "--layout", "row", clip, PlayerClips.timeline()], columns: 129)
    try run.waitUntilPaused(panes: 2)
    run.process.send("no\(folder.path("other.srt"))\r")
    try run.wait("words in the second pane alone") { screen in
      screen.find("Zebra").map { $0.column > 64 } ?? false && screen.text.joined().ranges(of: "Zebra").count == 1
    }
    try run.quitAndCompare()
  }

  /// Where a file does not say its encoding the locale's is taken, and before that what is asked for.
  @Test(arguments: [([], "Привет"), (["--subs-encoding", "CP1251"], "рТЙЧЕФ")]) func encodings(option: [String], words: String) throws {
    let folder = try TemporaryFolder(), clip = try Self.clip(in: folder, [:])
    let bytes = Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8) + [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4] + Array("\n\n".utf8)
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path("clip.srt")))
    let run = try CommandRun(["info", "--cues"] + option + [clip], environment: ["LC_ALL": nil, "LC_CTYPE": "ru_RU.KOI8-R"])
    #expect(run.output.contains("0:01.000 – 0:02.000  \(words)"), "\(run.output)")
  }

  @Test func theyBelongToTheFrameThatIsSeen() throws {
    let folder = try TemporaryFolder()
    let run = try PlayerRun(["--paused", Self.clip(in: folder, ["clip.srt": Self.script])])
    try run.waitUntilPaused()
    // Until they have been read.
    run.process.send("t#5\r")
    try Self.waitFor(5, run)
    for number in 6...23 {
      run.process.send(".")
      try Self.waitFor(number, run)
    }
    for number in (4...22).reversed() {
      run.process.send(",")
      try Self.waitFor(number, run)
    }
    for number in [1499, 0, 700, 39, 40, 43, 49, 50] {
      run.process.send("t#\(number)\r")
      try Self.waitFor(number, run)
    }
    try run.quitAndCompare()
  }

  @Test func theyFollowBackwardsAndAfterPlaying() throws {
    let folder = try TemporaryFolder()
    let run = try PlayerRun(["--start", "8", Self.clip(in: folder, ["clip.srt": Self.script])])
    try run.wait("words while it plays") { Self.shown($0) != nil }
    run.process.send("j")
    try run.wait("words of before") { Self.shown($0) == "Said of 6." }
    run.process.send("k")
    try run.waitUntilPaused()
    try run.waitUntilStill()
    let number = try #require(run.numbersShown.first)
    #expect(Self.shown(run.screen) == Self.words(ofFrame: number), "frame \(number)\n\(run.screen)")
    try run.quitAndCompare()
  }

  @Test(arguments: ["24bit", "256", "16", "8", "mono"], [20, 33, 64, 120])
  func everyDepthAndWidth(depth: String, columns: Int) throws {
    let folder = try TemporaryFolder()
    let text = "1\n00:00:00,000 --> 00:02:00,000\nWords that are <i>broken</i>\n\n"
    let run = try PlayerRun(
      ["--paused", "--colors", depth, Self.clip(in: folder, ["clip.srt": text])], columns: columns, rows: 24)
    try run.wait("the words in order") { screen in
      let all = screen.text.joined(separator: " ")
      var place = all.startIndex
      for word in ["Words", "that", "are", "broken"] {
        guard let found = all.range(of: word, range: place..<all.endIndex) else { return false }
        place = found.upperBound
      }
      return true
    }
    try run.quitAndCompare()
  }

  @Test func keys() throws {
    let folder = try TemporaryFolder()
    let files = [
      "clip.srt": Self.script, "clip.de.srt": Self.script.replacingOccurrences(of: "Said of", with: "Gesagt von"),
    ]
    let run = try PlayerRun(["--paused", "--slang", "de", "--start", "1.5", Self.clip(in: folder, files)])
    try run.wait(for: "Gesagt von 1.")
    run.process.send("v")
    try run.wait("none") { $0.contains("subtitles off") && Self.shown($0) == nil && !$0.contains("Gesagt") }
    run.process.send("v")
    try run.wait(for: "Said of 1.")
    run.process.send("v")
    try run.wait(for: "Gesagt von 1.")
    #expect(run.screen.contains("subtitles: German (2/2)") && Self.shown(run.screen) == nil, "\(run.screen)")
    run.process.send("V")
    try run.wait("hidden") { $0.contains("subtitles hidden") && !$0.contains("Gesagt") }
    run.process.send("V")
    try run.wait(for: "Gesagt von 1.")
    // Frame 15 is 0.2 s behind the words' beginning.
    run.process.send("XXX")
    try run.wait("later") { $0.contains("subtitles 300 ms later") && !$0.contains("Gesagt") }
    run.process.send("x")
    try run.wait("a little later") { $0.contains("subtitles 200 ms later") && $0.contains("Gesagt von 1.") }
    run.process.send("xx")
    try run.wait(for: "subtitles not shifted")
    try run.quitAndCompare()
  }

  @Test func aFileThatIsNamedOrTyped() throws {
    let folder = try TemporaryFolder()
    let clip = try Self.clip(in: folder, ["other.srt": Self.script, "more.srt": Self.script.replacingOccurrences(of: "Said", with: "More said")])
    let run = try PlayerRun(["--paused", "--start", "1.5", "--subs", folder.path("other.srt"), clip])
    try run.wait(for: "Said of 1.")
    run.process.send("o\(folder.path("more.srt"))\r")
    try run.wait(for: "More said of 1.")
    run.process.send("o\(folder.path("none.srt"))\r")
    try run.wait(for: "no such file")
    try run.quitAndCompare()
  }

  /// The first of those that are named is shown, and they are in their order, before those beside the clip.
  @Test func severalFilesThatAreNamed() throws {
    let folder = try TemporaryFolder()
    func words(_ number: Int) -> String { "1\n00:00:00,000 --> 00:01:00,000\nWords of \(number)\n\n" }
    // The first takes longest to be read.
    let first = words(0) + (0..<20_000).map { "2\n00:01:10,000 --> 00:01:20,000\nMore \($0)\n\n" }.joined()
    var files = Dictionary(uniqueKeysWithValues: (1..<5).map { ("named\($0).srt", words($0)) })
    (files["named0.srt"], files["clip.srt"]) = (first, words(9))
    let clip = try Self.clip(in: folder, files)
    let named = (0..<5).flatMap { ["--subs", folder.path("named\($0).srt")] }
    let run = try PlayerRun(["--paused"] + named + [clip], columns: 100, rows: 30)
    try run.wait(for: "Words of 0")
    try run.waitUntilStill()
    run.process.send("T")
    try run.wait("in order, the first one chosen") { screen in
      let all = screen.text.joined(separator: " ")
      let places = ((0..<5).map { "named\($0).srt" } + ["clip.srt"]).map { all.range(of: $0)?.lowerBound }
      return places.allSatisfy { $0 != nil } && zip(places, places.dropFirst()).allSatisfy { $0! < $1! }
    }
    #expect(screen(run, rowOf: "named0.srt").contains("•"))
    run.process.send("T")
    try run.wait("closed") { !$0.contains("named4.srt") }
    #expect(run.screen.contains("Words of 0"))
    try run.quitAndCompare()
  }

  private func screen(_ run: PlayerRun, rowOf text: String) -> String { run.screen.text.first { $0.contains(text) } ?? "" }

  @Test func aFileWithoutCues() throws {
    let folder = try TemporaryFolder()
    let run = try PlayerRun(["--paused", Self.clip(in: folder, ["clip.vtt": "WEBVTT\n\nSTYLE\n::cue { color: red }\n\nno time\n"])])
    try run.wait(for: "the file contains no subtitles")
    try run.quitAndCompare()
  }

  /// They move up where something is said over the lowest row of the frame.
  @Test func wordsOverTheFrameDoNotCoverThem() throws {
    let folder = try TemporaryFolder()
    let text = "1\n00:00:00,000 --> 00:02:00,000\nFirst\nSecond\n\n"
    // Not at its beginning, before which a delay would take the cue.
    let run = try PlayerRun(["--paused", "--start", "5", Self.clip(in: folder, ["clip.srt": text])])
    try run.wait("two rows") { $0.contains("First") && $0.contains("Second") }
    for key in ["X", "b", "t"] {
      run.process.send(key)
      try run.wait("words and both rows") { screen in
        (screen.contains("100 ms later") || screen.contains("A-B loop starts") || screen.contains("Go to")) && screen.contains("First")
          && screen.contains("Second")
      }
    }
    run.process.send("\u{1B}")
    try run.quitAndCompare()
  }

  @Test func subtitlesOfTheClip() throws {
    let text = try SampleMedia.file(name: "said.srt", key: [Self.script]) { path in
      try Data(Self.script.utf8).write(to: URL(fileURLWithPath: path))
    }
    let clip = try SampleMedia.clip(
      name: "said.mkv",
      arguments: [
        "-i", PlayerClips.timeline(), "-i", text, "-map", "0:v", "-map", "1:s", "-c:v", "copy", "-c:s", "ass",
        "-metadata:s:s:0", "language=fre", "-disposition:s:0", "0",
      ])
    let run = try PlayerRun(["--paused", "--start", "120.5", "--slang", "fr", clip])
    try Self.waitFor(1205, run)
    try run.quitAndCompare()
  }

  /// Captions in the frames, of which the first comes late: found while the clip is there.
  @Test func captionsInFrames() throws {
    let clip = try CaptionedVideo.clip("late.ts", seconds: 24, pairs: CaptionedVideo.twoCaptions(delay: 500))
    let run = try PlayerRun(["--paused", clip], columns: 80, rows: 24)
    try run.waitUntilPaused()
    run.process.send("T")
    try run.wait("they are found") { $0.contains("EIA-608 captions") && $0.contains("•none") }
    run.process.send("T")
    try run.wait("closed") { !$0.contains("•none") }
    run.process.send("v")
    try run.wait(for: "subtitles: EIA-608 captions")
    for (frame, words) in [(555, "Hello there"), (575, nil), (620, "Second one!")] {
      run.process.send("t#\(frame)\r")
      try run.wait("frame \(frame) with its words") { screen in
        let isThere = screen.contains("#\(frame) ") || screen.contains("#\(frame)/")
        return isThere && (words.map { screen.contains($0) } ?? !(screen.contains("Hello") || screen.contains("Second")))
      }
    }
    try run.quitAndCompare()
    let text = try CommandRun(["info", "--cues", clip])
    #expect(text.status == .exited(0) && text.output.contains("EIA-608 captions in the frames") && text.output.contains("Second one!"))
  }

  @Test func infoPrintsThem() throws {
    let folder = try TemporaryFolder()
    let clip = try Self.clip(in: folder, ["clip.de.srt": Self.script])
    let text = try CommandRun(["info", "--cues", clip])
    #expect(text.status == .exited(0) && text.errors.isEmpty)
    for words in ["German", "clip.de.srt", "0:00.300 – 0:01.000  Said of 0.\n", "2:29.300 – 2:30.000  Said of 149."] { #expect(text.output.contains(words), "\(text.output.prefix(2000))") }
    #expect(!text.output.contains("[und]"))
    let json = try CommandRun(["info", "--cues", "--json", clip])
    #expect(json.status == .exited(0) && json.output.contains("\"Said of 149.\""))
    let none = try CommandRun(["info", "--cues", PlayerClips.timeline()])
    #expect(none.status == .exited(0) && none.output.contains("no subtitles"))
  }

  @Test func infoPrintsEachOnce() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("words.srt")
    try Data("1\n00:00:01,000 --> 00:00:02,000\nOne\n\u{1F1E9}\u{1F1EA} two\n\n".utf8).write(to: URL(fileURLWithPath: file))
    try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder.path("words.en.srt")))
    let run = try CommandRun(["info", "--cues", file])
    let blank = String(repeating: " ", count: 25)
    #expect(run.output.contains(": SubRip subtitle\n    0:01.000 – 0:02.000  One\n\(blank)\u{1F1E9}\u{1F1EA} two\n"), "\(run.output)")
    #expect(run.output.ranges(of: "One").count == 1 && run.output.contains("is not a known subtitle format"), "\(run.output)")
  }

  @Test func nothingInThemSteersTheTerminal() throws {
    let folder = try TemporaryFolder()
    let text =
      "1\n00:00:00,000 --> 00:02:00,000\nSaid \u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{202E}of <b>\u{1B}[5m1.</b>{\\an5}\n\n"
    let clip = try Self.clip(in: folder, ["clip.srt": text])
    for options in [[], ["--json"]] {
      let printed = try CommandRun(["info", "--cues"] + options + [clip]).output
      #expect(printed.contains("Said") && !printed.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
      #expect(!printed.unicodeScalars.contains { $0.properties.generalCategory == .format })
    }
    let run = try PlayerRun(["--paused", clip])
    try run.wait(for: "Said")
    try run.waitUntilStill()
    #expect(!run.screen.title.contains("owned"))
    #expect(!run.screen.cells.contains { $0.isBlinking })
    try run.quitAndCompare()
  }

  /// One that is known already is chosen; what is said of one that is not there goes again.
  @Test func aFileThatIsKnownIsChosen() throws {
    let folder = try TemporaryFolder()
    let clip = try Self.clip(in: folder, ["clip.en.srt": "1\n00:00:00,000 --> 00:02:00,000\nEnglish\n\n",
      "clip.fr.srt": "1\n00:00:00,000 --> 00:02:00,000\nFrench\n\n"])
    let run = try PlayerRun(["--paused", "--slang", "en", clip])
    try run.wait(for: "English")
    run.process.send("o\(folder.path("clip.fr.srt"))\r")
    try run.wait("the other one") { $0.contains("French") && !$0.contains("English") && !$0.contains("already") }
    try run.quitAndCompare()
  }
}
