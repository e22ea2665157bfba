import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Options, reports and the commands beside playing.
@Suite(.timeLimit(.minutes(10))) struct OptionTests {
  @Test func untimedShowsEveryFrame() throws {
    let run = try PlayerRun(["--untimed", PlayerClips.short(), PlayerClips.upright()], columns: 50, rows: 12)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    run.expectRestored()
    let figures = try run.statistics()
    #expect(figures.panes.map(\.shown) == [60, 500])
    #expect(figures.panes.map(\.skipped) == [0, 0])
    #expect(figures.panes.allSatisfy { $0.decoded >= $0.shown && $0.error == nil })
    #expect(figures.frames_sent > 100 && figures.bytes > 10_000)
    #expect(figures.bytes <= run.process.bytesReceived)
    #expect(figures.cpu_s > 0 && figures.wall_s > 0 && figures.peak_rss_mb > 1)
  }

  /// Invisible details are left out while frames move, except with `--quality exact`.
  @Test func movingFramesTakeFewerBytes() throws {
    func figures(_ quality: String) throws -> RunStatistics {
      let run = try PlayerRun(["--untimed", "--quality", quality, grain()], columns: 80, rows: 24)
      #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
      let figures = try run.statistics()
      #expect(figures.panes.map(\.shown) == [60])
      return figures
    }
    let (exact, high) = (try figures("exact"), try figures("high"))
    #expect(high.bytes < exact.bytes * 9 / 10, "\(high) of \(exact)")
    // 60 stands for exact; without it no update is worse than what cannot be seen.
    #expect(exact.psnr_db.p5 == 60 && exact.psnr_db.p50 == 60)
    #expect((46..<60).contains(high.psnr_db.p5 ?? 0), "\(high.psnr_db)")
  }

  /// Nothing is left out of a frame that stands: one that is paused at, and one that is stepped to right out of playing.
  @Test(arguments: [" ", "."]) func framesThatStandAreExact(key: String) throws {
    let run = try PlayerRun(["--quality", "high", "--loop", "--colors", "24bit", grain()], columns: 120, rows: 40)
    try run.waitUntilMoving()
    run.process.send(key)
    try run.waitUntilPaused()
    try run.waitUntilStill()
    try run.quitAndCompare()
  }

  /// Grain that was held still while frames moved is there when they stand: as in the same frame when it is stepped to.
  @Test(arguments: ["256", "16", "mono"]) func grainIsThereWhereFramesStand(colors: String) throws {
    let run = try PlayerRun(["--loop", "--colors", colors, grain()], columns: 120, rows: 40)
    try run.waitUntilMoving()
    run.process.send(" ")
    try run.waitUntilPaused()
    try run.waitUntilStill()
    let number = try #require(run.numbersShown.first)
    // The two halves of a cell may be drawn either way round.
    func pixels() -> ScreenPixels { ScreenPixels(run.screen).part(x: 0, y: 4, width: 120, height: 68) }
    let stood = pixels()
    for (key, place) in [(".", number + 1), (",", number)] {
      run.process.send(key)
      try run.wait("frame \(place)") { _ in run.numbersShown == [place] }
      try run.waitUntilStill()
    }
    #expect(pixels() == stood)
    try run.quitAndCompare()
  }

  /// Soft colours with grain, of which some cannot be seen.
  private func grain() throws -> String {
    try SampleMedia.clip(
      name: "grain.mkv",
      arguments: [
        "-f", "lavfi", "-i", "\(Self.gradient):rate=30,format=yuv444p,noise=alls=5:allf=t:all_seed=1", "-c:v", "ffv1",
      ])
  }

  /// Through ssh no variable tells of 24 bits: a terminal that answers what it draws with has them.
  @Test(arguments: [true, false]) func colorsOf24BitsAreFoundByAsking(answersQueries: Bool) throws {
    let run = try PlayerRun(["--paused", gradients()]) { $0.answersQueries = answersQueries }
    try run.waitUntilPaused()
    try run.waitUntilStill()
    let hasDirect = run.screen.cells.contains { cell in
      [cell.foreground, cell.background].contains { if case .rgb = $0 { true } else { false } }
    }
    #expect(hasDirect == answersQueries)
    run.quit()
  }

  @Test func ditheringIsWhatIsAskedFor() throws {
    /// Returns the number of cells that differ from the one on their left.
    func edges(_ dithering: String) throws -> Int {
      let run = try PlayerRun(["--paused", "--colors", "256", "--dither", dithering, gradients()])
      try run.waitUntilPaused()
      try run.waitUntilStill()
      let cells = run.screen.cells[(2 * run.screen.columns)..<(17 * run.screen.columns)]
      run.quit()
      return zip(cells, cells.dropFirst()).count { $0 != $1 }
    }
    let counts = try ["off", "low", "full"].map(edges)
    #expect(counts[0] < counts[1] && counts[1] < counts[2], "\(counts)")
  }

  /// Soft colours without grain.
  private func gradients() throws -> String {
    try SampleMedia.clip(
      name: "gradients.mkv",
      arguments: ["-f", "lavfi", "-i", "\(Self.gradient):rate=10", "-c:v", "ffv1"])
  }

  /// With all that ffmpeg would else choose anew each time, whatever the seed.
  private static let gradient = "gradients=size=320x180:duration=2:seed=1:c0=0x103050:c1=0xe0b080:x0=0:y0=0:x1=319:y1=179"

  /// exec(2) keeps the counters of what the process was before.
  @Test func thePeakOfMemoryIsTheProgramsOwn() throws {
    let folder = try TemporaryFolder()
    let program = try #require(ProgramUnderTest.path, "the program has not been built")
    let path = folder.path("stats.json")
    let process = try TerminalProcess(
      "perl",
      [
        "-e", "my $large = 'x' x 900_000_000; exec @ARGV", program, "--untimed", "--stats", path,
        PlayerClips.short(),
      ])
    #expect(process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    let figures = try JSONDecoder().decode(RunStatistics.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    #expect((5..<800).contains(figures.peak_rss_mb))
  }

  @Test func theLibrariesTalkToALogOnly() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    let damaged = try SampleClip.corrupted.path()
    let run = try PlayerRun(["--untimed", "--log", log, damaged])
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    run.expectRestored()
    #expect(run.screen.text.allSatisfy { $0.allSatisfy { $0 == " " } }, "\(run.screen)")
    let lines = try String(contentsOfFile: log, encoding: .utf8)
    #expect(lines.contains("[h264 @ ") && lines.hasSuffix("\n") && !lines.contains("\n\n"))
    let frames = try CommandRun(["frames", damaged])
    #expect(frames.errors == "")
    let refused = try CommandRun(["info", "--log", folder.path("no/log"), damaged])
    #expect(refused.status == .exited(2) && refused.errors.contains("no/log: cannot be written: no such file"))
  }

  @Test(arguments: [
    (["--sp"], "--speed"), (["--colors", "24"], "24bit"), (["a.mp4", "--lay"], "--layout"),
    (["--layout", "c"], "column"), (["in"], "info"), (["info", "--js"], "--json"), (["frames", "--ord"], "--order"),
  ])
  func bashCompletes(line: [String], expected: String) throws {
    let script = """
      program=$1
      shift
      source <("$program" --generate-completion-script bash)
      COMP_WORDS=(quadrille "$@")
      COMP_CWORD=$#
      $(complete -p quadrille | sed 's/.*-F //; s/ .*//') quadrille "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let program = try #require(ProgramUnderTest.path, "the program has not been built")
    let process = try TerminalProcess("bash", ["-c", script, "bash", program] + line)
    #expect(process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    let words = process.screen.text.joined(separator: " ").split(separator: " ")
    #expect(words == [expected[...]])
  }

  @Test func untimedWaitsForASlowTerminal() throws {
    let run = try PlayerRun(["--untimed", "--colors", "mono", PlayerClips.short()], columns: 30, rows: 8) {
      $0.bytesPerSecond = 30_000
    }
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    #expect(try run.statistics().panes[0].shown == 60)
  }

  @Test(arguments: [2.0, 8.0])
  func theFiguresAddUp(speed: Double) throws {
    let clips = try [PlayerClips.short(), "/nowhere/else.mp4"]
    let run = try PlayerRun(["--exit-at-end", "--speed", "\(speed)"] + clips)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    let figures = try run.statistics()
    let pane = try #require(figures.panes.first)
    #expect(figures.panes.map(\.clip) == clips)
    // At eight times the speed, a busy machine shows few frames of a quarter of a second.
    // There, a frame may be taken for the screen and be replaced before it is sent.
    let counted = pane.shown + pane.skipped
    #expect(
      (counted == 60 || (speed > 4 && counted == 59)) && pane.shown > 3 && pane.decoded >= pane.shown,
      "\(pane.shown) shown, \(pane.skipped) skipped, \(pane.decoded) decoded")
    #expect(abs(pane.played_s - 2 / speed) < 0.1)
    #expect(pane.late_ms.p50 <= pane.late_ms.p95 && pane.late_ms.p95 <= pane.late_ms.max)
    #expect(pane.error == nil && figures.panes[1].error == "no such file" && figures.panes[1].shown == 0)
  }

  @Test func untimedEndsAtTheEndAlsoWhereClipsAreToLoop() throws {
    let run = try PlayerRun(["--untimed", "--loop", PlayerClips.short()])
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
  }

  @Test func aReportThatCannotBeWrittenIsSaidBeforehand() throws {
    let run = try PlayerRun(["--stats", "/nowhere/report.json", PlayerClips.short()])
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(2))
    #expect(run.screen.contains("/nowhere/report.json: cannot be written: no such file"))
  }

  @Test func theReportHasTheKeysOfTheManual() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("report.json")
    let run = try PlayerRun(["--untimed", "--stats", path, SampleClip.png.path()])
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
    #expect(Set(object.keys) == [
        "panes", "bytes", "frames_sent", "psnr_db", "update_bytes", "bytes_per_s", "round_trip_ms", "cpu_s", "peak_rss_mb",
        "wall_s",
      ])
    let pane = try #require((object["panes"] as? [[String: Any]])?.first)
    #expect(
      Set(pane.keys) == ["clip", "decoded", "shown", "skipped", "played_s", "late_ms", "seek_ms", "error"])
    #expect(Set((pane["late_ms"] as? [String: Any] ?? [:]).keys) == ["p50", "p95", "max"])
    #expect(Set((pane["seek_ms"] as? [String: Any] ?? [:]).keys) == ["count", "p50", "p95", "max"])
  }

  @Test func startAndSpeed() throws {
    let run = try PlayerRun(["--start", "1:40", "--speed", "2", "--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    try run.waitUntilStill()
    #expect(run.frameNumber() == 1000 && run.screen.text.last?.hasSuffix("×2.00") ?? false)
    run.quit()
    let byNumber = try PlayerRun(["--start", "#777", "--paused", PlayerClips.timeline()])
    try byNumber.wait("frame 777") { $0.frameNumber(column: 0, row: 1, width: 64, height: 18) == 777 }
    try byNumber.waitUntilPaused()
    try byNumber.waitUntilStill()
    #expect(byNumber.numbersShown == [777])
    byNumber.quit()
  }

  @Test func loopGoesOn() throws {
    let run = try PlayerRun(["--loop", "--speed", "4", "--exit-at-end", PlayerClips.short()])
    try run.wait(for: "repeat")
    // Twice over the end.
    for _ in 0..<2 {
      try run.wait("near the end") { ($0.frameNumber(column: 0, row: 1, width: 64, height: 18) ?? 0) > 35 }
      try run.wait("near the beginning") {
        ($0.frameNumber(column: 0, row: 1, width: 64, height: 18) ?? 99) < 25
      }
    }
    run.quit()
  }

  @Test func clipsAndListsArePlayedSoManyTimes() throws {
    let clip = try PlayerClips.short()
    let run = try PlayerRun(["--loop-count", "3", "--speed", "8", "--exit-at-end", clip, "\(clip),\(clip)"], columns: 80)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    let panes = try run.statistics().panes
    // The figures of a list are those of the clip that was played last.
    #expect(panes.count == 2 && abs(panes[0].played_s - 6 / 8) < 0.1, "\(panes)")
    for arguments in [["--loop-count", "0"], ["--loop", "--loop-count", "2"], ["--loop-count", "often"]] {
      #expect(try CommandRun(arguments + [clip]).status == .exited(64), "\(arguments)")
    }
  }

  @Test func panesStartTogetherAndStayTogether() throws {
    let clip = try PlayerClips.timeline()
    let run = try PlayerRun(["--layout", "row", clip, clip], columns: 129)
    try run.wait("it moves") { $0.contains("0:01/") }
    run.process.send(" ")
    try run.waitUntilPaused(panes: 2)
    try run.waitUntilStill()
    let numbers = run.numbersShown
    #expect(numbers.count == 2 && numbers[0] == numbers[1])
    #expect(run.frameNumber() == numbers[0] && run.frameNumber(column: 65) == numbers[0])
    try run.quitAndCompare()
  }

  @Test func oneThreadPlaysFourClips() throws {
    let clip = try PlayerClips.short()
    let run = try PlayerRun(
      ["--threads", "1", "--exit-at-end", clip, clip, clip, clip], columns: 60, rows: 20)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    #expect(try run.statistics().panes.allSatisfy { $0.shown > 5 && $0.shown + $0.skipped == 60 })
  }

  @Test func settingsAreReadFromTheirUsualPlace() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("quadrille"), withIntermediateDirectories: true)
    let settings = folder.path("quadrille/settings.yaml")
    try "defaults:\n  paused: true\n  speed: 2\n  loop: true\n".write(
      toFile: settings, atomically: true, encoding: .utf8)
    let run = try PlayerRun(["--no-loop", PlayerClips.timeline()]) {
      $0.environment["XDG_CONFIG_HOME"] = folder.path
    }
    try run.waitUntilPaused()
    #expect(run.screen.contains("×2.00") && !run.screen.contains("repeat"))
    run.quit()

    try "defaults:\n  paused: true\n  sped: 2\n".write(toFile: settings, atomically: true, encoding: .utf8)
    let faulty = try CommandRun([PlayerClips.timeline()], environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(faulty.status == .exited(2))
    #expect(faulty.errors.contains("\(settings):3: ") && faulty.errors.contains("sped"))
  }

  @Test func badOptionsAreSaidInASentence() throws {
    for (arguments, word) in [
      (["--speed", "0", "x.mp4"], "speed"), (["--speed", "99", "x.mp4"], "speed"),
      (["--speed", "nan", "x.mp4"], "speed"), (["--threads", "0", "x.mp4"], "threads"),
      (["--colors", "7", "x.mp4"], "colors"), (["--start", "soon", "x.mp4"], "start"), ([], "clip"),
      (["frames", "--stream=-1", "x.mp4"], "counted from 0"),
      (["--settings", "/nowhere/s.yaml", "x.mp4"], "/nowhere/s.yaml"), (["--wat", "x.mp4"], "--wat"),
    ] {
      let run = try CommandRun(arguments)
      #expect(run.status != .exited(0), "\(arguments)")
      #expect(run.errors.contains(word) && run.output.isEmpty, "\(arguments): \(run.errors)")
    }
  }

  @Test func versionAndHelp() throws {
    let version = try CommandRun(["--version"])
    #expect(version.status == .exited(0) && version.output.hasPrefix("quadrille ") && version.errors.isEmpty)
    let help = try CommandRun(["--help"])
    let play = try CommandRun(["play", "--help"])
    let info = try CommandRun(["info", "--help"])
    #expect([help, play, info].allSatisfy { $0.status == .exited(0) && $0.errors.isEmpty })
    for option in [
      "--start", "--speed", "--paused", "--loop", "--linked", "--layout", "--gravity", "--colors", "--dither", "--quality", "--max-rate",
      "--cell-aspect", "--max-bitrate",
      "--threads", "--mouse", "--info", "--exit-at-end", "--untimed", "--stats", "--settings",
    ] {
      #expect(help.output.contains(option) || play.output.contains(option), "\(option)")
    }
    // A person types --help, not play --help.
    for option in ["--start", "--speed", "--paused", "--loop", "--linked", "--version", "--colors", "info"] {
      #expect(help.output.contains(option), "\(option)\n\(help.output)")
    }
    for line in (help.output + play.output + info.output).split(separator: "\n") {
      #expect(line.count <= 100, "\(line)")
    }
    #expect(!help.output.contains("dump-screen"))
  }

  @Test func infoTellsWhatClipsContain() throws {
    let clips = try [SampleClip.tracksAndChapters.path(), SampleClip.audioOnly.path(), SampleMedia.words(), "/nowhere.mp4"]
    let text = try CommandRun(["info"] + clips)
    #expect(text.status == .exited(1))
    for word in [
      "A titled clip", "320×180", "30 fps", "Middle", "German", "nothing playable", "no such file",
    ] { #expect((text.output + text.errors).contains(word), "\(word)\n\(text.output)") }
    let json = try CommandRun(["info", "--json"] + clips.prefix(2))
    #expect(json.status == .exited(0) && json.errors.isEmpty)
    let reports = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    #expect(reports.count == 2)
    #expect(reports[0]["title"] as? String == "A titled clip" && reports[0]["playable"] as? Bool == true)
    #expect(abs((reports[0]["duration_s"] as? Double ?? 0) - 3) < 0.2)
    #expect((reports[0]["tracks"] as? [Any])?.count == 6 && (reports[0]["chapters"] as? [Any])?.count == 3)
    #expect(reports[1]["characteristics"] as? [String] == ["audible"])
  }

  @Test func withoutATerminalItSaysSo() throws {
    let run = try CommandRun([PlayerClips.short()], hasTerminal: false)
    #expect(run.status == .exited(2) && run.output.isEmpty)
    #expect(run.errors.contains("no terminal:"))
    let info = try CommandRun(["info", PlayerClips.short()], hasTerminal: false)
    #expect(info.status == .exited(0) && info.output.contains("160×90"))
  }

  /// With its streams redirected it plays on the controlling terminal.
  @Test func redirectedStreamsDoNotMatter() throws {
    let run = try CommandRun(["--exit-at-end", "--speed", "16", PlayerClips.short()])
    #expect(run.status == .exited(0) && run.output.isEmpty && run.errors.isEmpty)
  }
}
