import Playback

/// A named moment or stretch of a movie.
public struct MovieMarker: Hashable, Sendable {
  /// When it begins, in the movie's time.
  public var time: MediaTime
  /// How long it lasts; 0 is a moment.
  public var length: MediaTime
  /// What it says. Any text.
  public var name: String
  /// Where the file tells of it.
  public var line: SourceLine
  /// What another program's file said of it; it is written back.
  var foreign: JSONValue?

  /// A marker as its properties say.
  public init(time: MediaTime, length: MediaTime = .zero, name: String, line: SourceLine = SourceLine()) {
    self.time = time
    self.length = length
    self.name = name
    self.line = line
  }
}
