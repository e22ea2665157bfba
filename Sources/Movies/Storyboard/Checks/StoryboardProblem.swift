/// A problem in a storyboard.
public struct StoryboardProblem: Hashable, Sendable {
  /// The severity of a problem.
  public enum Severity: String, Sendable {
    /// Prevents playing.
    case error
    /// Does not prevent playing, but is probably a mistake.
    case warning
  }

  /// The line, from 1; nil if unknown.
  public let line: Int?
  /// The problem. May quote the file: any text, including control characters.
  public let message: String
  /// The severity.
  public let severity: Severity
}

/// The error thrown if a storyboard cannot be read or played, with all problems found.
public struct StoryboardFailure: Error, Hashable, CustomStringConvertible {
  /// The errors, at least one, in line order.
  public let problems: [FileError]
  /// The warnings, in line order.
  package var warnings: [FileError] = []

  /// Creates a failure from its problems.
  public init(problems: [FileError]) { self.problems = problems }

  /// Creates a failure from at least one error and any warnings.
  init(_ problems: [StoryboardProblem], file: String) {
    self.problems = FileError.list(problems.errors, file: file)
    warnings = FileError.list(problems.filter { $0.severity == .warning }, file: file)
  }

  /// Creates a failure without a line.
  package init(_ message: String, file: String) { problems = [FileError(file: file, line: nil, message: message)] }

  /// The same failure with more warnings.
  func adding(warnings: [FileError]) -> StoryboardFailure {
    var failure = self
    // The sentence that not all are listed has no line.
    let all = (warnings + self.warnings).enumerated()
    failure.warnings = all.sorted { ($0.element.line ?? .max, $0.offset) < ($1.element.line ?? .max, $1.offset) }.map(\.element)
    return failure
  }

  /// One line for each problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension [StoryboardProblem] {
  /// Adds a problem, unless the limit is reached.
  mutating func report(_ line: Int?, _ message: String, _ severity: StoryboardProblem.Severity) {
    guard count < StoryboardLimits.foundProblems else { return }
    append(StoryboardProblem(line: line, message: message, severity: severity))
  }

  /// The problems that are errors.
  var errors: [StoryboardProblem] { filter { $0.severity == .error } }

  func throwErrors(file: String) throws(StoryboardFailure) {
    guard errors.isEmpty else { throw StoryboardFailure(self, file: file) }
  }
}

extension FileError {
  /// The problems in line order, up to the maximum number listed.
  static func list(_ problems: [StoryboardProblem], file: String) -> [FileError] {
    let sorted = problems.enumerated().sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
    var list = sorted.prefix(StoryboardLimits.problems).map {
      FileError(file: file, line: $0.element.line, message: $0.element.message)
    }
    if sorted.count > list.count {
      list.append(FileError(file: file, line: nil, message: "too many problems; the rest are not listed"))
    }
    return list
  }
}
