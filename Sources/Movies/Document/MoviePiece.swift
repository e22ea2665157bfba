import Playback

/// A piece of a movie: a stretch of a clip, black, or a missing item.
public struct MoviePiece: Hashable, Sendable {
  /// The content of a piece.
  public enum Content: Hashable, Sendable {
    /// A stretch of a clip.
    case clip(MovieClip)
    /// Black for a duration.
    case empty(MediaTime)
    /// An item that cannot be played and keeps its place.
    case missing(MissingPiece)
  }

  /// The content.
  public var content: Content
  /// The name; nil for none.
  public var name: String?
  /// The number of the clip's video track, from 1; nil for the one that the clip prefers.
  public var videoTrack: Int?
  /// The sound of a clip.
  public var sound: MovieSound
  /// The transition from the previous piece; nil for a cut.
  public var transition: MovieTransition?
  /// Its line in the file.
  public var line: SourceLine
  /// Data from another program's file, kept for writing back.
  var foreign: JSONValue?
  /// True for a stretch of a clip.
  var isClip: Bool { if case .clip = content { true } else { false } }
  /// True for a clip whose sound is used.
  var isHeard: Bool { isClip && !sound.isMuted }
  /// True if it was read from a timeline, which is written back unchanged.
  package var isOfTimeline: Bool { foreign.flatMap(OTIOSchema.name) != nil }

  /// Creates a piece from its properties.
  public init(
    _ content: Content, name: String? = nil, videoTrack: Int? = nil, sound: MovieSound = MovieSound(),
    transition: MovieTransition? = nil, line: SourceLine = SourceLine()
  ) {
    self.content = content
    self.name = name
    self.videoTrack = videoTrack
    self.sound = sound
    self.transition = transition
    self.line = line
  }
}

/// A piece that cannot be played.
public struct MissingPiece: Hashable, Sendable {
  /// The name in the original file. Any text.
  public var name: String
  /// The reason why it cannot be played, as the end of a sentence: "has no media". May quote a file: any text.
  public var reason: String
  /// The duration of its place; nil if unknown.
  public var length: MediaTime?

  /// Creates a piece from its properties.
  public init(name: String, reason: String, length: MediaTime?) {
    self.name = name
    self.reason = reason
    self.length = length
  }
}
