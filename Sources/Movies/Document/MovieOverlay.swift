import Playback

/// What lies over the pieces for a while.
public struct MovieOverlay: Hashable, Sendable {
  /// What an overlay shows.
  public enum Content: Hashable, Sendable {
    /// Text, for a length; nil is up to the movie's end.
    case text(String, length: MediaTime?)
    /// An image file, by a path as a clip's, for a length; nil is up to the movie's end.
    case image(path: String, length: MediaTime?)
    /// A stretch of a clip, as long as it lasts.
    case clip(MovieClip)
  }

  /// What it shows.
  public var content: Content
  /// When it begins, in the movie's time.
  public var start: MediaTime
  /// Where in the frame it lies.
  public var place: OverlayPlace
  /// How long it takes to appear.
  public var fadeIn: MediaTime
  /// How long it takes to vanish, at its end.
  public var fadeOut: MediaTime
  /// How much of it is seen: 0 to 1.
  public var opacity: Double
  /// What people call it.
  public var name: String?
  /// Where the file tells of it.
  public var line: SourceLine
  /// What another program's file said of it; it is written back.
  var foreign: JSONValue?

  /// An overlay as its properties say.
  public init(
    _ content: Content, start: MediaTime, place: OverlayPlace, fadeIn: MediaTime = .zero, fadeOut: MediaTime = .zero,
    opacity: Double = 1, name: String? = nil, line: SourceLine = SourceLine()
  ) {
    self.content = content
    self.start = start
    self.place = place
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.opacity = opacity
    self.name = name
    self.line = line
  }
}
