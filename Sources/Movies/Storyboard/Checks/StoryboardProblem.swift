/// Something wrong in a storyboard.
public struct StoryboardProblem: Hashable, Sendable {
  /// Whether the storyboard can be played all the same.
  public enum Severity: String, Sendable {
    /// It cannot.
    case error
    /// It can, but it is hardly what is meant.
    case warning
  }

  /// The line, from 1; nil if unknown.
  public let line: Int?
  /// The problem. May quote the file: any text, including control characters.
  public let message: String
  /// Whether it can be played all the same.
  public let severity: Severity
}

/// Why a storyboard cannot be played or a file of one cannot be read: everything that was found.
public struct StoryboardFailure: Error, Hashable, CustomStringConvertible {
  /// At least one, in the order of their lines.
  public let problems: [FileError]
  /// What else was found and would not have kept it from being played, in the order of lines.
  package var warnings: [FileError] = []

  /// A failure with these problems.
  public init(problems: [FileError]) { self.problems = problems }

  /// A failure of at least one error, and maybe warnings.
  init(_ problems: [StoryboardProblem], file: String) {
    self.problems = FileError.list(problems.errors, file: file)
    warnings = FileError.list(problems.filter { $0.severity == .warning }, file: file)
  }

  /// A failure for which no line can be named.
  package init(_ message: String, file: String) { problems = [FileError(file: file, line: nil, message: message)] }

  /// The same with warnings before its own.
  func adding(warnings: [FileError]) -> StoryboardFailure {
    var failure = self
    failure.warnings = warnings + self.warnings
    return failure
  }

  /// One line for each problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension [StoryboardProblem] {
  /// Adds one, unless there are enough.
  mutating func report(_ line: Int?, _ message: String, _ severity: StoryboardProblem.Severity) {
    guard count < StoryboardLimits.foundProblems else { return }
    append(StoryboardProblem(line: line, message: message, severity: severity))
  }

  /// Those with which a storyboard cannot be played.
  var errors: [StoryboardProblem] { filter { $0.severity == .error } }

  func throwErrors(file: String) throws(StoryboardFailure) {
    guard errors.isEmpty else { throw StoryboardFailure(self, file: file) }
  }
}

extension FileError {
  /// The problems in the order of their lines, so many as are listed.
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
