import Foundation
import Glibc

/// The kernel's figures for a process.
enum ProcessFigures {
  /// Returns the processor seconds of this process, user and system, of all threads.
  static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns a program's peak resident memory in MB of 10⁶ bytes; nil if it has ended.
  ///
  /// Uses the kernel's mark for the program itself; that of wait4 and getrusage may be of the program before.
  ///
  /// - Parameter process: Identifier of the process; nil for this one.
  static func peakMegabytes(of process: pid_t? = nil) -> Double? {
    let name = process.map { "\($0)" } ?? "self"
    guard let status = try? String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0.drop { $0 == "\t" }) })
    else { return nil }
    return kibibytes * 1024 / 1e6
  }

  /// Returns the peak memory of this process; throws if the kernel does not report it.
  static func ownPeakMegabytes() throws -> Double {
    guard let peak = peakMegabytes() else { throw BenchError("/proc/self/status does not tell of memory") }
    return peak
  }
}
