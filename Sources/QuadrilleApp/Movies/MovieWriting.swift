import Movies
import Playback

/// A movie to be written to a file.
struct MovieWriting: Sendable {
  /// The movie, with absolute paths.
  var document: MovieDocument
  var file: TypedFile
  /// The current folder.
  var folder: String

  /// Makes assets for clips whose details the file format requires.
  var makeAsset: @Sendable (String) -> Asset

  /// Writes the file and returns what the format could not hold; may block on disk access.
  func write() -> TypedFile.Outcome {
    file.write { try document.write(to: file.path, folder: folder, sparing: file.spared, makeAsset: makeAsset) }
  }
}
