import ArgumentParser
import Foundation
import TerminalHarness
import TestSupport

/// Measures aligning clips and measuring what differs, against decoding them.
struct MetricsBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: "Measure alignment and metrics.",
    discussion: "Takes a clip and an encode of it, then the same at 3840×2160. Rows: align, scores, cores, memory.")

  @OptionGroup var options: BenchOptions

  @Option(help: "An ffmpeg whose filters are measured beside; those of new versions are faster.")
  var ffmpeg = "ffmpeg"

  func validate() throws {
    guard options.clips.count == 4 else { throw ValidationError("Requires four clips.") }
  }

  func run() throws {
    let bench = options.workbench(rounds: 3)
    let measurements: [(name: String, measure: (Workbench) throws -> [TableRow])] = [
      ("align", align), ("scores", scores), ("cores", cores), ("memory", memory),
    ]
    var rows: [TableRow] = []
    for (name, measure) in measurements where options.wants(name) {
      progress(name)
      rows += try measure(bench)
    }
    print(TableRow.table(rows))
  }

  // MARK: - Runs

  private struct Cost {
    var cpu = 0.0
    var wall = 0.0
    var peakMegabytes = 0.0
  }

  /// Runs a program to its end.
  ///
  /// - Parameter cache: the folder of signatures.
  private func cost(_ bench: Workbench, _ program: String, _ arguments: [String], cache: String? = nil) throws -> Cost {
    var options = bench.options
    if let cache { options.environment["XDG_CACHE_HOME"] = cache }
    var cost = Cost()
    let begin = now()
    let process = try TerminalProcess(program, arguments, options: options)
    while process.exitStatus == nil, now() - begin < Workbench.patience {
      process.live(0.02)
      cost.peakMegabytes = process.peakMegabytes ?? cost.peakMegabytes
    }
    cost.wall = now() - begin
    guard process.exitStatus == .exited(0), let usage = process.usage else {
      throw BenchError("\(program) \(arguments.joined(separator: " ")): \(process.exitStatus.map { "\($0)" } ?? "does not end")\n\(process.screen)")
    }
    cost.cpu = usage.cpuSeconds
    return cost
  }

  private func compare(_ bench: Workbench, _ clips: ArraySlice<String>, _ options: [String], cache: String) throws -> Cost {
    try cost(bench, bench.program, ["compare"] + options + clips, cache: cache)
  }

  /// Calls `body` with an empty folder for signatures.
  private func withCache<R>(_ body: (String) throws -> R) throws -> R {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) { try body(folder.path) }
  }

  /// Calls `body` with a folder that has the clips' signatures: to make them, all frames are decoded once more.
  private func withSignatures<R>(_ bench: Workbench, _ body: (String) throws -> R) throws -> R {
    try withCache { cache in
      _ = try compare(bench, bench.clips[..<2], ["--metrics", "none"], cache: cache)
      return try body(cache)
    }
  }

  /// Decodes both clips, each with one thread, or with all.
  private func decode(_ bench: Workbench, filter: String? = nil, threads: Int? = 1) throws -> Cost {
    let limit = threads.map { ["-threads", "\($0)"] } ?? []
    let inputs = bench.clips[..<2].flatMap { limit + ["-i", $0] }
    let outputs = filter.map { ["-filter_complex_threads", "\(threads ?? 0)", "-lavfi", $0] } ?? ["-map", "0:v", "-map", "1:v"]
    return try cost(bench, ffmpeg, ["-v", "error", "-nostdin"] + inputs + outputs + ["-f", "null", "-"])
  }

  private static let filter = "[0:v]split[a][b];[1:v]split[c][d];[a][c]psnr,nullsink;[b][d]ssim"

  // MARK: - Rows

  private func align(_ bench: Workbench) throws -> [TableRow] {
    var passes: [Double] = [], alignments: [Double] = []
    for _ in 0..<bench.rounds {
      let floor = try decode(bench).cpu
      let (first, second) = try withCache { cache in
        // The second time, the signatures are known.
        try (
          compare(bench, bench.clips[..<2], ["--metrics", "none"], cache: cache).cpu,
          compare(bench, bench.clips[..<2], ["--metrics", "none"], cache: cache).cpu
        )
      }
      // What starting takes is no part of it.
      let start = try cost(bench, bench.program, ["info", bench.clips[0]]).cpu
      passes.append((first - second) / floor)
      alignments.append(max(0, second - start) * 1000 / Double(2 * Self.frames))
    }
    return [
      TableRow("signatures of both clips: CPU / decoding them", passes, atMost: 1.1),
      TableRow("aligning \(Self.frames) with \(Self.frames) frames: CPU of 1,000 frames", alignments, atMost: 0.3, unit: " s"),
    ]
  }

  private static let frames = 300

  private func scores(_ bench: Workbench) throws -> [TableRow] {
    var two: [Double] = [], three: [Double] = [], peers: [Double] = []
    try withSignatures(bench) { cache in
      for _ in 0..<bench.rounds {
        let floor = try decode(bench).cpu
        two.append(try compare(bench, bench.clips[..<2], ["--no-align", "--metrics", "psnr,ssim"], cache: cache).cpu / floor)
        three.append(try compare(bench, bench.clips[..<2], ["--no-align", "--metrics", "psnr,ssim,xpsnr"], cache: cache).cpu / floor)
        peers.append(try decode(bench, filter: Self.filter).cpu / floor)
      }
    }
    return [
      TableRow("PSNR and SSIM: CPU / decoding both", two, atMost: 1.2, note: "ffmpeg \(text(median(peers), 2))"),
      TableRow("with XPSNR: CPU / decoding both", three, atMost: 1.8),
    ]
  }

  private func cores(_ bench: Workbench) throws -> [TableRow] {
    var ratios: [Double] = []
    try withSignatures(bench) { cache in
      for _ in 0..<bench.rounds {
        let peer = try decode(bench, filter: Self.filter, threads: nil).wall
        ratios.append(try peer / compare(bench, bench.clips[..<2], ["--no-align", "--threads", "2"], cache: cache).wall)
      }
    }
    return [TableRow("PSNR and SSIM on all cores: speed / ffmpeg's", ratios, atLeast: 0.95)]
  }

  private func memory(_ bench: Workbench) throws -> [TableRow] {
    let peak = try withCache { try compare(bench, bench.clips[2...], ["--metrics", "psnr,ssim,xpsnr"], cache: $0).peakMegabytes }
    return [TableRow("two clips of 3840×2160: peak resident memory", [peak], atMost: 400, unit: " MB", digits: 0)]
  }
}
