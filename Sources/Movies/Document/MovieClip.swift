import Playback

/// A stretch of a clip, and how it moves.
public struct MovieClip: Hashable, Sendable {
  /// Where a stretch ends.
  public enum End: Hashable, Sendable {
    /// With the clip.
    case clipEnd
    /// Before this point of the clip.
    case position(ClipPosition)
    /// When the movie has shown it for a length.
    case length(MediaTime)
  }

  /// How a stretch moves.
  public enum Motion: Hashable, Sendable {
    /// Plays up to an end. The speed is in lowest terms and never 0; 2 is twice as fast. A negative one shows the same stretch
    /// from its end backwards: `start` is still its earliest frame.
    case plays(speed: Ratio, until: End)
    /// Holds the frame at `start` for a length.
    case freezes(MediaTime)
  }

  /// The clip's name as the file says it, as `Asset.path(ofBytes:)` makes it.
  public var path: String
  /// The earliest frame of the stretch; nil is the clip's first.
  public var start: ClipPosition?
  /// How it moves.
  public var motion: Motion

  /// A stretch as its properties say.
  public init(path: String, start: ClipPosition? = nil, motion: Motion = .plays(speed: Ratio(1, 1), until: .clipEnd)) {
    self.path = path
    self.start = start
    self.motion = motion
  }

  /// The clip's path for who stands elsewhere: a relative one begins in the folder of the movie's file.
  ///
  /// - Parameter movie: the movie's path.
  public func path(fromMovieAt movie: String) -> String { ClipName.path(path, fromMovieAt: movie) }
}
