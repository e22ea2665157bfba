import Foundation
import Glibc
import TerminalHarness

/// An error in a run.
struct BenchError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Starts programs in terminals that are alike, and measures them.
struct Workbench {
  static let columns = 200
  static let rows = 56
  /// Seconds after which a run counts as hanging.
  static let patience = 120.0

  let program: String
  let clips: [String]
  let rounds: Int

  /// Options for a 24-bit terminal of 200×56 cells, without the user's settings.
  var options: TerminalProcess.Options {
    var options = TerminalProcess.Options()
    options.columns = Self.columns
    options.rows = Self.rows
    options.cellPixels = (8, 16)
    options.environment = ["COLORTERM": "truecolor", "XDG_CONFIG_HOME": "/nonexistent", "MPV_HOME": "/nonexistent"]
    return options
  }

  /// Starts quadrille.
  func start(_ arguments: [String], _ options: TerminalProcess.Options? = nil) throws -> TerminalProcess {
    try TerminalProcess(program, arguments, options: options ?? self.options)
  }

  /// Runs a program to its end and returns its processor time, user and system, and the wall time in seconds.
  func run(_ executable: String, _ arguments: [String]) throws -> (cpu: Double, wall: Double) {
    let begin = now()
    let process = try TerminalProcess(executable, arguments, options: options)
    guard let status = process.runUntilExit(timeout: Self.patience) else {
      throw BenchError("\(executable) does not end")
    }
    let wall = now() - begin
    guard status == .exited(0), let usage = process.usage else {
      throw BenchError("\(executable) \(arguments.joined(separator: " ")): \(status)\n\(process.screen)")
    }
    return (usage.cpuSeconds, wall)
  }

  /// Returns true if a program is in PATH.
  func has(_ name: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }
}

/// Seconds of the monotonic clock.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The figures of `--stats` that are used here.
struct Statistics: Decodable {
  struct Pane: Decodable {
    struct Late: Decodable {
      var p95: Double
      var max: Double
    }
    var decoded: Int
    var shown: Int
    var skipped: Int
    var played_s: Double
    var late_ms: Late
  }
  var panes: [Pane]
  var frames_sent: Int
  var bytes: Int

  /// A file name for one run, and how to read what the run has written there.
  static func file() -> (path: String, read: () throws -> Statistics) {
    let path = NSTemporaryDirectory() + "quadrille-bench-\(getpid()).json"
    return (
      path,
      {
        defer { unlink(path) }
        return try JSONDecoder().decode(Statistics.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
      }
    )
  }
}

extension TerminalProcess {
  /// The program's peak resident memory in MB of 10⁶ bytes; nil if it has ended.
  var peakMegabytes: Double? { ProcessFigures.peakMegabytes(of: processIdentifier) }

  /// Processor seconds of all the program's living threads, to the nanosecond.
  var processorSeconds: Double {
    let folder = "/proc/\(processIdentifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.reduce(0) { sum, thread in
      let words = (try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)) ?? ""
      return sum + (words.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }
  }

  /// Lets the program run for some seconds, or until it ends.
  func live(_ seconds: Double) { _ = run(timeout: seconds, while: { exitStatus == nil }) }
}
