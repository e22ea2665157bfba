import Movies
import Playback

extension Asset {
  /// The asset of a file that somebody names as a clip, where it is known what it is. Reads nothing before it is loaded.
  static func clip(_ path: String, _ kind: FileKind, options: Asset.Options = Asset.Options()) -> Asset {
    switch kind {
    case .clip: Asset(path: path, options: options)
    case .movie: .movie(path, options: options) { Asset(path: $0, options: options) }
    case .storyboard: Asset(path: path, options: options) { throw PlaybackError.isStoryboard }
    }
  }

  /// Finds out what it is, for which the beginning of the file may have to be read.
  static func clip(_ path: String, options: Asset.Options = Asset.Options()) -> Asset {
    clip(path, FileKind(path: path), options: options)
  }
}

extension Asset {
  /// The files that are read for what somebody names as a clip: itself, and of a movie those of its pieces, which are opened for
  /// that; blocks.
  public static func filesRead(for path: String) -> [String] {
    FileKind(path: path) == .movie ? clip(path, .movie).filesRead : [path]
  }
}

extension PlaybackError {
  /// Why a storyboard cannot be taken for a clip.
  public static let isStoryboard = PlaybackError(.noVideo, "is a storyboard, not a clip or a movie")
}
