import Foundation
import Glibc

/// What the kernel says of a process.
enum ProcessFigures {
  /// Processor seconds of this process, user and system, of all threads.
  static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The most memory that a program has had resident, in MB of 10⁶ bytes; nil when it has ended.
  ///
  /// The kernel's mark for the program itself; what wait4 and getrusage tell may be that of the program before.
  ///
  /// - Parameter process: its identifier; nil for this one.
  static func peakMegabytes(of process: pid_t? = nil) -> Double? {
    let name = process.map { "\($0)" } ?? "self"
    guard let status = try? String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0.drop { $0 == "\t" }) })
    else { return nil }
    return kibibytes * 1024 / 1e6
  }

  /// That of this process, which the kernel has to tell.
  static func ownPeakMegabytes() throws -> Double {
    guard let peak = peakMegabytes() else { throw BenchError("/proc/self/status does not tell of memory") }
    return peak
  }
}
