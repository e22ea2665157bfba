import Movies
import Playback

extension Asset {
  /// What a name that somebody gave stands for: a file, or a movie made of pieces where a file says so by its name, or by how
  /// it begins.
  ///
  /// Where the name tells which it is, nothing is read before it is loaded.
  static func clip(_ path: String, options: Asset.Options = Asset.Options()) -> Asset {
    guard MovieFile.Form(path: path) != nil || (!FileNames.isClip(path) && MovieFile.isMovie(path)) else {
      return Asset(path: path, options: options)
    }
    return .movie(path, options: options) { Asset(path: $0, options: options) }
  }
}
