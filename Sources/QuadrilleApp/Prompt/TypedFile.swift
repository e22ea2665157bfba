import Movies
import Playback

/// A file that somebody has named, and that is to be written.
struct TypedFile: Sendable {
  /// What came of writing it.
  enum Outcome: Sendable {
    /// With what is to be said of it.
    case written([String])
    /// There is such a file, and nobody has said that it may go.
    case exists
    case failed(FileError)
  }

  /// As it was typed, but for "~".
  let path: String
  /// Files that must not be written.
  var spared: [String]
  var mayReplace: Bool

  /// Has it written, if that may be; may block for as long as a disk does.
  ///
  /// - Parameter body: writes it, and returns what is to be said of it.
  func write(_ body: () throws -> [String]) -> Outcome {
    do {
      // Said before any question.
      _ = try OutputFile(path, sparing: spared)
      if !mayReplace, FolderListing.Entry(path: path) != nil { return .exists }
      return .written(try body())
    } catch {
      return .failed(
        error as? FileError
          ?? FileError(file: path, line: nil, message: (error as? PlaybackError)?.message ?? "cannot be written"))
    }
  }
}
