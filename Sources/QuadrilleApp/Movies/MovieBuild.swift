import Movies
import Playback
import Synchronization

/// A playable composition of the movie being edited.
struct MovieBuild: Sendable {
  var composition: Composition
  /// Start time of its last piece.
  var joint: MediaTime
  /// Open assets by path, for reuse.
  var assets: [String: Asset]

  /// Builds a movie; blocks.
  ///
  /// - Parameters:
  ///   - document: The movie, with absolute paths.
  ///   - path: Path of its file, for messages.
  ///   - folder: The current folder.
  ///   - known: Assets that are already open.
  ///   - makeAsset: Makes assets that are not.
  static func make(
    _ document: MovieDocument, path: String, folder: String, known: [String: Asset],
    makeAsset: @escaping @Sendable (String) -> Asset
  ) -> Result<MovieBuild, FileError> {
    let used = Used()
    let composer = MovieComposer { path in
      // Files that could not be opened then may exist now.
      let asset = known[path].flatMap { $0.loadedValue(of: .facts) == nil ? nil : $0 } ?? makeAsset(path)
      used.assets.withLock { $0[path] = asset }
      return asset
    }
    return Result { () throws(FileError) in
      // Messages use the names in the file.
      let movie = FilePath.absolute(path, in: folder)
      let named = document.renamed { MoviePaths.name(of: $0, inMovieAt: movie) }
      let made: MovieComposer.Result
      do throws(FileError) { made = try composer.compose(named, movieAt: movie) } catch {
        throw FileError(file: path, line: error.line, message: error.message)
      }
      var composition = made.composition
      // Problems in the file were reported when it was opened.
      composition.remarks = made.problems.filter { $0.line == nil }.map { "\(path): \($0.message)" }
      // An added piece is one segment, in the track that ends last.
      let last = composition.tracks.max { $0.duration < $1.duration }?.segments.last
      return MovieBuild(
        composition: composition, joint: last?.timeRange.start ?? .zero, assets: used.assets.withLock { $0 })
    }
  }

  private final class Used: Sendable {
    let assets = Mutex<[String: Asset]>([:])
  }
}
