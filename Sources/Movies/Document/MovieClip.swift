import Playback

/// A stretch of a clip, and how it is played.
public struct MovieClip: Hashable, Sendable {
  /// The end of a stretch.
  public enum End: Hashable, Sendable {
    /// With the clip.
    case clipEnd
    /// Before this point of the clip.
    case position(ClipPosition)
    /// After it has been shown for a duration.
    case length(MediaTime)
  }

  /// The way a stretch is played.
  public enum Motion: Hashable, Sendable {
    /// Plays up to an end. The speed is in lowest terms and never 0; 2 is twice as fast. A negative speed plays the same
    /// stretch backwards: `start` is still its earliest frame.
    case plays(speed: Ratio, until: End)
    /// Holds the frame at `start` for a duration.
    case freezes(MediaTime)
  }

  /// The clip's path as given in the file, as `Asset.path(ofBytes:)` makes it.
  public var path: String
  /// The earliest frame of the stretch; nil for the clip's first.
  public var start: ClipPosition?
  /// The way it is played.
  public var motion: Motion
  /// The rate at which the clip's own frames are counted, for formats that give times in frames; nil if unknown.
  var rate: Ratio?

  /// Creates a stretch from its properties.
  public init(path: String, start: ClipPosition? = nil, motion: Motion = .plays(speed: Ratio(1, 1), until: .clipEnd)) {
    self.path = path
    self.start = start
    self.motion = motion
  }

  /// The clip's path, resolved against the movie's folder if relative.
  ///
  /// - Parameter movie: the movie's path.
  public func path(fromMovieAt movie: String) -> String { ClipName.path(path, fromMovieAt: movie) }
}
