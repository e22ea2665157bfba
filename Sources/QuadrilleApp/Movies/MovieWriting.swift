import Movies
import Playback

/// A movie on its way into a file.
struct MovieWriting: Sendable {
  enum Outcome: Sendable {
    /// With what the file's form has no place for.
    case written([String])
    /// There is such a file, and nobody has said that it may go.
    case exists
    case failed(FileError)
  }

  /// With names from the root.
  var document: MovieDocument
  /// As it was typed.
  var path: String
  /// The present folder.
  var folder: String
  /// Files that must not be written, besides the movie's own clips.
  var spared: [String]
  var mayReplace: Bool

  /// Opens clips, of which other programs' files have to say more.
  var makeAsset: @Sendable (String) -> Asset

  /// Writes the file; may block for as long as a disk does.
  func write() -> Outcome {
    do throws(FileError) {
      let clips = document.files + spared
      // Said before any question.
      do { _ = try OutputFile(path, sparing: clips) } catch {
        throw FileError(file: path, line: nil, message: (error as? PlaybackError)?.message ?? "cannot be written")
      }
      if !mayReplace, FolderListing.Entry(path: path) != nil { return .exists }
      let movie = FilePath.absolute(path, in: folder)
      var measures = MovieMeasures(makeAsset: makeAsset)
      let said =
        switch MovieFile.Form(path: path) {
        case .edl: measures.said(in: document)
        case .openTimelineIO: measures.said(in: document, keepsTimelines: true)
        case .yaml, nil: document
        }
      return .written(
        try MovieFile.write(said.renamed { MoviePaths.name(of: $0, inMovieAt: movie) }, path: path, sparing: clips))
    } catch {
      return .failed(error)
    }
  }
}
