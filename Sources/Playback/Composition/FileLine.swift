/// The line of a file, such as a movie, that describes a part of a composition.
///
/// All lines compare equal: where a part is described does not change the composition.
package struct FileLine: Hashable, Sendable {
  /// The file's name as it was given.
  let file: String
  /// The line, from 1.
  let number: Int

  /// Creates a line from its number; nil if that is unknown.
  package init?(file: String, number: Int?) {
    guard let number else { return nil }
    (self.file, self.number) = (file, number)
  }

  package static func == (a: FileLine, b: FileLine) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

extension PlaybackError {
  /// Creates the error for missing media.
  ///
  /// - Parameters:
  ///   - name: the name of the media.
  ///   - line: the line that asks for it; nil if unknown.
  init(_ reason: Reason = .notFound, missing name: String, _ message: String, at line: FileLine?) {
    self.init(reason, "\(name): \(message)", file: line?.file, line: line?.number)
  }

  /// The message, after the file and the line that it concerns, if it concerns another file than the failed call was given.
  package var sentence: String { file == nil ? message : message(naming: "") }
}
