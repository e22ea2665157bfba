import Playback

/// Text, an image or a clip that lies over the pieces for a while.
public struct MovieOverlay: Hashable, Sendable {
  /// The content of an overlay.
  public enum Content: Hashable, Sendable {
    /// Text, for a duration; nil for the rest of the movie.
    case text(String, length: MediaTime?)
    /// An image file, with a path like a clip's, for a duration; nil for the rest of the movie.
    case image(path: String, length: MediaTime?)
    /// A stretch of a clip, for its own duration.
    case clip(MovieClip)
  }

  /// The content.
  public var content: Content
  /// The start, in the movie's time.
  public var start: MediaTime
  /// The position in the frame.
  public var place: OverlayPlace
  /// The duration of the fade in.
  public var fadeIn: MediaTime
  /// The duration of the fade out.
  public var fadeOut: MediaTime
  /// The opacity, from 0 to 1.
  public var opacity: Double
  /// The sound of a clip, which fades with it.
  public var sound: MovieSound
  /// The name; nil for none.
  public var name: String?
  /// Its line in the file.
  public var line: SourceLine
  /// Data from another program's file, kept for writing back.
  var foreign: JSONValue?

  /// The duration, if it does not depend on a clip or on the movie's end.
  var statedLength: MediaTime? {
    switch content {
    case .text(_, let length), .image(_, let length): return length
    case .clip(let clip):
      switch clip.motion {
      case .freezes(let length), .plays(_, until: .length(let length)): return length
      case .plays: return nil
      }
    }
  }

  /// Creates an overlay from its properties.
  public init(
    _ content: Content, start: MediaTime, place: OverlayPlace, fadeIn: MediaTime = .zero, fadeOut: MediaTime = .zero,
    opacity: Double = 1, sound: MovieSound = MovieSound(), name: String? = nil, line: SourceLine = SourceLine()
  ) {
    self.content = content
    self.start = start
    self.place = place
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.opacity = opacity
    self.sound = sound
    self.name = name
    self.line = line
  }
}
