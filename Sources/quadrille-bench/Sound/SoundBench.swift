import ArgumentParser
import Foundation
import TerminalHarness
import TestSupport

/// Measures how exactly sound and frames are together, from outside.
struct SoundBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sound", abstract: "Measure sound against frames.",
    discussion: "Rows: sync, seek, large, load, speed, joint, panes. Needs pulseaudio and parec.")

  @Option(help: "Program to measure.")
  var program: String

  @Option(help: "Number of runs per figure; the median is reported.")
  var rounds = 1

  @Option(help: "Measure only this row; can be repeated.")
  var row: [String] = []

  /// The least time in seconds over which drift is measured.
  private static let long = 60.0
  private static let small = (columns: 80, rows: 24)

  func run() throws {
    guard PulseServer.isInstalled else { throw BenchError("pulseaudio or parec is not installed") }
    progress("making clips")
    let clips = try SoundClips()
    let measurements: [(name: String, measure: (SoundClips) throws -> [TableRow])] = [
      ("sync", sync), ("seek", seek), ("large", large), ("load", load), ("speed", speed), ("joint", joint), ("panes", panes),
    ]
    var rows: [TableRow] = []
    for (name, measure) in measurements where row.isEmpty || row.contains(name) {
      progress(name)
      rows += try measure(clips)
    }
    print(TableRow.table(rows))
  }

  /// Runs the program with frames that fill all of the screen above the bar.
  private func runs(
    _ arguments: [String], _ clips: SoundClips, size: (columns: Int, rows: Int) = small, seconds: Double, noise: [Float]? = nil,
    speed: Double = 1, joins: Bool = false, actions: [SyncRun.Action] = []
  ) throws -> [SyncRun] {
    try (1...max(1, rounds)).map { round in
      if rounds > 1 { progress("  \(round)/\(rounds)") }
      return try SyncRun(
        [program, "--gravity", "stretch"] + arguments, columns: size.columns, rows: size.rows,
        image: (size.columns, 2 * (size.rows - 1)), seconds: seconds, noise: noise ?? clips.noise, speed: speed, joins: joins,
        actions: actions)
    }
  }

  private func median95(_ run: SyncRun) -> (median: Double, p95: Double) {
    let offsets = run.steadyOffsets.map(\.milliseconds)
    return offsets.isEmpty ? (.nan, .nan) : (quadrille_bench.median(offsets), percentile(offsets.map(abs), 0.95))
  }

  private func faults(_ runs: [SyncRun]) -> [Double] { runs.map { Double($0.trace.gaps.count + $0.trace.splices.count) } }

  private func sync(_ clips: SoundClips) throws -> [TableRow] {
    let runs = try runs([clips.long], clips, seconds: Self.long)
    let figures = runs.map(median95)
    return [
      TableRow("80×24, 60 s: offset, median", figures.map { abs($0.median) }, atMost: 3, unit: " ms", digits: 1),
      TableRow("80×24, 60 s: offset, p95", figures.map(\.p95), atMost: 10, unit: " ms", digits: 1),
      TableRow("80×24, 60 s: drift per minute", runs.map { abs($0.drift) }, atMost: 2, unit: " ms", digits: 2),
      TableRow("80×24, 60 s: gaps and splices", faults(runs), atMost: 0, digits: 0, note: faultWords(runs)),
      TableRow(
        "80×24, first second: offset, p95", runs.map { beginning($0, since: $0.frames[0].host) }, atMost: 20, unit: " ms", digits: 1),
    ]
  }

  private func faultWords(_ runs: [SyncRun]) -> String {
    let words = runs.flatMap { run in
      run.trace.gaps.prefix(4).map { "\(text($0.host - run.frames[0].host, 1)) s: \(text(1000 * $0.length, 0)) ms of silence" }
        + run.trace.splices.prefix(4).map { "\(text($0.host - run.frames[0].host, 1)) s: \(text(1000 * $0.media, 2)) ms left out" }
    }
    return words.joined(separator: ", ")
  }

  /// The 95th percentile of the offset in the second after a moment.
  private func beginning(_ run: SyncRun, since host: Double) -> Double {
    let offsets = run.offsets.filter { $0.host >= host && $0.host < host + 1 }.map { abs($0.milliseconds) }
    return offsets.isEmpty ? .nan : percentile(offsets, 0.95)
  }

  private func seek(_ clips: SoundClips) throws -> [TableRow] {
    let actions = [6.0, 12, 18, 24].enumerated().map { index, time in
      SyncRun.Action(at: time) { $0.press(index % 2 == 0 ? .right : .left) }
    }
    let runs = try runs([clips.long], clips, seconds: 28, actions: actions)
    let first = runs.flatMap { run in run.actions.map { beginning(run, since: landing(run, after: $0)) } }
    let silences = runs.flatMap { run in
      run.actions.map { time in
        1000 * run.trace.gaps.filter { $0.host > time - 0.05 && $0.host < time + 2 }.map(\.length).reduce(0, +)
      }
    }
    return [
      TableRow("first second after a seek: offset, p95", first, atMost: 20, unit: " ms", digits: 1),
      TableRow("seek: silence", silences, atMost: 50, unit: " ms", digits: 0),
    ]
  }

  /// The moment of the first frame that is elsewhere after a seek.
  private func landing(_ run: SyncRun, after host: Double) -> Double {
    for (a, b) in zip(run.frames, run.frames.dropFirst()) where b.host > host {
      if abs(b.number - a.number) > SoundClips.framesPerSecond / 2 { return b.host }
    }
    return host
  }

  private func large(_ clips: SoundClips) throws -> [TableRow] {
    let runs = try runs([clips.long], clips, size: (200, 56), seconds: 30)
    return [
      TableRow("200×56: offset, p95", runs.map { median95($0).p95 }, atMost: 20, unit: " ms", digits: 1),
      TableRow("200×56: frames dropped", runs.map { 100 * $0.dropped }, atMost: 1, unit: " %", digits: 2),
    ]
  }

  private func load(_ clips: SoundClips) throws -> [TableRow] {
    let loops = try (0..<2).map { _ in try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "while :; do :; done"]) }
    defer { for loop in loops { loop.terminate() } }
    let runs = try runs([clips.long], clips, seconds: 30)
    return [
      TableRow("two busy loops: offset, p95", runs.map { median95($0).p95 }, atMost: 60, unit: " ms", digits: 1),
      TableRow("two busy loops: gaps and splices", faults(runs), atMost: 0, digits: 0, note: faultWords(runs)),
    ]
  }

  private func speed(_ clips: SoundClips) throws -> [TableRow] {
    let runs = try runs(["--speed", "1.5", clips.long], clips, seconds: 20, speed: 1.5)
    return [TableRow("speed 1.5: offset, median", runs.map { abs(median95($0).median) }, atMost: 8, unit: " ms", digits: 1)]
  }

  private func joint(_ clips: SoundClips) throws -> [TableRow] {
    let list = NSTemporaryDirectory() + "quadrille-bench-\(ProcessInfo.processInfo.processIdentifier).m3u"
    try Data((clips.halves.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: list))
    defer { try? FileManager.default.removeItem(atPath: list) }
    let runs = try runs([list], clips, seconds: Double(2 * SoundClips.half) - 1, noise: clips.halvesNoise, joins: true)
    let longest = runs.map { run in 1000 * (run.trace.gaps.map(\.length).max() ?? 0) }
    let splices = runs.map { run in run.trace.splices.map { abs($0.media) * Double(SoundClips.rate) }.max() ?? 0 }
    return [
      TableRow("joint of two items: longest gap", longest, atMost: 4, unit: " ms", digits: 0),
      TableRow("joint of two items: samples left out or repeated", splices, atMost: 0, digits: 0, note: faultWords(runs)),
    ]
  }

  private func panes(_ clips: SoundClips) throws -> [TableRow] {
    let seconds = 20.0
    func share(_ sound: String) throws -> Double {
      let server = try SoundRecording()
      var options = TerminalProcess.Options()
      (options.columns, options.rows, options.cellPixels) = (Self.small.columns, Self.small.rows, (8, 16))
      options.environment = [
        "COLORTERM": "truecolor", "PULSE_SERVER": server.address, "XDG_CONFIG_HOME": "/nonexistent", "XDG_STATE_HOME": "/nonexistent",
      ]
      let process = try TerminalProcess(
        program, ["--sound", sound] + [String](repeating: clips.compressed, count: 4), options: options)
      process.live(2)
      let begin = process.processorSeconds
      process.live(seconds)
      let used = process.processorSeconds - begin
      process.send("q")
      _ = process.runUntilExit(timeout: 10)
      return 100 * used / seconds
    }
    let pairs = try (1...max(1, rounds)).map { _ in (silent: try share("off"), heard: try share("focused")) }
    return [
      TableRow(
        "four panes, one heard: CPU against silence", pairs.map { $0.heard - $0.silent }, atMost: 3, unit: " %", digits: 1,
        note: "\(text(median(pairs.map(\.heard)), 1)) % − \(text(median(pairs.map(\.silent)), 1)) %")
    ]
  }
}
