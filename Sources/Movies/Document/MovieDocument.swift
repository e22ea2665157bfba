import Playback

/// The contents of a movie file: the pieces of clips in order, and the overlays over them.
///
/// A value that holds no open files. Times are exact. Two pieces joined by a transition overlap by its duration: the later
/// one starts that long before the earlier one ends, which makes the movie that much shorter.
public struct MovieDocument: Hashable, Sendable {
  /// The title; nil for none.
  public var title: String?
  /// The format of its frames.
  public var output: MovieOutput
  /// The timecode of its first frame; nil for none.
  public var startTimecode: Timecode?
  /// The pieces, in order.
  public var pieces: [MoviePiece]
  /// The overlays over the pieces; later ones lie over earlier ones.
  public var overlays: [MovieOverlay]
  /// The clips of which only the sound is used. All sounds of a moment are heard together.
  public var sounds: [MovieSoundClip]
  /// The course of the volumes of two pieces during their transition, and of fades.
  public var crossfade: AudioCrossfade
  /// Marked moments or stretches, in the movie's time.
  public var markers: [MovieMarker]
  /// The starts of chapters, in the movie's time.
  public var chapters: [MovieMarker]
  /// Data from another program's file that has no equivalent here, kept for writing back.
  var foreign: JSONValue?

  /// Creates a document from its properties.
  public init(
    title: String? = nil, output: MovieOutput = MovieOutput(), startTimecode: Timecode? = nil, pieces: [MoviePiece] = [],
    overlays: [MovieOverlay] = [], sounds: [MovieSoundClip] = [], crossfade: AudioCrossfade = .equalPower,
    markers: [MovieMarker] = [], chapters: [MovieMarker] = []
  ) {
    self.title = title
    self.output = output
    self.startTimecode = startTimecode
    self.pieces = pieces
    self.overlays = overlays
    self.sounds = sounds
    self.crossfade = crossfade
    self.markers = markers
    self.chapters = chapters
  }
}
