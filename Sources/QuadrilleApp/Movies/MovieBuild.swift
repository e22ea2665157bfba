import Movies
import Playback
import Synchronization

/// A movie in hand put together, so that it can be played.
struct MovieBuild: Sendable {
  var composition: Composition
  /// Where its last piece begins.
  var joint: MediaTime
  /// By path, what it is made of: opened already for the next time.
  var assets: [String: Asset]

  /// Puts a movie together; blocks until that is done.
  ///
  /// - Parameters:
  ///   - document: with names from the root.
  ///   - path: of its file, for whoever shows a name.
  ///   - folder: the present one.
  ///   - known: assets that are open already.
  ///   - makeAsset: makes those that are not.
  static func make(
    _ document: MovieDocument, path: String, folder: String, known: [String: Asset],
    makeAsset: @escaping @Sendable (String) -> Asset
  ) -> Result<MovieBuild, FileError> {
    let used = Used()
    let composer = MovieComposer { path in
      // What could not be opened then may be there now.
      let asset = known[path].flatMap { $0.loadedValue(of: .facts) == nil ? nil : $0 } ?? makeAsset(path)
      used.assets.withLock { $0[path] = asset }
      return asset
    }
    return Result { () throws(FileError) in
      // What is said of a clip calls it as the file does.
      let movie = FilePath.absolute(path, in: folder)
      let named = document.renamed { MoviePaths.name(of: $0, inMovieAt: movie) }
      let made: MovieComposer.Result
      do throws(FileError) { made = try composer.compose(named, movieAt: movie) } catch {
        throw FileError(file: path, line: error.line, message: error.message)
      }
      var composition = made.composition
      // What stands in the file has been told of when that was opened.
      composition.remarks = made.problems.filter { $0.line == nil }.map { "\(path): \($0.message)" }
      // A piece that was added is one segment, in the track that ends last.
      let last = composition.tracks.max { $0.duration < $1.duration }?.segments.last
      return MovieBuild(
        composition: composition, joint: last?.timeRange.start ?? .zero, assets: used.assets.withLock { $0 })
    }
  }

  private final class Used: Sendable {
    let assets = Mutex<[String: Asset]>([:])
  }
}
