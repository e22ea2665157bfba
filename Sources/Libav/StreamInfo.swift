import Pixels

/// A container's description of a stream, as plain values.
public struct StreamInfo: Hashable, Sendable {
  /// The kind of data in a stream.
  public enum Kind: String, Hashable, Sendable {
    case video, audio, subtitle, data, attachment, unknown
  }

  /// A stream's purpose, according to the container, other than being the default or forced.
  public enum Role: String, CaseIterable, Hashable, Sendable, Codable {
    /// In the original language.
    case original
    /// Dubbed into another language.
    case dubbed
    case commentary
    /// Includes sounds, for viewers who cannot hear them.
    case hearingImpaired = "hearing-impaired"
    /// Describes what is visible, for those who cannot see it.
    case visuallyImpaired = "visually-impaired"
    case captions
    case lyrics
  }

  /// The order in which the fields of interlaced frames are displayed; progressive for whole frames.
  public enum FieldOrder: String, Hashable, Sendable, Codable {
    case progressive
    case topFirst = "top-first"
    case bottomFirst = "bottom-first"
  }

  /// The container's data on high dynamic range, in addition to the transfer characteristics; nil where it gives none.
  public struct Mastering: Hashable, Sendable {
    /// The peak luminance of the mastering display, in cd/m².
    public var peak: Double?
    /// The maximum luminance of a pixel (MaxCLL) and of a whole frame (MaxFALL), in cd/m².
    public var maximum, maximumAverage: Int?
    public var dolbyVisionProfile: Int?

    public init() {}
  }

  /// The form of subtitles.
  public enum SubtitleForm: String, Hashable, Sendable, Codable {
    case text
    case bitmap
  }

  /// Index among the container's streams.
  public var index: Int
  public var kind: Kind
  /// libav's short name of the codec: "h264"; a textual tag if the codec is unknown.
  public var codecName: String
  /// Display name of the codec, with its profile: "H.264 (High)".
  public var codecDescription: String
  /// True if a decoder is available.
  public var hasDecoder: Bool
  /// True if the container declares the whole stream as encrypted; single packets may be even if it does not.
  public var isEncrypted = false
  /// Seconds per tick.
  public var timeBase: Ratio
  /// The first PTS in ticks; nil if unknown.
  public var startTime: Int64?
  /// The duration in ticks; nil if unknown.
  public var duration: Int64?
  /// The number of frames given by the container; 0 if unknown.
  public var frameCount: Int64
  public var averageFrameRate: Ratio
  public var realFrameRate: Ratio
  public var bitRate: Int64
  /// True for an attached picture, such as a cover, rather than moving video.
  public var isAttachedPicture: Bool
  public var isDefault: Bool
  public var isForced: Bool
  public var roles: Set<Role>
  /// The form of subtitles; subtitles only.
  public var subtitleForm: SubtitleForm?
  public var metadata: [String: String]

  // Video only.
  public var size: PixelSize
  /// Width divided by height of a pixel; 1:1 if unspecified.
  public var sampleAspectRatio: Ratio
  public var orientation: Orientation
  public var pixelFormat: String
  public var colorSpace: String
  public var colorTransfer: String
  public var colorPrimaries: String
  /// "tv", "pc" or "unknown".
  public var colorRange: String
  /// Nil if unknown.
  public var fieldOrder: FieldOrder?
  /// Nil if the container says nothing.
  public var mastering: Mastering?
  public var hasAlphaLayer: Bool
  /// The number of frames that the decoder holds back for reordering, as far as libav has seen.
  public var reorderDelay: Int

  // Audio only.
  public var sampleRate: Int
  public var channelCount: Int

  /// The BCP 47 or ISO 639 tag, as in the file.
  public var language: String? { metadata["language"] }
}

/// A chapter.
public struct ChapterInfo: Hashable, Sendable {
  /// In ticks of `timeBase`.
  public var start: Int64
  public var end: Int64
  public var timeBase: Ratio
  public var title: String?
}

extension StreamInfo {
  /// Creates a stream of which nothing else is known.
  public init(of kind: Kind, index: Int, timeBase: Ratio) {
    self.init(
      index: index, kind: kind, codecName: "", codecDescription: "", hasDecoder: false, timeBase: timeBase, startTime: nil,
      duration: nil, frameCount: 0, averageFrameRate: Ratio(0, 1), realFrameRate: Ratio(0, 1), bitRate: 0,
      isAttachedPicture: false, isDefault: false, isForced: false, roles: [], subtitleForm: nil, metadata: [:],
      size: PixelSize(width: 0, height: 0), sampleAspectRatio: Ratio(1, 1), orientation: .upright, pixelFormat: "",
      colorSpace: "", colorTransfer: "", colorPrimaries: "", colorRange: "", fieldOrder: nil, mastering: nil, hasAlphaLayer: false, reorderDelay: 0, sampleRate: 0,
      channelCount: 0)
  }
}
