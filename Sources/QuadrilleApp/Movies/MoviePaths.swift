import Movies
import Playback

/// Paths of a movie's clips: absolute while editing, relative to the movie's folder in its file.
///
/// Paths are compared as bytes, because they need not be text.
enum MoviePaths {
  /// The path of a clip in a movie file: relative if the clip is below the movie's folder, otherwise absolute.
  ///
  /// Looks up folders if a path leads upwards, which may block on disk access.
  ///
  /// - Parameters:
  ///   - clip: Absolute path.
  ///   - movie: Absolute path.
  static func name(of clip: String, inMovieAt movie: String) -> String {
    let clip = FilePath.resolved(FilePath.parts(Asset.bytes(ofPath: clip)))
    let folder = FilePath.resolved(FilePath.parts(Asset.bytes(ofPath: movie))).dropLast()
    guard clip.count > folder.count, clip.starts(with: folder), !clip.contains(FilePath.above) else { return FilePath.text(clip) }
    let name = Array(clip.dropFirst(folder.count).joined(separator: [FilePath.slash]))
    // Text before a colon could be taken for a URL scheme.
    return Asset.path(ofBytes: name.contains(UInt8(ascii: ":")) ? Array("./".utf8) + name : name)
  }
}

extension MovieDocument {
  /// The movie with absolute paths.
  ///
  /// - Parameters:
  ///   - movie: The movie file that its paths are relative to.
  ///   - folder: The current folder.
  func rooted(movieAt movie: String, folder: String) -> MovieDocument {
    renamed { FilePath.absolute(MovieClip(path: $0).path(fromMovieAt: movie), in: folder) }
  }
}
