import Playback

/// A piece of a movie: a stretch of a clip, or what stands in its place.
public struct MoviePiece: Hashable, Sendable {
  /// What a piece shows.
  public enum Content: Hashable, Sendable {
    /// A stretch of a clip.
    case clip(MovieClip)
    /// Black for a length.
    case empty(MediaTime)
    /// Something that cannot be played, which keeps its place.
    case missing(MissingPiece)
  }

  /// What it shows.
  public var content: Content
  /// What people call it.
  public var name: String?
  /// Number of the clip's video track, the first is 1; nil takes the one that the clip itself prefers.
  public var videoTrack: Int?
  /// The way from the piece before into this one; nil is a cut.
  public var transition: MovieTransition?
  /// Where the file tells of it.
  public var line: SourceLine
  /// What another program's file said of it; it is written back.
  var foreign: JSONValue?
  /// Whether it was read from a timeline, which is written back as it was.
  package var isOfTimeline: Bool { foreign.flatMap(OTIOSchema.name) != nil }

  /// A piece as its properties say.
  public init(
    _ content: Content, name: String? = nil, videoTrack: Int? = nil, transition: MovieTransition? = nil,
    line: SourceLine = SourceLine()
  ) {
    self.content = content
    self.name = name
    self.videoTrack = videoTrack
    self.transition = transition
    self.line = line
  }
}

/// A piece that cannot be played.
public struct MissingPiece: Hashable, Sendable {
  /// What it is called where it comes from. Any text.
  public var name: String
  /// Why it cannot be played, as the end of a sentence: "has no media". It may quote a file: any text.
  public var reason: String
  /// How long its place is; nil where nobody said.
  public var length: MediaTime?

  /// A piece as its properties say.
  public init(name: String, reason: String, length: MediaTime?) {
    self.name = name
    self.reason = reason
    self.length = length
  }
}
