import Movies
import Playback

/// A movie on its way into a file.
struct MovieWriting: Sendable {
  /// With names from the root.
  var document: MovieDocument
  /// The movie's own clips are not written either.
  var file: TypedFile
  /// The present folder.
  var folder: String

  /// Opens clips, of which other programs' files have to say more.
  var makeAsset: @Sendable (String) -> Asset

  /// Writes the file, and says what its form has no place for; may block for as long as a disk does.
  func write() -> TypedFile.Outcome {
    var file = file
    file.spared += document.files
    return file.write {
      let movie = FilePath.absolute(file.path, in: folder)
      var measures = MovieMeasures(makeAsset: makeAsset)
      let said = measures.said(in: document, for: MovieFile.Form(path: file.path) ?? .yaml)
      return try MovieFile.write(
        said.renamed { MoviePaths.name(of: $0, inMovieAt: movie) }, path: file.path, sparing: file.spared)
    }
  }
}
