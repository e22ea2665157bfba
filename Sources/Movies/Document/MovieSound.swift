import Playback

/// The sound of a piece, of an overlay or of a clip that is only heard.
public struct MovieSound: Hashable, Sendable {
  /// The volume at a moment.
  public struct Point: Hashable, Sendable {
    /// The time since the start of what is heard; zero or later.
    public var time: MediaTime
    /// A factor, from 0 to 8.
    public var volume: Double

    /// Creates a point from its properties.
    public init(time: MediaTime, volume: Double) { (self.time, self.volume) = (time, volume) }
  }

  /// The volumes, in time order. Between them, the volume changes in proportion to the time; it is 1 before the first one and
  /// stays at the last one. Empty for the clip's own volume.
  public var volume: [Point]
  /// True if nothing is heard.
  public var isMuted: Bool

  /// Creates a sound from its properties.
  public init(volume: [Point] = [], isMuted: Bool = false) { (self.volume, self.isMuted) = (volume, isMuted) }

  /// True if the clip's own sound is heard unchanged.
  var isPlain: Bool { volume.isEmpty && !isMuted }
}

/// A clip of which only the sound is used.
public struct MovieSoundClip: Hashable, Sendable {
  /// The stretch of the clip, which plays forwards.
  public var clip: MovieClip
  /// The start, in the movie's time.
  public var start: MediaTime
  /// The duration for which it fades in.
  public var fadeIn: MediaTime
  /// The duration for which it fades out.
  public var fadeOut: MediaTime
  /// Its volume.
  public var sound: MovieSound
  /// The name; nil for none.
  public var name: String?
  /// Its line in the file.
  public var line: SourceLine
  /// Data from another program's file, kept for writing back.
  var foreign: JSONValue?

  /// Creates a clip from its properties.
  public init(
    _ clip: MovieClip, start: MediaTime, fadeIn: MediaTime = .zero, fadeOut: MediaTime = .zero, sound: MovieSound = MovieSound(),
    name: String? = nil, line: SourceLine = SourceLine()
  ) {
    self.clip = clip
    self.start = start
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.sound = sound
    self.name = name
    self.line = line
  }
}
