/// An error in a movie or storyboard file: the file, the line, and what is wrong there.
public struct FileError: Error, Hashable, CustomStringConvertible {
  /// The file's name as it was given.
  public let file: String
  /// The line, from 1; nil if unknown, or for the whole file.
  public let line: Int?
  /// The problem. May quote the file: any text, including control characters.
  public let message: String

  /// Creates an error from its properties.
  public init(file: String, line: Int?, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// Creates an error from a remark, which may begin with its line: "line 8: ignored".
  init(file: String, remark: String) {
    let match = remark.prefixMatch(of: #/line ([0-9]+): /#)
    self.init(
      file: file, line: match.flatMap { Int($0.1) }, message: String(match.map { remark[$0.range.upperBound...] } ?? remark[...]))
  }

  /// The same error, marked as a warning.
  package var asWarning: FileError { FileError(file: file, line: line, message: "warning: \(message)") }

  public var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
}
