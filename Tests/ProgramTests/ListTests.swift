import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Lists over a pane, and what is chosen in them, read on the screen.
@Suite(.timeLimit(.minutes(10))) struct ListTests {
  /// Two video tracks of the same length, ten and five numbered frames a second, a silent sound track, subtitles and
  /// three chapters.
  private static func clip() throws -> String {
    let other = try SampleMedia.clip(
      name: "other.mp4",
      arguments: SampleMedia.numbered(width: 160, height: 90, rate: "5", seconds: 30) + [
        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-threads", "1", "-pix_fmt", "yuv420p", "-g", "40",
      ])
    func chapter(_ start: Int, _ end: Int, _ title: String) -> String {
      "[CHAPTER]\nTIMEBASE=1/1\nSTART=\(start)\nEND=\(end)\ntitle=\(title)\n"
    }
    let parts = ";FFMETADATA1\n" + chapter(0, 8, "Beginning") + chapter(8, 20, "Middle") + chapter(20, 30, "End")
    let marks = try SampleMedia.file(name: "marks.txt", key: [parts]) { try Data(parts.utf8).write(to: URL(fileURLWithPath: $0)) }
    let words = "1\n00:00:01,000 --> 00:00:29,000\nWords\n\n"
    let text = try SampleMedia.file(name: "w.srt", key: [words]) { try Data(words.utf8).write(to: URL(fileURLWithPath: $0)) }
    return try SampleMedia.clip(
      name: "tracks.mkv",
      arguments: [
        "-t", "30", "-i", PlayerClips.timeline(), "-i", other, "-i", text, "-f", "ffmetadata", "-i", marks,
        "-f", "lavfi", "-i", "anullsrc=duration=30", "-map", "0:v", "-map", "1:v", "-map", "4:a", "-map", "2:s",
        "-map_chapters", "3", "-c:v", "copy", "-c:a", "flac", "-c:s", "subrip", "-disposition:s", "0",
        "-metadata:s:v:0", "title=Front", "-metadata:s:v:1", "title=Back", "-metadata:s:a:0", "language=fre",
        "-metadata:s:s:0", "language=ger", "-t", "30",
      ])
  }

  /// - Parameter folder: where it runs; nil for one of its own.
  private func run(_ arguments: String..., columns: Int = 80, folder: TemporaryFolder? = nil) throws -> PlayerRun {
    let run = try PlayerRun(["--paused"] + arguments + [Self.clip()], columns: columns, rows: 24) {
      if let folder { $0.directory = folder.path }
    }
    try run.waitUntilPaused()
    return run
  }

  private func wait(_ run: PlayerRun, forFrame number: Int) throws {
    try run.wait("frame \(number)") { $0.contains("#\(number) ") || $0.contains("#\(number)/") }
  }

  @Test func aChapterIsChosen() throws {
    let run = try run()
    run.process.send("C")
    try run.wait(for: "chapters")
    for text in ["•0:00  Beginning", "0:08  Middle", "0:20  End"] { #expect(run.screen.contains(text), "\(run.screen)") }
    run.process.press(.down)
    run.process.press(.down)
    run.process.send("\r")
    try wait(run, forFrame: 200)
    try run.wait("closed") { !$0.contains("Beginning") }
    // It opens at the chapter that is seen; escape and its own key close it, and other keys do what they do.
    run.process.send("C")
    try run.wait(for: "•0:20  End")
    run.process.press(.up)
    run.process.send(" ")
    try wait(run, forFrame: 80)
    for key in ["\u{1B}", "C", "q"] {
      run.process.send("C")
      try run.wait(for: "•0:08  Middle")
      run.process.send(key)
      try run.wait("closed") { !$0.contains("Beginning") }
    }
    run.process.send("C")
    try run.wait(for: "•0:08  Middle")
    run.process.send(".")
    try wait(run, forFrame: 81)
    try run.wait("closed") { !$0.contains("Beginning") }
    try run.quitAndCompare()
  }

  @Test func chaptersAreGoneToByKeys() throws {
    let run = try run()
    // The beginnings of the second and the third stand in the bar.
    try run.wait("two marks") { $0.text.last { $0.contains("│") }?.filter { $0 == "│" }.count == 2 }
    run.process.press(.pageUp)
    try wait(run, forFrame: 80)
    try run.wait(for: "chapter 2/3: Middle")
    run.process.send("@")
    try wait(run, forFrame: 200)
    try run.wait(for: "chapter 3/3: End")
    run.process.press(.pageDown)
    try wait(run, forFrame: 80)
    run.process.send("!")
    try wait(run, forFrame: 0)
    try run.wait(for: "chapter 1/3: Beginning")
    try run.quitAndCompare()
  }

  @Test func withoutChaptersTheirKeysGoTenMinutes() throws {
    let clip = try SampleMedia.clip(
      name: "long.mp4", arguments: ["-f", "lavfi", "-i", "color=s=32x32:r=1:d=1500", "-c:v", "libx264", "-preset", "ultrafast"])
    let run = try PlayerRun(["--paused", clip])
    try run.waitUntilPaused()
    for (key, frame) in [(TerminalKey.pageUp, 600), (.pageUp, 1200), (.pageDown, 600)] {
      run.process.press(key)
      try run.wait("frame \(frame)") { _ in run.numbersShown == [frame] }
    }
    try run.quitAndCompare()
  }

  /// The other track goes on from where this one was.
  @Test func anotherTrackIsPlayedOn() throws {
    let run = try PlayerRun(["--start", "10", Self.clip()])
    try run.waitUntilMoving()
    run.process.send("_")
    try run.wait(for: "video: Back (2/2)")
    try run.wait("it plays on") { screen in (11...25).contains { screen.contains("0:\($0)/") } }
    run.process.send(" ")
    try run.waitUntilPaused()
    try run.waitUntilStill()
    let number = try #require(run.numbersShown.first)
    #expect(run.frameNumber() == number && number > 50, "\(run.screen)")
    try run.quitAndCompare()
  }

  @Test func aVideoTrackIsShownAtTheSameTime() throws {
    let folder = try TemporaryFolder()
    let run = try run("--start", "12.6", folder: folder)
    try wait(run, forFrame: 126)
    run.process.send("_")
    try run.wait("the other track") { $0.contains("video: Back (2/2)") }
    try wait(run, forFrame: 63)
    #expect(run.screen.contains("0:12.600"), "\(run.screen)")
    run.process.send(".")
    try wait(run, forFrame: 64)
    // What is saved is what is seen.
    run.process.send("s")
    try run.wait(for: "saved ")
    let saved = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".png") })
    #expect(try SavedFrame.number(folder.path(saved), width: 160, height: 90) == 64)
    run.process.send("_")
    try wait(run, forFrame: 128)
    #expect(run.screen.contains("video: Front (1/2)"))
    try run.quitAndCompare()
  }

  /// A frame of the other track lasts as long as two of this one: coming back, it is the same one as before.
  @Test func anAngleIsExactThereAndBack() throws {
    let run = try PlayerRun(["--paused", "--start", "2", Self.clip()])
    try run.waitUntilPaused()
    for number in [127, 128, 1, 299, 200] {
      run.process.send("t#\(number)\r")
      try run.wait("frame \(number)") { _ in run.numbersShown == [number] }
      run.process.send("_")
      try run.wait("frame \(number / 2) of the other track") { $0.contains("video: Back (2/2)") && run.numbersShown == [number / 2] }
      run.process.send("_")
      try run.wait("frame \(number) again") { $0.contains("video: Front (1/2)") && run.numbersShown == [number] }
    }
    try run.quitAndCompare()
  }

  /// Two angles of ten frames a second, of which one begins 3 s after the other.
  private static func lateAngle(_ ending: String, isFirst: Bool) throws -> String {
    let angles = try [30.0, 20].map { seconds in
      try SampleMedia.clip(
        name: "angle\(Int(seconds)).mp4",
        arguments: SampleMedia.numbered(width: 160, height: 90, rate: "10", seconds: seconds) + [
          "-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-threads", "1", "-pix_fmt", "yuv420p", "-g", "40",
        ])
    }
    return try SampleMedia.clip(
      name: "late.\(ending)",
      arguments: ["-i", angles[0], "-itsoffset", "3", "-i", angles[1], "-map", isFirst ? "1:v" : "0:v", "-map", isFirst ? "0:v" : "1:v", "-c", "copy"])
  }

  /// Both angles show what was filmed at the same time, judged by the numbers in the frames themselves.
  @Test(arguments: ["mkv", "mp4"], [false, true]) func anAngleThatBeginsLater(ending: String, isFirst: Bool) throws {
    let run = try PlayerRun(["--paused", Self.lateAngle(ending, isFirst: isFirst)])
    try run.waitUntilPaused()
    // Where the late one comes first, its beginning is the clip's.
    for tenths in [50, 63, 40, 111] {
      let (early, late) = isFirst ? (tenths + 30, tenths) : (tenths, tenths - 30)
      let (first, second) = isFirst ? (late, early) : (early, late)
      run.process.send("t\(tenths / 10).\(tenths % 10)\r")
      try run.wait("\(first) of the first") { _ in run.frameNumber() == first && run.numbersShown == [first] }
      run.process.send("_")
      try run.wait("\(second) of the second") { $0.contains("(2/2)") && run.frameNumber() == second }
      run.process.send(".")
      try run.wait("the next of the second") { _ in run.frameNumber() == second + 1 }
      run.process.send(",_")
      try run.wait("\(first) of the first again") { $0.contains("(1/2)") && run.frameNumber() == first && run.numbersShown == [first] }
    }
    try run.quitAndCompare()
  }

  /// Before an angle begins its first frame stands, and the bar goes on; there and back it is the same place.
  @Test(arguments: ["mkv", "mp4"]) func anAngleIsChosenBeforeItBegins(ending: String) throws {
    let run = try PlayerRun(["--paused", Self.lateAngle(ending, isFirst: false)])
    try run.waitUntilPaused()
    for tenths in [10, 25, 0] {
      run.process.send("t\(tenths / 10).\(tenths % 10)\r")
      try run.wait("\(tenths) of the first") { _ in run.frameNumber() == tenths && run.numbersShown == [tenths] }
      run.process.send("_")
      try run.wait("the first frame of the second") { $0.contains("(2/2)") && $0.contains("/0:23") && run.frameNumber() == 0 && run.numbersShown == [0] }
      run.process.send("_")
      try run.wait("\(tenths) of the first again") { $0.contains("(1/2)") && run.frameNumber() == tenths && run.numbersShown == [tenths] }
    }
    // A step leads to its second frame, whose time it is then.
    run.process.send("_")
    try run.wait("the first frame of the second") { $0.contains("(2/2)") && run.frameNumber() == 0 }
    run.process.send(".")
    try run.wait("the second frame of the second") { _ in run.frameNumber() == 1 && run.numbersShown == [1] }
    run.process.send("_")
    try run.wait("of the same time") { $0.contains("(1/2)") && run.frameNumber() == 31 }
    try run.quitAndCompare()
  }

  @Test func tracksAreChosenByKeysAndMouse() throws {
    let run = try run("--start", "10")
    try wait(run, forFrame: 100)
    run.process.send("T")
    try run.wait("all kinds") { screen in
      ["Video", "•Front", "Back", "Sound", "French", "Subtitles", "•none", "German"].allSatisfy(screen.contains)
    }
    run.process.press(.end)
    run.process.send("\r")
    try run.wait("words") { $0.contains("Words") && $0.contains("subtitles: German") }
    run.process.send("T")
    try run.wait(for: "•German")
    let row = try #require(run.screen.text.firstIndex { $0.contains("Back") })
    let line = run.screen.text[row]
    let place = try #require(line.range(of: "Back"))
    let column = line.distance(from: line.startIndex, to: place.lowerBound)
    run.process.mouse(.press(1), column: column, row: row)
    run.process.mouse(.release(1), column: column, row: row)
    try run.wait("the other track with its words") { $0.contains("video: Back") && $0.contains("Words") }
    try wait(run, forFrame: 50)
    // A click beside it closes it.
    run.process.send("T")
    try run.wait(for: "•Back")
    run.process.mouse(.press(1), column: 2, row: 3)
    run.process.mouse(.release(1), column: 2, row: 3)
    try run.wait("closed") { !$0.contains("Sound") }
    try run.quitAndCompare()
  }

  /// Pictures in English and German, sound in English and French.
  private static func languages() throws -> String {
    try SampleMedia.clip(
      name: "languages.mkv",
      arguments: [
        "-f", "lavfi", "-i", "color=s=32x32:r=5:d=2", "-f", "lavfi", "-i", "anullsrc=duration=2", "-map", "0", "-map", "0", "-map", "1",
        "-map", "1", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "flac", "-metadata:s:v:0", "language=eng", "-metadata:s:v:1",
        "language=ger", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=fre",
      ])
  }

  @Test func silenceIsSaidOnce() throws {
    let run = try PlayerRun(["--paused", Self.languages(), PlayerClips.short()], columns: 100, rows: 24)
    try run.waitUntilPaused(panes: 2)
    run.process.send("m")
    try run.wait(for: "muted")
    try run.waitUntilStill()
    #expect(run.screen.text.joined().components(separatedBy: "muted").count == 2, "\(run.screen)")
    run.process.send("-")
    try run.wait(for: "−2 dB, muted")
    run.process.send("\t-")
    try run.wait(for: "this clip has no sound")
    try run.quitAndCompare()
  }

  /// One of them is always chosen.
  @Test func soundIsChosenByKeys() throws {
    let run = try PlayerRun(["--paused", Self.languages()], columns: 80, rows: 24)
    try run.waitUntilPaused()
    run.process.send("#")
    try run.wait(for: "sound: French (2/2)")
    run.process.send("#")
    try run.wait(for: "sound: English (1/2)")
    run.process.send("T")
    try run.wait("the list") { screen in
      ["Sound", "•English", "French"].allSatisfy(screen.contains) && !screen.contains("none")
    }
    run.process.press(.end)
    run.process.send("\r")
    try run.wait("chosen") { $0.contains("sound: French (2/2)") && !$0.contains("Sound") }
    run.process.send("T")
    try run.wait(for: "•French")
    run.process.send("T")
    try run.wait("closed") { !$0.contains("Sound") }
    try run.quitAndCompare()
  }

  @Test(arguments: [([], "English", "English"), (["--vlang", "fr,de", "--alang", "pt,fr"], "German", "French")])
  func tracksInWantedLanguages(options: [String], video: String, sound: String) throws {
    let run = try PlayerRun(["--paused"] + options + [Self.languages()], columns: 80, rows: 24)
    try run.waitUntilPaused()
    run.process.send("T")
    try run.wait(for: "Sound")
    let chosen = run.screen.text.filter { $0.contains("•") }
    #expect(chosen.count >= 2 && chosen[0].contains("•\(video)") && chosen[1].contains("•\(sound)"), "\(run.screen)")
    run.process.send("T")
    try run.wait("closed") { !$0.contains("Sound") }
    try run.quitAndCompare()
  }

  /// The locale's language where nothing is marked; before it what the settings say, and before that the command line.
  @Test func languagesOfTheLocaleAndTheSettings() throws {
    let words = "1\n00:00:00,000 --> 00:00:02,000\n"
    let texts = try ["Words", "Worte"].map { word in
      try SampleMedia.file(name: "\(word).srt", key: [word]) { try Data("\(words)\(word)\n\n".utf8).write(to: URL(fileURLWithPath: $0)) }
    }
    let tracks = [("v:0", "eng"), ("v:1", "ger"), ("a:0", "fre"), ("a:1", "eng"), ("a:2", "ger"), ("s:0", "eng"), ("s:1", "ger")]
    let clip = try SampleMedia.clip(
      name: "unmarked.mkv",
      arguments: [
        "-f", "lavfi", "-i", "color=s=32x32:r=5:d=2", "-f", "lavfi", "-i", "anullsrc=duration=2", "-i", texts[0], "-i", texts[1], "-map",
        "0", "-map", "0", "-map", "1", "-map", "1", "-map", "1", "-map", "2", "-map", "3", "-c:v", "libx264", "-preset", "ultrafast",
        "-c:a", "flac", "-c:s", "subrip",
      ] + tracks.flatMap { ["-metadata:s:\($0.0)", "language=\($0.1)", "-disposition:\($0.0)", "0"] })
    let folder = try TemporaryFolder()
    let settings = folder.path("s.yaml")
    try Data("defaults:\n  vlang: de\n  alang: fr\n  slang: it,de\n".utf8).write(to: URL(fileURLWithPath: settings))
    for (options, language, chosen) in [
      ([], "de_AT:en", ["English", "German", "none"]), ([], "en", ["English", "English", "none"]), ([], "it:de", ["English", "German", "none"]),
      (["--alang", "fr"], "de", ["English", "French", "German"]), (["--settings", settings], "en", ["German", "French", "German"]),
      (["--settings", settings, "--vlang", "en", "--alang", "it,de", "--slang", "en"], "fr", ["English", "German", "English"]),
    ] {
      let run = try PlayerRun(["--paused"] + options + [clip], columns: 80, rows: 30) { $0.environment["LANGUAGE"] = language }
      try run.waitUntilPaused()
      run.process.send("T")
      try run.wait("\(chosen) for \(options), \(language)") { screen in
        let marked = screen.text.filter { $0.contains("•") }
        return marked.count == 3 && zip(marked, chosen).allSatisfy { $0.contains("•\($1)") }
      }
      run.process.send("T")
      try run.wait("closed") { !$0.contains("Sound") }
      run.quit()
    }
  }

  @Test func whereThereIsNothingToChoose() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.send("C")
    try run.wait(for: "this clip has no chapters")
    run.process.send("_")
    try run.wait(for: "this clip has only one video track")
    try run.quitAndCompare()
  }

  @Test(arguments: [20, 33, 200], ["mono", "8", "16", "256", "24bit"])
  func atEveryWidth(columns: Int, depth: String) throws {
    let run = try run("--colors", depth, columns: columns)
    run.process.send("T")
    // Without colours, or with few, a sign says which one is selected.
    try run.wait("a list") { $0.contains(depth == "mono" || depth == "8" ? ">•Front" : " •Front") && $0.contains("Back") }
    run.process.press(.down)
    run.process.send("\r")
    try run.wait("the other track") { $0.contains("video: Back") }
    run.process.send("C")
    try run.wait("the chapters") { screen in ["0:00  Beginning", "0:08  Middle", "0:20  End"].allSatisfy(screen.contains) }
    run.process.press(.end)
    run.process.send("\r")
    try run.wait("the last one") { $0.contains("#100") && !$0.contains("0:08  Middle") }
    try run.quitAndCompare()
  }
}
