/// Some text or an image that is to be seen over the frames for a while.
public struct SubtitleCue: Hashable, Sendable {
  /// On the asset's timeline. Its end is +∞ where nothing says when the cue goes.
  public internal(set) var timeRange: TimeRange
  /// From the top. Text from a file: any text, control characters included.
  public let lines: [SubtitleLine]
  /// Where its lines stand.
  public let placement: SubtitlePlacement
  /// Images, which have places of their own.
  public let bitmaps: [SubtitleBitmap]
  /// How it comes and goes: only what lies over a composition does so by degrees.
  var fade = OverlayFade()

  /// A cue as its properties say.
  public init(
    timeRange: TimeRange, lines: [SubtitleLine], placement: SubtitlePlacement = SubtitlePlacement(),
    bitmaps: [SubtitleBitmap] = []
  ) {
    self.timeRange = timeRange
    self.lines = lines
    self.placement = placement
    self.bitmaps = bitmaps
  }

  /// Its lines without styles, with line ends between them.
  public var text: String { lines.map(\.text).joined(separator: "\n") }

  /// How much of what is below it is hidden at a time of its range, 0…1: text over a composition may come and go by degrees.
  public func opacity(at time: MediaTime) -> Double { fade.opacity(at: time, in: timeRange) }
}

/// One line of a cue as its maker broke it; whoever shows it may have to break it again.
public struct SubtitleLine: Hashable, Sendable {
  /// Its parts in reading order.
  public var spans: [SubtitleSpan]

  /// A line of these parts.
  public init(_ spans: [SubtitleSpan]) { self.spans = spans }

  /// Without styles.
  public var text: String { spans.map(\.text).joined() }
}

/// Text of one style.
public struct SubtitleSpan: Hashable, Sendable {
  /// As the file has it: any text, control characters included.
  public var text: String
  /// How it looks.
  public var style: SubtitleStyle

  /// Text of a style.
  public init(_ text: String, _ style: SubtitleStyle = SubtitleStyle()) {
    self.text = text
    self.style = style
  }
}

/// How text of a subtitle looks.
public struct SubtitleStyle: Hashable, Sendable {
  /// Whether it is bold.
  public var isBold = false
  /// Whether it is slanted.
  public var isItalic = false
  /// Whether there is a line below it.
  public var isUnderlined = false
  /// Red, green and blue; nil where whoever shows it is free to choose.
  public var color: Color?

  /// A colour in 8-bit sRGB.
  public struct Color: Hashable, Sendable {
    /// From 0 to 255, as are the others.
    public var red: UInt8
    /// From 0 to 255.
    public var green: UInt8
    /// From 0 to 255.
    public var blue: UInt8

    /// A colour of these parts.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }
  }

  /// Plain text.
  public init() {}
}

/// Where a cue stands in the frame.
public struct SubtitlePlacement: Hashable, Sendable {
  /// Which of a cue's sides is at its place, and how its lines are aligned.
  public enum Horizontal: String, Hashable, Sendable {
    /// The left side.
    case left
    /// The middle.
    case center
    /// The right side.
    case right
  }

  /// Which of a cue's sides is at its place.
  public enum Vertical: String, Hashable, Sendable {
    /// The upper side.
    case top
    /// The middle.
    case middle
    /// The lower side.
    case bottom
  }

  /// How far down.
  public enum Height: Hashable, Sendable {
    /// At the frame's top, middle or bottom.
    case edge
    /// At a part of the frame's height, 0…1.
    case fraction(Double)
    /// In a row of text, from 0 at the top, or from −1 at the bottom up.
    case row(Int)
  }

  /// The side that `x` means, and how lines are aligned.
  public var horizontal = Horizontal.center
  /// The side that `height` means.
  public var vertical = Vertical.bottom
  /// How far down it is.
  public var height = Height.edge
  /// Where its side, or its middle, is, as a part of the frame's width; nil: at the frame's.
  public var x: Double?
  /// The part of the frame's width that lines take at the most, above 0 up to 1, where that leaves room for words.
  public var maxWidth = 1.0

  /// In the middle of the lowest rows.
  public init() {}
}
