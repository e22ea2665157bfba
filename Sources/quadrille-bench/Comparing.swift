import ArgumentParser
import Foundation
import TerminalHarness

/// Measures magnified panes and two clips in one pane.
struct Comparing: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Measure magnified panes and two clips in one pane.",
    discussion: "Takes two clips, 1080p30 and at least 10 s. Rows: zoom, modes, cost.")

  @OptionGroup var options: BenchOptions

  func validate() throws {
    guard options.clips.count == 2 else { throw ValidationError("Requires two clips.") }
  }

  func run() throws {
    let bench = options.workbench(rounds: 3)
    let measurements: [(name: String, measure: (Workbench) throws -> [TableRow])] = [
      ("zoom", KeyToBytes.zoom), ("modes", KeyToBytes.modes), ("cost", CompareCost.measure),
    ]
    var rows: [TableRow] = []
    for (name, measure) in measurements where options.wants(name) {
      progress(name)
      rows += try measure(bench)
    }
    print(TableRow.table(rows))
  }
}

/// The time from a key until the first bytes of the update that follows, while paused.
enum KeyToBytes {
  private static let count = 40
  private static let shiftedArrows = ["\u{1B}[1;2C", "\u{1B}[1;2D", "\u{1B}[1;2B", "\u{1B}[1;2A"]

  static func zoom(_ bench: Workbench) throws -> [TableRow] {
    var steps: [Double] = [], pans: [Double] = []
    for _ in 1...bench.rounds {
      let process = try bench.start(["--paused", "--start", "5"] + bench.clips)
      try process.settle()
      steps.append(percentile(try times(process) { _ in "Z" }, 0.95))
      process.send("YZZZ")
      try process.settle()
      pans.append(percentile(try times(process) { shiftedArrows[$0 % shiftedArrows.count] }, 0.95))
      try process.quit()
    }
    return [
      TableRow("another scale in two panes, p95 of \(count)", steps, atMost: 10, unit: " ms", digits: 1),
      TableRow("another part at 4:1 in two panes, p95 of \(count)", pans, atMost: 10, unit: " ms", digits: 1),
    ]
  }

  static func modes(_ bench: Workbench) throws -> [TableRow] {
    var modes: [Double] = [], edges: [Double] = [], sides: [Double] = []
    for _ in 1...bench.rounds {
      let process = try bench.start(["--paused", "--start", "5", "--compare"] + bench.clips)
      try process.settle()
      modes.append(percentile(try times(process) { $0 % 2 == 0 ? "d" : "w" }, 0.95))
      edges.append(percentile(try times(process) { shiftedArrows[$0 / 8 % 2] }, 0.95))
      process.send("f")
      try process.settle()
      sides.append(percentile(try times(process) { _ in "f" }, 0.95))
      try process.quit()
    }
    return [
      TableRow("wipe to difference and back, p95 of \(count)", modes, atMost: 10, unit: " ms", digits: 1),
      TableRow("edge of a wipe, p95 of \(count)", edges, atMost: 10, unit: " ms", digits: 1),
      TableRow("flicker to the other clip, p95 of \(count)", sides, atMost: 10, unit: " ms", digits: 1),
    ]
  }

  /// Milliseconds for each key.
  private static func times(_ process: TerminalProcess, key: (Int) -> String) throws -> [Double] {
    try (0..<count).map { index in
      let before = process.updateBegan
      let begin = now()
      process.send(key(index))
      _ = process.run(timeout: 5, while: { process.updateBegan == before })
      guard let began = process.updateBegan, began != before else { throw BenchError("key \(index) changes nothing: \(process.screen)") }
      // What follows, such as the end of a message, must not be taken for the next.
      try process.settle()
      return (began - begin) * 1000
    }
  }
}

/// The cost of two clips in one pane beside that of both side by side.
enum CompareCost {
  private static let modes = ["wipe", "difference"]
  private static let limits = ["wipe": 1.15, "difference": 1.4]

  static func measure(_ bench: Workbench) throws -> [TableRow] {
    var ratios: [String: [Double]] = [:], rates: [String: [Double]] = [:], memory: [String: [Double]] = [:]
    for round in 1...bench.rounds {
      progress("cost \(round)/\(bench.rounds)")
      let plain = try play(bench, [])
      for mode in modes {
        let other = try play(bench, ["--compare-mode", mode])
        ratios[mode, default: []].append(other.cpu / plain.cpu)
        rates[mode, default: []].append(other.rate)
        memory[mode, default: []].append(other.memory)
      }
    }
    return modes.flatMap { mode in
      [
        TableRow("\(mode) of two clips: CPU / side by side", ratios[mode] ?? [], atMost: limits[mode] ?? 1, digits: 2),
        TableRow("\(mode) of two clips: frames a second", rates[mode] ?? [], atLeast: 29.5, digits: 1),
        TableRow("\(mode) of two clips: peak resident memory", memory[mode] ?? [], atMost: 250, unit: " MB", digits: 0),
      ]
    }
  }

  private static func play(_ bench: Workbench, _ arguments: [String]) throws -> (cpu: Double, rate: Double, memory: Double) {
    let (file, read) = Statistics.file()
    let process = try bench.start(["--exit-at-end", "--stats", file] + arguments + bench.clips)
    var peak = 0.0
    while process.exitStatus == nil {
      process.live(0.5)
      peak = max(peak, process.peakMegabytes ?? 0)
    }
    guard process.runUntilExit(timeout: 1) == .exited(0), let usage = process.usage else { throw BenchError("\(process.screen)") }
    let pane = try read().panes.last
    return (usage.cpuSeconds, pane.map { Double($0.shown) / $0.played_s } ?? 0, peak)
  }
}
