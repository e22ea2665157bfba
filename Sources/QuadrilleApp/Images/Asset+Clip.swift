import Movies
import Playback

extension Asset {
  /// An asset for a file given as a clip. Reads nothing before it is loaded, unless the kind of file is unknown.
  static func clip(_ path: String, _ kind: FileKind, options: Asset.Options = Asset.Options()) -> Asset {
    switch kind {
    case .clip: Asset(path: path, options: options)
    case .movie: .movie(path, options: options) { Asset(path: $0, options: options) }
    case .storyboard: Asset(path: path, options: options) { throw PlaybackError.isStoryboard }
    }
  }

  /// Determines the kind of file, which may read the start of the file.
  static func clip(_ path: String, options: Asset.Options = Asset.Options()) -> Asset {
    clip(path, FileKind(path: path), options: options)
  }
}

extension PlaybackError {
  /// The error for a storyboard given as a clip.
  public static let isStoryboard = PlaybackError(.noVideo, "is a storyboard, not a clip or a movie")
}
