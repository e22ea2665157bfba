import Libav
import Pixels

/// One stream of an asset: static facts as the container tells them.
public struct AssetTrack: Hashable, Sendable {
  /// What a track is made of.
  public enum MediaType: String, Hashable, Sendable, Codable {
    /// Moving video, or a cover (`isCover`).
    case video
    /// Sound.
    case audio
    /// Subtitles, as text or as images.
    case text
    /// Anything else, such as data or fonts.
    case other
  }

  /// What a container says that a track is for, besides being the default or forced.
  public enum Role: String, CaseIterable, Hashable, Sendable, Codable {
    /// In the language that the work was made in.
    case original
    /// In another language than that.
    case dubbed
    /// Somebody talks about the work.
    case commentary
    /// Tells of sounds, too, for those who do not hear them.
    case hearingImpaired = "hearing-impaired"
    /// Tells of what is to be seen, for those who do not see it.
    case visuallyImpaired = "visually-impaired"
    /// Everything that is said and heard, in writing.
    case captions
    /// The words of songs.
    case lyrics
  }

  /// What subtitles are made of.
  public enum SubtitleForm: String, Hashable, Sendable, Codable {
    /// Text, drawn by whoever shows it.
    case text
    /// Images, laid over the frame.
    case bitmap
  }

  /// Position among the asset's tracks, from 0.
  public let index: Int
  /// What the track is made of.
  public let mediaType: MediaType
  /// Short name of the codec: "h264".
  public let codec: String
  /// What people call the codec, with its profile: "H.264 (High)".
  public let codecDescription: String
  /// Whether it can be decoded here.
  public let isDecodable: Bool
  /// Whether it is an attached picture, such as a cover, rather than moving video.
  public let isCover: Bool
  /// Whether the container marks it as the one to play of its kind.
  public let isDefault: Bool
  /// Whether the container marks it as one to show whatever was chosen.
  public internal(set) var isForced: Bool
  /// What else the container says that it is for.
  public internal(set) var roles: Set<Role>
  /// Subtitles only: whether they are text or images; nil where that is not known.
  public let subtitleForm: SubtitleForm?
  /// Language tag as the file has it: any text, control characters included. Nil where there is none.
  public let language: String?
  /// Name as the file has it: any text, control characters included. Nil where there is none.
  public let title: String?
  /// Of its first frame, as the file writes it; nil where the track says none.
  package let timecode: String?
  /// Bits a second, 0 when not known.
  public let bitRate: Int64
  /// Seconds of one tick of its time stamps.
  public let timeBase: Ratio
  /// Time stamp of its first frame or sound in ticks of `timeBase`, nil when not known.
  public let firstPTS: Int64?
  /// Length, indefinite when not known.
  public let duration: MediaTime

  /// Size of the coded frames in pixels.
  public let codedSize: PixelSize
  /// Width of a pixel over its height.
  public let sampleAspectRatio: Ratio
  /// How frames are to be turned to be upright.
  public let orientation: Orientation
  /// Frames a second on average, 0 when not known.
  public let nominalFrameRate: Double
  /// Frames a second, exactly, where all frames are equally long as far as the container tells; else nil.
  public let frameRate: Ratio?
  /// Whether `frameRate` is just the average, so that none of the frames that the container counts is missing or longer.
  package let hasExactFrameRate: Bool
  /// Frames that the container counts, 0 when it does not say.
  public let frameCount: Int64
  /// libav's name of the pixel format: "yuv420p"; empty where unknown.
  public let pixelFormat: String
  /// libav's name of the colour matrix: "bt709"; "unknown" where it is not told.
  public let colorSpace: String
  /// libav's name of the transfer characteristics, as `colorSpace`.
  public let colorTransfer: String
  /// libav's name of the primaries, as `colorSpace`.
  public let colorPrimaries: String
  /// "tv" where the lowest and highest values are left free, "pc" where all are used, "unknown" where it is not told.
  public let colorRange: String

  /// Sound only: samples a second, 0 when not known.
  public let sampleRate: Int
  /// Sound only: channels, 0 when not known.
  public let channelCount: Int

  /// Size as it is to be seen: pixel shape and turning applied, in square pixels.
  public var presentationSize: PixelSize {
    Self.presentationSize(codedSize, sampleAspectRatio, orientation)
  }

  static func presentationSize(_ coded: PixelSize, _ ratio: Ratio, _ orientation: Orientation) -> PixelSize {
    var size = coded
    if ratio.isPositive && ratio.numerator != ratio.denominator {
      // The width carries the pixel shape, as in AVFoundation.
      size.width = max(1, Int((Double(size.width) * ratio.value).rounded()))
    }
    return orientation.swapsSides ? PixelSize(width: size.height, height: size.width) : size
  }

  /// The captions of one kind in the frames of a video track, whose index it has. Only EIA-608 can be decoded.
  init(captions kind: CaptionExtractor.Kinds, of video: AssetTrack) {
    var info = StreamInfo(of: .subtitle, index: video.index, timeBase: video.timeBase)
    info.codecName = kind == .eia608 ? "eia_608" : "eia_708"
    info.codecDescription = kind == .eia608 ? "EIA-608 captions" : "EIA-708 captions"
    info.hasDecoder = kind == .eia608
    info.roles = [.captions]
    info.subtitleForm = .text
    self.init(info)
  }

  init(_ info: StreamInfo) {
    index = info.index
    mediaType =
      switch info.kind {
      case .video: .video
      case .audio: .audio
      case .subtitle: .text
      default: .other
      }
    codec = info.codecName
    codecDescription = info.codecDescription
    isDecodable = info.hasDecoder
    isCover = info.isAttachedPicture
    isDefault = info.isDefault
    isForced = info.isForced
    roles = Set(info.roles.compactMap { Role(rawValue: $0.rawValue) })
    subtitleForm = info.subtitleForm.flatMap { SubtitleForm(rawValue: $0.rawValue) }
    language = info.language
    title = info.metadata["title"]
    timecode = info.metadata["timecode"]
    bitRate = info.bitRate
    timeBase = info.timeBase
    firstPTS = info.startTime
    duration = info.duration.map { MediaTime(ticks: $0, in: info.timeBase) } ?? Self.taggedDuration(info) ?? .indefinite
    codedSize = info.size
    sampleAspectRatio = info.sampleAspectRatio
    orientation = info.orientation
    let rate = info.averageFrameRate.isPositive ? info.averageFrameRate : info.realFrameRate
    nominalFrameRate = rate.isPositive && rate.value < 1000 ? rate.value : 0
    let isConstant = rate.isPositive && info.realFrameRate.isPositive && abs(info.realFrameRate.value / rate.value - 1) < 0.005
    frameRate = isConstant && nominalFrameRate > 0 ? info.realFrameRate : nil
    hasExactFrameRate = isConstant && info.realFrameRate == info.averageFrameRate
    frameCount = max(0, info.frameCount)
    pixelFormat = info.pixelFormat
    colorSpace = info.colorSpace
    colorTransfer = info.colorTransfer
    colorPrimaries = info.colorPrimaries
    colorRange = info.colorRange
    sampleRate = info.sampleRate
    channelCount = info.channelCount
  }

  /// Matroska keeps a track's length as a tag: mkvmerge, with its statistics, from the track's beginning on, FFmpeg from the clip's.
  private static func taggedDuration(_ info: StreamInfo) -> MediaTime? {
    guard let stated = info.metadata["duration"].flatMap({ MediaTime(clockText: $0) }) else { return nil }
    let isLength = info.metadata.keys.contains { $0.hasPrefix("_statistics") }
    let start = isLength ? .zero : info.startTime.map { MediaTime(ticks: $0, in: info.timeBase) } ?? .zero
    return start > .zero && start < stated ? stated - start : stated
  }
}

extension MediaTime {
  /// A time stamp of libav.
  init(ticks: Int64, in timeBase: Ratio) {
    self.init(
      ticks: ticks, timeBaseNumerator: timeBase.numerator, timeBaseDenominator: timeBase.denominator)
  }

  /// The time as a time stamp of libav; nil when it is not numeric or leaves 64 bits.
  func ticks(in timeBase: Ratio, rounding: MediaTimeRounding = .halfAwayFromZero) -> Int64? {
    ticks(timeBaseNumerator: timeBase.numerator, timeBaseDenominator: timeBase.denominator, rounding: rounding)
  }
}
