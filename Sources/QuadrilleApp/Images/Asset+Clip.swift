import Movies
import Playback

extension Asset {
  /// An asset for a file given as a clip. Reads nothing before it is loaded, unless the kind of file is unknown.
  static func clip(_ path: String, _ kind: FileKind, options: Asset.Options = Asset.Options(network: Network())) -> Asset {
    switch kind {
    case .clip: Asset(path: path, options: options)
    case .movie: .movie(path, options: options) { Asset(path: $0, options: options) }
    case .storyboard: Asset(path: path, options: options) { throw PlaybackError.isStoryboard }
    }
  }

  /// Determines the kind of file, which may read the start of the file.
  static func clip(_ path: String, options: Asset.Options = Asset.Options(network: Network())) -> Asset {
    clip(path, FileKind(path: path), options: options)
  }
}

extension Asset {
  /// The duration of the video, from the packets if the header does not specify it; blocks.
  ///
  /// - Throws: `PlaybackError`.
  func measuredDuration() throws -> MediaTime {
    let facts = try wait(for: .facts)
    let own = facts.preferredVideoTrack?.duration ?? .indefinite
    if !facts.durationIsEstimate {
      let lengths = [own, facts.duration].filter { $0.isNumeric && $0 > .zero }
      if let length = lengths.min() { return length }
    }
    let asset = Asset.clip(path, options: .init(prefersPreciseDurationAndTiming: true, network: options.network))
    let duration = try asset.wait(for: .duration)
    return duration.isNumeric ? max(.zero, duration) : .zero
  }
}

extension PlaybackError {
  /// The error for a storyboard given as a clip.
  public static let isStoryboard = PlaybackError(.noVideo, "is a storyboard, not a clip or a movie")
}
