import Foundation
import TerminalHarness

/// Four clips at once in real time on two cores: frames a second, lateness, memory.
enum FourPanes {
  /// Starts quadrille on two cores, also where there are more.
  private static func start(_ bench: Workbench, _ arguments: [String]) throws -> TerminalProcess {
    guard ProcessInfo.processInfo.activeProcessorCount > 2, bench.has("taskset") else {
      return try bench.start(arguments)
    }
    return try TerminalProcess(
      "taskset", ["-c", "0,1", bench.program, "--threads", "2"] + arguments, options: bench.options)
  }

  static func measure(_ bench: Workbench) throws -> [TableRow] {
    var rates: [Double] = []
    var lates: [Double] = []
    var memory: [Double] = []
    for round in 1...bench.rounds {
      progress("panes \(round)/\(bench.rounds)")
      let (file, read) = Statistics.file()
      let process = try start(bench, ["--exit-at-end", "--stats", file] + bench.clips)
      var peak = 0.0
      while process.exitStatus == nil {
        process.live(0.5)
        peak = max(peak, process.peakMegabytes ?? 0)
      }
      guard process.runUntilExit(timeout: 1) == .exited(0) else { throw BenchError("\(process.screen)") }
      let panes = try read().panes
      rates.append(panes.map { Double($0.shown) / $0.played_s }.min() ?? 0)
      lates.append(panes.map(\.late_ms.p95).max() ?? 0)
      memory.append(peak)
      let counts = panes.map { "\($0.shown)+\($0.skipped)/\(text($0.played_s, 1)) s" }
      progress("  shown+skipped/played \(counts.joined(separator: ", "))")
    }
    return [
      TableRow("four clips: frames a second, least pane", rates, atLeast: 29.5, digits: 1),
      TableRow("four clips: late at p95, worst pane", lates, atMost: 33.3, unit: " ms", digits: 1),
      TableRow("four clips: peak resident memory", memory, atMost: 250, unit: " MB", digits: 0),
    ]
  }
}
