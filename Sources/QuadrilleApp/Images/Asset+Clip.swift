import Movies
import Playback

extension Asset.Options {
  fileprivate func recording(to file: String?) -> Asset.Options {
    var options = self
    options.recording = file
    return options
  }
}

extension Asset {
  /// An asset for a clip of a list. Reads nothing before it is loaded.
  static func clip(_ clip: ClipList.Clip, options: Asset.Options = Asset.Options()) -> Asset {
    let options = options.recording(to: clip.recording)
    return switch clip.kind {
    case .clip: clip.sequence.map { Asset(sequence: $0, options: options) } ?? Asset(path: clip.location, options: options)
    case .movie: .movie(clip.path, options: options) { .named($0, options: options) }
    case .storyboard: Asset(path: clip.path, options: options) { throw PlaybackError.isStoryboard }
    }
  }

  /// An asset for a file, or for the image sequence that a name stands for. Determines the kind of file, for which it may read
  /// the start of the file or list a folder.
  ///
  /// - Parameter frameRate: That of an image sequence.
  static func clip(
    _ path: String, frameRate: Ratio = ImageSequence.defaultFrameRate, options: Asset.Options = Asset.Options()
  ) -> Asset {
    let path = ClipList.Clip.location(of: path)
    let kind = FileKind(path: path)
    if kind == .clip { return named(path, frameRate: frameRate, options: options) }
    return clip(ClipList.Clip(path: path, kind: kind), options: options)
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
