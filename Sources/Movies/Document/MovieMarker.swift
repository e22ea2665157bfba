import Playback

/// A named moment or stretch of a movie.
public struct MovieMarker: Hashable, Sendable {
  /// The start, in the movie's time.
  public var time: MediaTime
  /// The duration; 0 for a moment.
  public var length: MediaTime
  /// The name. Any text.
  public var name: String
  /// Its line in the file.
  public var line: SourceLine
  /// Data from another program's file, kept for writing back.
  var foreign: JSONValue?

  /// Creates a marker from its properties.
  public init(time: MediaTime, length: MediaTime = .zero, name: String, line: SourceLine = SourceLine()) {
    self.time = time
    self.length = length
    self.name = name
    self.line = line
  }
}
