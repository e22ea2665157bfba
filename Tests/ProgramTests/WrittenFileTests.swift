import Foundation
import Synchronization
import TerminalHarness
import TestSupport
import Testing

/// Files that the program writes: never a clip, never half a file, never for ever.
@Suite(.timeLimit(.minutes(10))) struct WrittenFileTests {
  /// A command line with CLIP and LINK in it, and whether it plays.
  static let overwriting: [[String]] = [
    ["--stats", "CLIP", "CLIP"], ["--stats", "LINK", "CLIP"], ["--stats", "CLIP", "LINK"], ["--log", "CLIP", "CLIP"],
    ["--dump-screen", "HARD", "CLIP"], ["--stats", "CLIP", "/nowhere.mp4", "LINK"],
    ["frame", "CLIP", "--at", "0", "-o", "CLIP"], ["frame", "CLIP", "--at", "0", "-o", "LINK", "--format", "jpeg"],
    ["frame", "CLIP", "--at", "0", "-o", "/dev/null", "--format", "png", "--log", "HARD"],
    ["thumbnails", "CLIP", "-o", "CLIP"], ["thumbnails", "CLIP", "-o", "HARD", "--format", "png"],
    ["info", "--log", "CLIP", "CLIP"], ["info", "--log", "LINK", "/nowhere.mp4", "CLIP"], ["frames", "--log", "CLIP", "CLIP"],
  ]

  @Test(arguments: overwriting) func noClipIsOverwritten(line: [String]) throws {
    let folder = try TemporaryFolder()
    let clip = folder.path("clip.png")
    let source = try SampleClip.png.path()
    try FileManager.default.copyItem(atPath: source, toPath: clip)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "clip.png")
    try FileManager.default.linkItem(atPath: clip, toPath: folder.path("hard"))
    let names = ["CLIP": clip, "LINK": folder.path("link"), "HARD": folder.path("hard")]
    let run = try CommandRun(line.map { names[$0] ?? $0 })
    #expect([.exited(1), .exited(2)].contains(run.status) && run.output.isEmpty)
    #expect(run.errors.hasSuffix(": refusing to overwrite an input file\n"), "\(run.errors)")
    #expect(FileManager.default.contentsEqual(atPath: source, andPath: clip))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["clip.png", "hard", "link"])
  }

  @Test func settingsAreNotOverwritten() throws {
    let folder = try TemporaryFolder()
    let settings = folder.path("settings.yaml")
    try "defaults:\n  loop: true\n".write(toFile: settings, atomically: false, encoding: .utf8)
    let run = try CommandRun(["--settings", settings, "--stats", settings, PlayerClips.short()])
    #expect(run.status == .exited(2) && run.errors.contains("refusing to overwrite an input file"))
    #expect(try String(contentsOfFile: settings, encoding: .utf8) == "defaults:\n  loop: true\n")
  }

  /// A clip that was opened later on.
  @Test func theReportSparesWhatWasOpened() throws {
    let folder = try TemporaryFolder()
    let stats = folder.path("stats.mp4")
    let run = try PlayerRun(["--paused", "--stats", stats, PlayerClips.timeline()])
    try run.waitUntilPaused()
    _ = try PlayerClips.copy(in: folder, named: "stats.mp4")
    run.process.send("o\(stats)\r")
    try run.wait(for: "2 stats.mp4")
    run.process.send("q")
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
    #expect(run.screen.contains("refusing to overwrite an input file"))
    #expect(try FileManager.default.contentsEqual(atPath: stats, andPath: PlayerClips.short()))
  }

  /// Reading the log as a clip would write to it.
  @Test func theLogIsNotOpenedAsAClip() throws {
    let folder = try TemporaryFolder()
    let log = try PlayerClips.copy(in: folder, named: "log.mp4")
    let run = try PlayerRun(["--paused", "--log", log, PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.send("o\(log)\r")
    try run.wait(for: "is the log of this run, not a clip")
    run.process.send("\u{1b}")
    try run.wait("the prompt is closed") { !$0.contains("is the log of this run") }
    run.quit()
  }

  @Test func namesAreBytes() throws {
    let folder = try TemporaryFolder()
    let bytes = "cd '\(folder.path)'; set -- \"$@\" \"$(printf 'a\\377.png')\";"
    let run = try CommandRun(["frame", PlayerClips.short(), "--at", "0", "-o"], launcher: bytes)
    #expect(run.status == .exited(0) && run.errors.isEmpty, "\(run.errors)")
    let stats = try CommandRun(["--untimed", PlayerClips.short(), "--stats"], launcher: bytes.replacing("png", with: "js"))
    #expect(stats.status == .exited(0) && stats.errors.isEmpty, "\(stats.errors)")
    let log = try CommandRun(["info", PlayerClips.short(), "--log"], launcher: bytes.replacing("png", with: "log"))
    #expect(log.status == .exited(0) && log.errors.isEmpty, "\(log.errors)")
    for ending in [".png", ".js", ".log"] {
      let name = Array("\(folder.path)/a".utf8) + [0xFF] + Array(ending.utf8) + [0]
      #expect(access(name.map(CChar.init(bitPattern:)), F_OK) == 0, "\(ending)")
    }
  }

  @Test func framesGoThroughPipes() throws {
    let clip = try PlayerClips.short()
    for (command, format, magic) in [
      (["frame", clip, "--at", "1", "-o", "-"], nil, [0x89, 0x50] as [UInt8]),
      (["thumbnails", clip, "-o", "-"], nil, [0x89, 0x50]), (["frame", clip, "--at", "1", "-o", "-"], "jpeg", [0xFF, 0xD8]),
      (["thumbnails", clip, "--output", "-"], "png", [0x89, 0x50]),
    ] {
      let folder = try TemporaryFolder()
      let run = try CommandRun(command + (format.map { ["--format", $0] } ?? []), redirection: "| cat >'\(folder.path("x"))'")
      #expect(run.status == .exited(0) && run.errors.isEmpty)
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("x"))).prefix(2) == Data(magic))
    }
    let terminal = try TerminalProcess(#require(ProgramUnderTest.path), ["frame", clip, "--at", "1", "-o", "-"])
    #expect(terminal.runUntilExit(timeout: PlayerRun.patience) == .exited(64))
    #expect(terminal.screen.contains("Refusing to write an image to a terminal"))
    let full = try CommandRun(["frame", clip, "--at", "1", "-o", "-"], redirection: ">/dev/full")
    #expect(full.status == .exited(1) && full.errors.contains("No space left"))
  }

  @Test func aFileThatMayNotGrowIsSaidAndNothingIsLeft() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(
      ["thumbnails", PlayerClips.timeline(), "-o", folder.path("a.png")], launcher: "ulimit -f 8;")
    #expect(run.status == .exited(1) && run.errors.contains("a.png: cannot be written: file too large"), "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func aPipeWithoutAPeerHoldsNobody() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.short()
    let cases: [(arguments: (_ pipe: String) -> [String], word: String)] = [
      ({ ["--stats", $0, clip] }, "no reader"), ({ ["--log", $0, clip] }, "no reader"),
      ({ ["frame", clip, "--at", "0", "-o", $0, "--format", "png"] }, "no reader"),
      ({ ["--settings", $0, clip] }, "no writer"), ({ ["info", $0] }, "no writer"),
      ({ ["frames", $0] }, "no writer"), ({ ["--exit-at-end", $0] }, "no writer"),
      ({ ["frame", $0, "--at", "0", "-o", "/dev/null", "--format", "png"] }, "no writer"),
    ]
    let commands = cases.indices.map { cases[$0].arguments(folder.path("pipe\($0)")) }
    for number in cases.indices { #expect(mkfifo(folder.path("pipe\(number)"), 0o600) == 0) }
    // Each waits for seconds: all at once.
    let started = ProcessInfo.processInfo.systemUptime
    let runs = Mutex<[Int: CommandRun]>([:])
    let group = DispatchGroup()
    for (number, command) in commands.enumerated() {
      group.enter()
      Thread.detachNewThread {
        let run = try? CommandRun(command)
        runs.withLock { $0[number] = run }
        group.leave()
      }
    }
    #expect(group.wait(timeout: .now() + 300) == .success)
    #expect(ProcessInfo.processInfo.systemUptime - started < 30)
    for (number, (_, word)) in cases.enumerated() {
      let run = try #require(runs.withLock { $0[number] })
      #expect(run.status != .exited(0) && (run.errors + run.output).contains(word), "\(commands[number]): \(run.errors)")
    }
    let pipe = folder.path("pipe0")
    // One that comes late is waited for.
    let late = try CommandRun(["info", pipe], launcher: "(sleep 1; cat '\(SampleClip.transportStreamOffset.path())' > '\(pipe)') &")
    #expect(late.status == .exited(0) && late.output.contains("320×180"), "\(late.errors)")
  }

  @Test func theReportGoesToStandardOutput() throws {
    let run = try CommandRun(["--untimed", "--stats", "/dev/stdout", PlayerClips.short()])
    #expect(run.status == .exited(0) && run.output.hasPrefix("{\"bytes\":"))
  }

  /// The end waits a second for what is being saved, tells what was not, and leaves no part of a file.
  @Test(arguments: ["q", "term", "hup"]) func savesUnderWayAreToldAtTheEnd(end: String) throws {
    let clip = try SampleMedia.clip(
      name: "large.mp4",
      arguments: ["-f", "lavfi", "-i", "testsrc2=size=3840x2160:rate=10:duration=1", "-c:v", "mpeg4", "-q:v", "3"])
    let folder = try TemporaryFolder()
    let run = try PlayerRun(["--paused", clip]) { $0.directory = folder.path }
    try run.waitUntilPaused()
    run.process.send(String(repeating: "s", count: 60))
    try run.wait(for: "saved large")
    let started = ProcessInfo.processInfo.systemUptime
    switch end {
    case "q": run.process.send("q")
    case "term": run.process.signal(SIGTERM)
    default: run.process.signal(SIGHUP)
    }
    let code: Int32 = end == "q" ? 1 : end == "term" ? 128 + SIGTERM : 128 + SIGHUP
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(code))
    #expect(ProcessInfo.processInfo.systemUptime - started < 3)
    run.expectRestored()
    let text = run.screen.text.joined()
    let told = try #require(text.firstMatch(of: /([0-9]+) of ([0-9]+) frames were not saved: large-0/), "\(run.screen)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let isWhole = files.allSatisfy { $0.hasPrefix("large-") && $0.hasSuffix(".png") }
    #expect(isWhole && told.2 == "60" && Int(told.1).map { $0 + files.count } == 60, "\(files)")
  }

  /// The files that a movie is made of are read with it.
  @Test(arguments: [
    ["frame", "MOVIE", "--at", "0", "-o", "PIECE", "--format", "png"], ["thumbnails", "MOVIE", "-o", "PIECE", "--format", "png"],
    ["render", "MOVIE", "-o", "PIECE"], ["render", "MOVIE", "-o", "x.mkv", "--log", "PIECE"], ["info", "--log", "PIECE", "MOVIE"],
    ["--stats", "PIECE", "MOVIE"], ["--dump-screen", "PIECE", "MOVIE"], ["--subs", "TEXT", "--stats", "TEXT", "PIECE"],
    ["--subs", "TEXT", "--log", "TEXT", "PIECE"], ["--stats", "PIECE", "STORY"], ["--log", "LIST", "LIST"],
    ["storyboard", "import", "STORY", "-o", "PIECE"], ["frame", "PIECE", "--at", "0", "-o", "TEXT", "--format", "png"],
  ])
  func noPieceIsOverwritten(line: [String]) throws {
    let folder = try TemporaryFolder()
    let piece = try PlayerClips.copy(in: folder, named: "piece.mp4")
    let (movie, text) = (folder.path("movie.yaml"), folder.path("piece.srt"))
    try "quadrille: movie 1\npieces:\n  - clip: piece.mp4\n".write(toFile: movie, atomically: false, encoding: .utf8)
    try "1\n00:00:00,000 --> 00:00:01,000\nOne\n".write(toFile: text, atomically: false, encoding: .utf8)
    let (story, list) = (folder.path("story.twee"), folder.path("list.m3u"))
    try ":: Start\nclip: piece.mp4\n".write(toFile: story, atomically: false, encoding: .utf8)
    try "piece.mp4\n".write(toFile: list, atomically: false, encoding: .utf8)
    let names = ["PIECE": piece, "MOVIE": movie, "TEXT": text, "STORY": story, "LIST": list]
    let before = try ["PIECE", "TEXT", "LIST"].map { try Data(contentsOf: URL(fileURLWithPath: names[$0] ?? "")) }
    let run = try CommandRun(line.map { names[$0] ?? $0 })
    #expect([.exited(1), .exited(2)].contains(run.status) && run.errors.contains("refusing to overwrite an input file"), "\(run.errors)")
    #expect(try ["PIECE", "TEXT", "LIST"].map { try Data(contentsOf: URL(fileURLWithPath: names[$0] ?? "")) } == before)
  }
}
