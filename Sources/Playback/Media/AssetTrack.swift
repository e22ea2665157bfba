import Libav
import Pixels

/// A stream of an asset: static properties from the container.
public struct AssetTrack: Hashable, Sendable {
  /// The kind of media in a track.
  public enum MediaType: String, Hashable, Sendable, Codable {
    /// Moving video, or a cover (`isCover`).
    case video
    /// Sound.
    case audio
    /// Subtitles, as text or images.
    case text
    /// Anything else, such as data or fonts.
    case other
  }

  /// A track's purpose, according to the container, other than being the default or forced.
  public enum Role: String, CaseIterable, Hashable, Sendable, Codable {
    /// In the original language.
    case original
    /// Dubbed into another language.
    case dubbed
    /// Commentary on the work.
    case commentary
    /// Includes sounds, for viewers who cannot hear them.
    case hearingImpaired = "hearing-impaired"
    /// Describes what is visible, for those who cannot see it.
    case visuallyImpaired = "visually-impaired"
    /// A transcript of all speech and sounds.
    case captions
    /// Lyrics.
    case lyrics
  }

  /// The form of subtitles.
  public enum SubtitleForm: String, Hashable, Sendable, Codable {
    /// Text, drawn by the viewer.
    case text
    /// Images, drawn over the frame.
    case bitmap
  }

  /// Index among the asset's tracks, from 0.
  public let index: Int
  /// The kind of media.
  public let mediaType: MediaType
  /// Short name of the codec: "h264".
  public let codec: String
  /// Display name of the codec, with its profile: "H.264 (High)".
  public let codecDescription: String
  /// True if a decoder is available.
  public let isDecodable: Bool
  /// True if the track is an attached picture, such as a cover, rather than moving video.
  public let isCover: Bool
  /// True if the container marks it as the default track of its kind.
  public let isDefault: Bool
  /// True if the container marks it as forced: to be shown whatever is selected.
  public internal(set) var isForced: Bool
  /// The other purposes given by the container.
  public internal(set) var roles: Set<Role>
  /// A part of a stream in segments that a track stands for.
  package enum StreamPart: Hashable, Sendable {
    /// A variant, by its index in the playlist: the same video at one bit rate and size.
    case variant(Int)
    /// A rendition, by its index in the playlist.
    case rendition(Int)
  }

  /// The part of a stream in segments that the track stands for; nil for others.
  package internal(set) var streamPart: StreamPart?

  /// True if the track is a variant: one encoding of the video of an HTTP Live Stream, of which the right one is chosen
  /// automatically unless this one is. It has no packets of its own.
  public var isVariant: Bool { if case .variant = streamPart { true } else { false } }

  /// The form of subtitles; nil if unknown, and for other tracks.
  public let subtitleForm: SubtitleForm?
  /// The language tag as it is in the file; untrusted text that may include control characters. Nil if there is none.
  public let language: String?
  /// The language of a SAMI file with several, each of which is a track of the same stream; nil for other tracks.
  package private(set) var samiLanguage: SAMILanguage?
  /// The title as it is in the file; untrusted text that may include control characters. Nil if there is none.
  public let title: String?
  /// Timecode of the first frame, as in the file; nil if the track has none.
  package let timecode: String?
  /// The loudness that its own tags state.
  let replayGain: ReplayGain?
  /// Bit rate in bits per second; 0 if unknown.
  public let bitRate: Int64
  /// Seconds per tick of the track's timestamps.
  public let timeBase: Ratio
  /// Timestamp of the first frame or sound in ticks of `timeBase`; nil if unknown.
  public let firstPTS: Int64?
  /// The duration; indefinite if unknown.
  public let duration: MediaTime

  /// Size of the coded frames in pixels.
  public let codedSize: PixelSize
  /// Width divided by height of a pixel.
  public let sampleAspectRatio: Ratio
  /// The orientation to apply to frames for display.
  public let orientation: Orientation
  /// Average frame rate in frames per second; 0 if unknown.
  public let nominalFrameRate: Double
  /// The exact frame rate in frames per second, if all frames have the same duration according to the container; else nil.
  public let frameRate: Ratio?
  /// The lowest rate at which every frame starts at a whole number of frames, as far as the start of the file shows; nil if
  /// unknown.
  package let baseFrameRate: Ratio?
  /// True if `frameRate` is just the average, so that none of the frames that the container counts is missing or longer.
  package let hasExactFrameRate: Bool
  /// True if the container's smallest step between frames is that between fields, half a frame.
  private let isCountedInFields: Bool
  /// The number of frames given by the container; 0 if unknown.
  public let frameCount: Int64
  /// libav's name of the pixel format: "yuv420p"; empty if unknown.
  public let pixelFormat: String
  /// libav's name of the colour matrix: "bt709"; "unknown" if not specified.
  public let colorSpace: String
  /// libav's name of the transfer characteristics; "unknown" if not specified.
  public let colorTransfer: String
  /// libav's name of the colour primaries; "unknown" if not specified.
  public let colorPrimaries: String
  /// "tv" for limited range, "pc" for full range, "unknown" if not specified.
  public let colorRange: String
  /// "progressive", "top-first" or "bottom-first"; nil if unknown.
  package let fieldOrder: String?
  /// The container's data on high dynamic range, in addition to the transfer characteristics.
  package let highDynamicRange: HighDynamicRange?

  /// Sample rate of sound in samples per second; 0 if unknown.
  public let sampleRate: Int
  /// Number of sound channels; 0 if unknown.
  public let channelCount: Int

  /// A container's data on high dynamic range; nil where it gives none.
  package struct HighDynamicRange: Hashable, Sendable {
    /// The peak luminance of the mastering display, in cd/m².
    package let peak: Double?
    /// The maximum luminance of a pixel (MaxCLL) and of a whole frame (MaxFALL), in cd/m².
    package let maximum, maximumAverage: Int?
    package let dolbyVisionProfile: Int?

    fileprivate init(_ said: StreamInfo.Mastering) {
      (peak, maximum, maximumAverage) = (said.peak, said.maximum, said.maximumAverage)
      dolbyVisionProfile = said.dolbyVisionProfile
    }
  }

  /// True if the container gives frames different durations, false if equal ones; nil if it gives no rate.
  package var hasVariableFrameRate: Bool? {
    guard nominalFrameRate > 0 else { return nil }
    return frameRate == nil && !isCountedInFields
  }

  /// Displayed size in square pixels: pixel shape and orientation applied.
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

  /// Creates the track of one kind of captions in the frames of a video track, whose index it has. Only EIA-608 can be
  /// decoded.
  init(captions kind: CaptionExtractor.Kinds, of video: AssetTrack) {
    var info = StreamInfo(of: .subtitle, index: video.index, timeBase: video.timeBase)
    info.codecName = kind == .eia608 ? "eia_608" : "eia_708"
    info.codecDescription = kind == .eia608 ? "EIA-608 captions" : "EIA-708 captions"
    info.hasDecoder = kind == .eia608
    info.roles = [.captions]
    info.subtitleForm = .text
    self.init(info)
  }

  /// Creates the track of a stream, or of one of its languages.
  init(_ info: StreamInfo, _ sami: SAMILanguage? = nil, part: StreamPart? = nil) {
    index = info.index
    streamPart = part
    samiLanguage = sami
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
    language = sami?.language ?? info.language
    title = sami?.title ?? info.metadata["title"]
    replayGain = ReplayGain(tags: info.metadata)
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
    isCountedInFields =
      info.fieldOrder != .progressive && rate.isPositive && abs(info.realFrameRate.value / rate.value - 2) < 0.01
    frameRate = isConstant && nominalFrameRate > 0 ? info.realFrameRate : nil
    baseFrameRate = info.realFrameRate.isPositive ? info.realFrameRate : nil
    hasExactFrameRate = isConstant && info.realFrameRate == info.averageFrameRate
    frameCount = max(0, info.frameCount)
    pixelFormat = info.pixelFormat
    colorSpace = info.colorSpace
    colorTransfer = info.colorTransfer
    colorPrimaries = info.colorPrimaries
    colorRange = info.colorRange
    fieldOrder = info.fieldOrder?.rawValue
    highDynamicRange = info.mastering.map(HighDynamicRange.init)
    sampleRate = info.sampleRate
    channelCount = info.channelCount
  }

  /// Reads a track's duration from a Matroska tag. mkvmerge's statistics count from the track's start, FFmpeg from the
  /// clip's.
  private static func taggedDuration(_ info: StreamInfo) -> MediaTime? {
    guard let stated = info.metadata["duration"].flatMap({ MediaTime(clockText: $0) }) else { return nil }
    let isLength = info.metadata.keys.contains { $0.hasPrefix("_statistics") }
    let start = isLength ? .zero : info.startTime.map { MediaTime(ticks: $0, in: info.timeBase) } ?? .zero
    return start > .zero && start < stated ? stated - start : stated
  }
}

extension MediaTime {
  /// Creates a time from a libav timestamp.
  init(ticks: Int64, in timeBase: Ratio) {
    self.init(
      ticks: ticks, timeBaseNumerator: timeBase.numerator, timeBaseDenominator: timeBase.denominator)
  }

  /// Returns the time as a libav timestamp; nil if it is not numeric or overflows 64 bits.
  func ticks(in timeBase: Ratio, rounding: MediaTimeRounding = .halfAwayFromZero) -> Int64? {
    ticks(timeBaseNumerator: timeBase.numerator, timeBaseDenominator: timeBase.denominator, rounding: rounding)
  }
}
