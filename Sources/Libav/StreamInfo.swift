import Pixels

/// A container's description of a stream, as plain values.
public struct StreamInfo: Hashable, Sendable {
  /// The kind of data in a stream.
  public enum Kind: String, Hashable, Sendable {
    case video, audio, subtitle, data, attachment, unknown
  }

  /// A stream's purpose, according to the container, other than being the default or forced.
  public enum Role: String, CaseIterable, Hashable, Sendable, Codable {
    /// In the language that the work was made in.
    case original
    /// In another language than that.
    case dubbed
    case commentary
    /// Tells of sounds, too, for those who do not hear them.
    case hearingImpaired = "hearing-impaired"
    /// Tells of what is to be seen, for those who do not see it.
    case visuallyImpaired = "visually-impaired"
    case captions
    case lyrics
  }

  /// What subtitles are made of.
  public enum SubtitleForm: String, Hashable, Sendable, Codable {
    case text
    case bitmap
  }

  /// Position among the container's streams.
  public var index: Int
  public var kind: Kind
  /// libav's short name of the codec: "h264"; a tag in words when the codec is unknown.
  public var codecName: String
  /// What people call the codec, with its profile: "H.264 (High)".
  public var codecDescription: String
  /// True if a decoder is available.
  public var hasDecoder: Bool
  /// Seconds of one tick.
  public var timeBase: Ratio
  /// First PTS in ticks, nil when not known.
  public var startTime: Int64?
  /// In ticks, nil when not known.
  public var duration: Int64?
  /// Frames the container counts, 0 when it does not say.
  public var frameCount: Int64
  public var averageFrameRate: Ratio
  public var realFrameRate: Ratio
  public var bitRate: Int64
  /// An attached picture, such as a cover, rather than moving video.
  public var isAttachedPicture: Bool
  public var isDefault: Bool
  public var isForced: Bool
  public var roles: Set<Role>
  /// Subtitles only: what they are made of.
  public var subtitleForm: SubtitleForm?
  public var metadata: [String: String]

  // Video only.
  public var size: PixelSize
  /// Width of a pixel over its height; 1:1 when not told.
  public var sampleAspectRatio: Ratio
  public var orientation: Orientation
  public var pixelFormat: String
  public var colorSpace: String
  public var colorTransfer: String
  public var colorPrimaries: String
  /// "tv", "pc" or "unknown".
  public var colorRange: String
  public var hasAlphaLayer: Bool
  /// Frames that the decoder holds back to put them in order, as far as libav has seen.
  public var reorderDelay: Int

  // Audio only.
  public var sampleRate: Int
  public var channelCount: Int

  /// BCP 47 or ISO 639 tag as the file has it.
  public var language: String? { metadata["language"] }
}

/// A chapter mark.
public struct ChapterInfo: Hashable, Sendable {
  /// In ticks of `timeBase`.
  public var start: Int64
  public var end: Int64
  public var timeBase: Ratio
  public var title: String?
}

extension StreamInfo {
  /// A stream of which nothing else is known.
  public init(of kind: Kind, index: Int, timeBase: Ratio) {
    self.init(
      index: index, kind: kind, codecName: "", codecDescription: "", hasDecoder: false, timeBase: timeBase, startTime: nil,
      duration: nil, frameCount: 0, averageFrameRate: Ratio(0, 1), realFrameRate: Ratio(0, 1), bitRate: 0,
      isAttachedPicture: false, isDefault: false, isForced: false, roles: [], subtitleForm: nil, metadata: [:],
      size: PixelSize(width: 0, height: 0), sampleAspectRatio: Ratio(1, 1), orientation: .upright, pixelFormat: "",
      colorSpace: "", colorTransfer: "", colorPrimaries: "", colorRange: "", hasAlphaLayer: false, reorderDelay: 0, sampleRate: 0,
      channelCount: 0)
  }
}
