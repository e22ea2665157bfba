import Foundation
import Glibc
import Playback
import TerminalHarness

/// Long files: opening them, and reading all their packets for an index.
enum LongFile {
  /// Measures the time to the first frame with the index on disk, relative to that without.
  static func opening(_ bench: Workbench, _ file: String) throws -> [TableRow] {
    var without: [Double] = []
    var with: [Double] = []
    var kept = 0
    for _ in 1...max(25, bench.rounds) {
      let folder = NSTemporaryDirectory() + "quadrille-bench-cache-\(getpid())"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      without.append(try firstFrame(bench, file, cacheFolder: folder))
      kept = FileManager.default.enumerator(atPath: folder)?.allObjects.count ?? 0
      with.append(try firstFrame(bench, file, cacheFolder: folder))
    }
    let what = "two hours: first frame with the index on disk − without"
    guard kept > 0 else {
      return [TableRow(what: what, figure: "–", target: "≤ 5 ms", samples: "nothing was kept on disk")]
    }
    return [
      TableRow(
        what, zip(with, without).map { $0 - $1 }, atMost: 5, unit: " ms", digits: 0,
        note: "\(text(median(with), 0)) ms − \(text(median(without), 0)) ms")
    ]
  }

  /// Returns the milliseconds from the start to the first frame. Waits for the index, even if it is there already: a program
  /// started after a pause is some milliseconds slower than one started at once.
  private static func firstFrame(_ bench: Workbench, _ file: String, cacheFolder: String) throws -> Double {
    var options = bench.options
    options.environment["XDG_CACHE_HOME"] = cacheFolder
    let begin = now()
    let process = try bench.start(["--paused", file], options)
    guard process.run(timeout: Workbench.patience, until: FrameArea.middle.hasFrame) else {
      throw BenchError("no frame:\n\(process.screen)")
    }
    let milliseconds = (now() - begin) * 1000
    try process.settle()
    try process.quit()
    return milliseconds
  }

  /// Measures how many MB per second of a file in memory are indexed.
  static func indexing(_ bench: Workbench, _ file: String) throws -> [TableRow] {
    var rates: [Double] = []
    let size = Double((try FileManager.default.attributesOfItem(atPath: file))[.size] as? Int ?? 0) / 1e6
    let name = file.split(separator: ".").last.map(String.init) ?? file
    for round in 0...max(3, bench.rounds) {
      let begin = now()
      _ = try FrameListing(path: file)
      // The first one brings the file into memory.
      if round > 0 { rates.append(size / (now() - begin)) }
    }
    return [
      TableRow("indexing .\(name): MB/s", rates, atLeast: 300, digits: 0, note: "\(text(size, 0)) MB")
    ]
  }
}
