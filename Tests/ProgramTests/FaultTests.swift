import Foundation
import Glibc
import TerminalHarness
import TestSupport
import Testing

/// Faulty clips say what is wrong in plain words, and the other panes play.
@Suite(.timeLimit(.minutes(10))) struct FaultTests {
  private static let wide = (columns: 161, rows: 33)

  /// Plays faulty clips beside a good one and expects these words.
  private func play(
    _ clips: [String], saying words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try PlayerRun(
      clips + [PlayerClips.smooth()], columns: Self.wide.columns, rows: Self.wide.rows)
    for word in words { try run.wait(for: word, sourceLocation: sourceLocation) }
    try run.wait("the good one plays", sourceLocation: sourceLocation) {
      $0.contains("► 0:0") && $0.contains("/0:20")
    }
    // Keys pass the faulty ones by.
    run.process.send(" ")
    try run.waitUntilPaused(sourceLocation: sourceLocation)
    run.process.send("5")
    try run.wait("the good one is in the middle", sourceLocation: sourceLocation) { $0.contains("0:10.0") }
    try run.quitAndCompare(sourceLocation: sourceLocation)
    let panes = try run.statistics().panes
    #expect(
      panes.map { $0.error != nil } == clips.map { _ in true } + [false], sourceLocation: sourceLocation)
  }

  @Test func missingFolderDevice() throws {
    try play(
      ["/nowhere/at all.mp4", "/usr", "/dev/null"], saying: ["no such file", "is a folder", "is a device"])
  }

  @Test func emptyGarbageAndWords() throws {
    try play(
      [SampleClip.empty.path(), SampleClip.notMedia.path(), SampleMedia.words()],
      saying: ["is empty", "is damaged or not a", "no video track"])
  }

  @Test func networkPlaylistAndUnknownCodec() throws {
    let playlist = try SampleMedia.file(name: "list.m3u8", key: ["1"]) {
      try "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n/etc/passwd\n#EXT-X-ENDLIST\n".write(
        toFile: $0, atomically: true, encoding: .utf8)
    }
    try play(
      ["http://example.invalid/a.mp4", playlist, unknownCodec()],
      saying: ["host not found", "is an HLS playlist", "ZQZQ"])
  }

  /// Words for people: nothing of what the decoding libraries call it.
  @Test func garbageIsCalledSo() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 7)
    let noise = Data((0..<100_000).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    let unknown = ["is not a clip, or is damaged at the start", "is damaged or not a clip"]
    let contents: [(String, Data, [String])] = [
      ("noise.mp4", noise, unknown), ("noise.bin", noise, unknown), ("zeros.mp4", Data(count: 100_000), unknown),
      ("head.mkv", Data([0x1A, 0x45, 0xDF, 0xA3]) + noise, unknown),
      (
        "words.txt", Data(String(repeating: "all sorts of words\n", count: 999).utf8), ["is a text file, not a clip"]
      ),
    ]
    for (name, data, _) in contents { try data.write(to: URL(fileURLWithPath: folder.path(name))) }
    for (name, _, words) in contents {
      let run = try PlayerRun([folder.path(name)])
      #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
      let error = try run.statistics().panes[0].error ?? "none"
      #expect(words.contains(error), "\(name): \(error)")
      run.expectRestored()
    }
  }

  @Test func aVideoWithoutItsHeadersIsDamaged() throws {
    let source = try SampleMedia.clip(
      name: "theora.ogv",
      arguments: SampleMedia.numbered(width: 64, height: 48, rate: "10", seconds: 1) + [
        "-pix_fmt", "yuv420p", "-c:v", "libtheora",
      ])
    let clip = try SampleMedia.file(name: "headless.mkv", key: [source, "3"]) { path in
      try MediaTool.run("ffmpeg", ["-v", "error", "-nostdin", "-i", "file:" + source, "-c", "copy", "file:" + path])
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let first = try #require(bytes.range(of: Data([0x80] + Array("theora".utf8))))
      // The three headers are laced: before them stand a 2 and the lengths of the first two.
      bytes[first.lowerBound - 3] = 7
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    let run = try PlayerRun([clip])
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
    #expect(try run.statistics().panes[0].error == "is damaged: invalid video headers")
  }

  private func unknownCodec() throws -> String {
    let source = try SampleClip.mjpegAVI.path()
    return try SampleMedia.file(name: "unknown.avi", key: [source]) { path in
      var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
      for name in ["MJPG", "mjpg"] {
        while let range = bytes.range(of: Data(name.utf8)) {
          bytes.replaceSubrange(range, with: Data("ZQZQ".utf8))
        }
      }
      try bytes.write(to: URL(fileURLWithPath: path))
    }
  }

  @Test func aPipeThatNobodyWritesToHoldsNobody() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe.ts")
    #expect(mkfifo(pipe, 0o600) == 0)
    let run = try PlayerRun([pipe, PlayerClips.smooth()], columns: Self.wide.columns)
    try run.wait("the other one plays") { $0.contains("► 0:0") && $0.contains("/0:20") }
    run.process.send("\tc")
    try run.wait("the other one is gone") { !$0.contains("smooth.mp4") }
    run.quit()
    #expect(!run.process.hasLivingProcesses)
  }

  @Test func aTruncatedClipPlaysAndSaysSo() throws {
    let run = try PlayerRun(["--speed", "4", SampleClip.truncated.path()])
    try run.wait(for: "ends early")
    try run.wait("stands at its last frame") { $0.contains("■") && $0.contains("#") }
    #expect((run.numbersShown.first ?? 0) > 30)
    try run.quitAndCompare()
    #expect(try run.statistics().panes[0].shown > 0)
  }

  /// Its header comes first, so that all but the data is told.
  @Test func aClipThatIsCutOffIsTheLengthThatItAnnounces() throws {
    let folder = try TemporaryFolder()
    let whole = try SampleMedia.clip(
      name: "faststart.mp4", arguments: ["-i", PlayerClips.smooth(), "-c", "copy", "-movflags", "+faststart"])
    let path = folder.path("cut.mp4")
    let data = try Data(contentsOf: URL(fileURLWithPath: whole))
    try data.prefix(data.count / 3).write(to: URL(fileURLWithPath: path))
    let run = try PlayerRun(["--speed", "8", path])
    try run.wait("it says so at its end, and how long it is") {
      $0.contains("■") && $0.contains("/0:20") && $0.contains("cut.mp4 ends early, at 0:0")
    }
    run.quit()
    let listing = try CommandRun(["frames", path])
    #expect(listing.status == .exited(1) && listing.errors.contains("the listing is incomplete"))
    #expect(listing.output.split(separator: "\n").count > 100)
    let frame = try CommandRun(["frame", path, "--at", "15", "-o", folder.path("a.png")])
    #expect(frame.status == .exited(0) && frame.errors.contains("is truncated"))
    #expect(try CommandRun(["info", path]).output.contains("the file is truncated"))
    #expect(try CommandRun(["frames", whole]).status == .exited(0))
  }

  /// The container names no length, and the time stamps end where the data do.
  @Test func aTransportStreamThatBreaksOffSaysSo() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("part.ts")
    let whole = try Data(contentsOf: URL(fileURLWithPath: TimingClip.openGOPTransport.path()))
    try whole.prefix(whole.count / 188 * 2 / 3 * 188 + 50).write(to: URL(fileURLWithPath: path))
    let run = try PlayerRun(["--speed", "4", path])
    try run.wait(for: "ends early, at 0:0")
    try run.wait("stands at its last frame") { $0.contains("■") && $0.contains("#") }
    try run.quitAndCompare()
  }

  @Test func damageInTheMiddleIsPassed() throws {
    let run = try PlayerRun(["--exit-at-end", "--speed", "2", SampleClip.corrupted.path()])
    var last = 0
    _ = run.process.run(timeout: PlayerRun.patience) { screen in
      last = max(last, screen.frameNumber(column: 0, row: 1, width: 64, height: 18) ?? 0)
      return false
    }
    #expect(run.process.exitStatus == .exited(0) && (80...89).contains(last))
    run.expectRestored()
  }

  @Test func namesAreOpenedLiterally() throws {
    let folder = try TemporaryFolder()
    let names = ["a:b.mp4", "%03d.mp4", "concat:x.mp4", "-x.mp4"]
    for name in names { _ = try PlayerClips.copy(in: folder, named: name) }
    let run = try PlayerRun(
      ["--paused", "--"] + names, columns: Self.wide.columns, rows: Self.wide.rows
    ) { $0.directory = folder.path }
    try run.waitUntilPaused(panes: 4)
    for (index, name) in names.enumerated() { #expect(run.screen.contains("\(index + 1) \(name)")) }
    run.quit()
    let panes = try run.statistics().panes
    #expect(panes.map(\.clip) == names && panes.allSatisfy { $0.error == nil && $0.shown > 0 })
  }

  @Test func namesAndTitlesCannotSteerTheTerminal() throws {
    let folder = try TemporaryFolder()
    let nasty = "\u{1B}[31m\u{1B}]0;owned\u{7}\u{1B}[?1049l\u{9B}2J\r\nname \u{202E}gpj.mp4"
    let named = try PlayerClips.copy(in: folder, named: nasty)
    let source = try PlayerClips.short()
    let titled = try SampleMedia.clip(
      name: "titled.mkv",
      arguments: [
        "-i", "file:" + source, "-c", "copy", "-metadata", "title=A \u{1B}[2J\u{1B}]2;owned\u{7} title",
      ])
    let run = try PlayerRun(
      ["--paused", named, titled, folder.path("missing\u{1B}[5m\u{7}")], columns: 150, rows: 30)
    try run.waitUntilPaused(panes: 2)
    try run.wait(for: "no such file")
    run.process.send("i")
    try run.wait(for: "decoded")
    #expect(run.screen.contains("name ") && run.screen.contains(" title"))
    #expect(run.screen.title == "" && run.process.bells == 0 && run.screen.isAlternateScreen)
    #expect(!run.screen.cells.contains { $0.isBlinking })
    try run.quitAndCompare()
    #expect(run.process.bells == 0 && run.screen.title == "")
    run.expectRestored()
  }

  @Test func errorsOnTheCommandLineCannotSteerTheTerminal() throws {
    let run = try PlayerRun(["/nowhere/\u{1B}[5m\u{7}\u{1B}]0;owned\u{7}x.mp4"])
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
    #expect(run.process.bells == 0 && run.screen.title == "" && run.screen.contains("no such file"))
    let info = try CommandRun(["info", "/nowhere/\u{1B}[5m\u{7}x.mp4"])
    #expect(info.status == .exited(1) && !(info.output + info.errors).contains("\u{1B}"))
    let many = try CommandRun(["--start", "\u{1B}[5mx", "a.mp4"])
    #expect(many.status != .exited(0))
  }

  @Test func fiveClipsAreTooMany() throws {
    let clip = try PlayerClips.short()
    let run = try CommandRun([clip, clip, clip, clip, clip])
    #expect(run.status != .exited(0) && run.errors.contains("more than four clips"))
  }

  /// Runs a command as a user who may start no more threads; root may start any number.
  private static let withoutThreads = [
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "prlimit", "--nproc=1",
  ]
  private static let canLimitThreads =
    getuid() == 0 && ["setpriv", "prlimit"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

  @Test(.enabled(if: canLimitThreads, "only root can take another user's rights"), arguments: ["frame", "thumbnails"])
  func withoutThreadsFramesAreRefused(command: String) throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.copy(in: folder, named: "clip.mp4")
    for path in [folder.path, clip] { #expect(chmod(path, 0o777) == 0) }
    let run = try CommandRun(
      [command, clip, "-o", folder.path("a.png")] + (command == "frame" ? ["--at", "1"] : []),
      environment: ["HOME": folder.path], launcher: Self.withoutThreads.joined(separator: " "))
    #expect(run.status == .exited(1) && run.errors.contains("cannot start a thread"), "\(run.errors)")
  }

  @Test(.enabled(if: canLimitThreads, "only root can take another user's rights"), arguments: [[], ["--untimed"]])
  func withoutThreadsPlayingEndsWithTheReason(options: [String]) throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.copy(in: folder, named: "clip.mp4")
    for path in [folder.path, clip] { #expect(chmod(path, 0o777) == 0) }
    let program = try #require(ProgramUnderTest.path)
    var settings = TerminalProcess.Options()
    settings.environment = ["HOME": folder.path, "XDG_CONFIG_HOME": nil]
    // The reason on one line.
    settings.columns = 200
    let wrapper = Self.withoutThreads
    let process = try TerminalProcess(
      wrapper[0], Array(wrapper.dropFirst()) + [program] + options + [clip], options: settings)
    let status = process.runUntilExit(timeout: PlayerRun.patience)
    #expect(status == .exited(1))
    #expect(process.screen.contains("cannot start a thread"), "\(process.screen)")
  }
}
