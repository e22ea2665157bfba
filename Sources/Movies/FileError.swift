/// An error in a file that people write: names the file, the line, and what is wrong there.
public struct FileError: Error, Hashable, CustomStringConvertible {
  /// The file's name as it was given.
  public let file: String
  /// From 1; nil where it is not known, or the whole file is meant.
  public let line: Int?
  /// What is wrong. It may quote the file: any text, control characters included.
  public let message: String

  /// An error as its properties say.
  public init(file: String, line: Int?, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// The line and what is wrong, for where the file is named already.
  package var withoutFile: String { line.map { "line \($0): \(message)" } ?? message }

  /// The same, told as a warning.
  package var asWarning: FileError { FileError(file: file, line: line, message: "warning: \(message)") }

  public var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
}
