import Playback

/// What a movie made of pieces says: which stretches of which clips follow each other, and what lies over them.
///
/// A value without any open file. Times are exact. Two pieces joined by a transition overlap by its length: the later one
/// begins that long before the former one ends, and the movie is shorter by it.
public struct MovieDocument: Hashable, Sendable {
  /// What people call it.
  public var title: String?
  /// What it is made into.
  public var output: MovieOutput
  /// The timecode of its first frame; nil where none is said.
  public var startTimecode: Timecode?
  /// One after the other.
  public var pieces: [MoviePiece]
  /// What lies over the pieces; later ones lie over earlier ones.
  public var overlays: [MovieOverlay]
  /// Marked moments or stretches, in the movie's time.
  public var markers: [MovieMarker]
  /// Where chapters begin, in the movie's time.
  public var chapters: [MovieMarker]
  /// What another program's file said that has no place here; it is written back.
  var foreign: JSONValue?

  /// A document as its properties say.
  public init(
    title: String? = nil, output: MovieOutput = MovieOutput(), startTimecode: Timecode? = nil, pieces: [MoviePiece] = [],
    overlays: [MovieOverlay] = [], markers: [MovieMarker] = [], chapters: [MovieMarker] = []
  ) {
    self.title = title
    self.output = output
    self.startTimecode = startTimecode
    self.pieces = pieces
    self.overlays = overlays
    self.markers = markers
    self.chapters = chapters
  }
}
