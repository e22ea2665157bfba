import ArgumentParser
import Playback

/// The outcome of `quadrille compare` as an exit code, which scripts can tell apart as they do those of diff and grep.
enum ComparisonStatus: Int32, Comparable {
  case passed = 0
  /// A limit is not met.
  case failed = 1
  /// Something could not be compared, read or written.
  case trouble = 2

  static func < (one: ComparisonStatus, other: ComparisonStatus) -> Bool { one.rawValue < other.rawValue }

  /// - Parameter isCompared: False if there is no comparison that could fail.
  init(isCompared: Bool, failures: [String]) { self = !isCompared ? .trouble : failures.isEmpty ? .passed : .failed }

  var exitCode: ExitCode { ExitCode(rawValue) }
}

/// Exits with a one-line message if an operation on a file fails.
@discardableResult
func orTrouble<R>(_ file: String, _ body: () throws -> R) throws -> R {
  try orFail(file, code: ComparisonStatus.trouble.exitCode, body)
}
