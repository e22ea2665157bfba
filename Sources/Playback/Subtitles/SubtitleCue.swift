/// Text or images shown over the frames for a time.
public struct SubtitleCue: Hashable, Sendable {
  /// The range on the asset's timeline; its end is +∞ if unspecified.
  public internal(set) var timeRange: TimeRange
  /// The lines from top to bottom; untrusted text that may include control characters.
  public let lines: [SubtitleLine]
  /// The position of the lines.
  public let placement: SubtitlePlacement
  /// Images, which have their own positions.
  public let bitmaps: [SubtitleBitmap]
  /// The fades of the cue; only overlay text of a composition has any.
  var fade = OverlayFade()

  /// Creates a cue.
  public init(
    timeRange: TimeRange, lines: [SubtitleLine], placement: SubtitlePlacement = SubtitlePlacement(),
    bitmaps: [SubtitleBitmap] = []
  ) {
    self.timeRange = timeRange
    self.lines = lines
    self.placement = placement
    self.bitmaps = bitmaps
  }

  /// The lines without styles, separated by newlines.
  public var text: String { lines.map(\.text).joined(separator: "\n") }

  /// Returns the cue's opacity at a time in its range, 0…1; text over a composition may fade.
  public func opacity(at time: MediaTime) -> Double { fade.opacity(at: time, in: timeRange) }
}

/// A line of a cue as its author broke it; a viewer may have to wrap it.
public struct SubtitleLine: Hashable, Sendable {
  /// The parts of the line, in reading order.
  public var spans: [SubtitleSpan]

  /// Creates a line.
  public init(_ spans: [SubtitleSpan]) { self.spans = spans }

  /// The text without styles.
  public var text: String { spans.map(\.text).joined() }
}

/// Text in one style.
public struct SubtitleSpan: Hashable, Sendable {
  /// The text as it is in the file; untrusted, and may include control characters.
  public var text: String
  /// The style of the text.
  public var style: SubtitleStyle

  /// Creates text in a style.
  public init(_ text: String, _ style: SubtitleStyle = SubtitleStyle()) {
    self.text = text
    self.style = style
  }
}

/// The appearance of subtitle text.
public struct SubtitleStyle: Hashable, Sendable {
  /// True for bold text.
  public var isBold = false
  /// True for italic text.
  public var isItalic = false
  /// True for underlined text.
  public var isUnderlined = false
  /// The colour; nil to leave it to the viewer.
  public var color: Color?

  /// A colour in 8-bit sRGB.
  public struct Color: Hashable, Sendable {
    /// The red component, 0…255.
    public var red: UInt8
    /// The green component, 0…255.
    public var green: UInt8
    /// The blue component, 0…255.
    public var blue: UInt8

    /// Creates a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }
  }

  /// Creates the style of plain text.
  public init() {}
}

/// The position of a cue in the frame.
public struct SubtitlePlacement: Hashable, Sendable {
  /// The side of a cue that is placed at `x`, and the alignment of its lines.
  public enum Horizontal: String, Hashable, Sendable {
    /// The left side.
    case left
    /// The centre.
    case center
    /// The right side.
    case right
  }

  /// The side of a cue that is placed at `height`.
  public enum Vertical: String, Hashable, Sendable {
    /// The top.
    case top
    /// The middle.
    case middle
    /// The bottom.
    case bottom
  }

  /// A vertical position.
  public enum Height: Hashable, Sendable {
    /// At the frame's top, middle or bottom.
    case edge
    /// At a fraction of the frame's height, 0…1.
    case fraction(Double)
    /// In a text row, counted from 0 at the top, or from −1 at the bottom.
    case row(Int)
  }

  /// The side placed at `x`, and the alignment of lines.
  public var horizontal = Horizontal.center
  /// The side placed at `height`.
  public var vertical = Vertical.bottom
  /// The vertical position.
  public var height = Height.edge
  /// The horizontal position as a fraction of the frame's width; nil for the frame's own side or centre.
  public var x: Double?
  /// Maximum width of lines as a fraction of the frame's width, above 0 and at most 1; exceeded if words need more room.
  public var maxWidth = 1.0

  /// Creates the default placement, at the bottom centre.
  public init() {}
}
