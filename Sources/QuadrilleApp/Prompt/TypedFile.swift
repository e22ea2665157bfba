import Movies
import Playback

/// A file to write, named by the user.
struct TypedFile: Sendable {
  /// The result of writing.
  enum Outcome: Sendable {
    /// Written, with remarks.
    case written([String])
    /// The file exists and overwriting has not been confirmed.
    case exists
    case failed(FileError)
  }

  /// The name as typed, with "~" expanded.
  let path: String
  /// Files that must not be overwritten.
  let spared: [String]
  let mayReplace: Bool

  /// Writes the file if allowed; may block on disk access.
  ///
  /// - Parameter body: Writes it and returns remarks.
  func write(_ body: () throws -> [String]) -> Outcome {
    do {
      // Reported before any question.
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
