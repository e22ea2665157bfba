/// An error in a playlist, with a message for the user: "playlist line 12: EXTINF without a duration".
struct HLSPlaylistError: Error, Hashable, CustomStringConvertible {
  /// The line, from 1; nil if the error concerns the whole playlist.
  let line: Int?
  /// A message without the line; it contains no text from the playlist, except names of codecs.
  let message: String

  /// Creates an error that concerns the whole playlist, or a line that the caller knows; see `at(line:)`.
  init(_ message: String) { self.init(line: nil, message) }

  private init(line: Int?, _ message: String) {
    self.line = line
    self.message = message
  }

  /// Returns the same error, concerning a line unless it already concerns another one.
  func at(line: Int) -> HLSPlaylistError { HLSPlaylistError(line: self.line ?? line, message) }

  /// The sentence for the user.
  var description: String { line.map { "playlist line \($0): \(message)" } ?? "playlist \(message)" }
}
