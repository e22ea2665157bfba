import Libav

/// A chapter of an asset, as the container lists it.
public struct Chapter: Hashable, Sendable {
  /// The range on the asset's timeline; starts at 0 or later.
  public let timeRange: TimeRange
  /// The title as it is in the file; untrusted text that may include control characters. Nil if there is none.
  public let title: String?

  /// Creates a chapter.
  public init(timeRange: TimeRange, title: String?) {
    self.timeRange = timeRange
    self.title = title
  }
}

/// The purpose of a track.
public enum MediaCharacteristic: String, CaseIterable, Hashable, Sendable, Codable {
  /// Moving video; not a cover.
  case visual
  /// Sound.
  case audible
  /// Subtitles.
  case legible
}

/// Everything in an asset's headers.
public struct AssetFacts: Hashable, Sendable {
  /// libav's short name of the container.
  public let format: String
  /// Size of the file in bytes; 0 for a pipe.
  public let byteCount: Int64
  /// Overall bit rate in bits per second; 0 if unknown.
  public let bitRate: Int64
  /// The tracks, in the container's order.
  public let tracks: [AssetTrack]
  /// The chapters, in the container's order, without those that end before the first frame.
  public let chapters: [Chapter]
  /// The markers of a composition; a file has none.
  public let markers: [CompositionMarker]
  /// Metadata such as the title, with lower-case keys. Values are as they are in the file: untrusted text that may include
  /// control characters.
  public let metadata: [String: String]
  /// The duration in the header; indefinite if there is none. `Asset.load(.duration)` may know better.
  public let duration: MediaTime
  /// True if `duration` is only estimated, from the bit rate or from first and last timestamps that may have jumps between.
  public let durationIsEstimate: Bool
  /// True if the file is shorter than its headers say.
  public let isCutOff: Bool
  /// The timestamp that is time zero of the asset: that of the first frame, if known.
  ///
  /// In AVFoundation, time zero is the container's, and sound that starts before the first frame is heard. Here nothing
  /// comes before that frame: positions, durations and chapters all count from it.
  public let startTime: MediaTime
  /// The time at which playback begins: later than zero for a live stream.
  let startPosition: MediaTime
  /// The time between the container's start and the first frame, as when sound starts first; zero if it is less than a
  /// frame, which sound decoders need to preroll.
  let leadTime: MediaTime

  /// The title as it is in the file; untrusted text that may include control characters. Nil if there is none.
  public var title: String? { metadata["title"] }

  /// The purposes of the tracks; a cover counts for none.
  public var characteristics: Set<MediaCharacteristic> { Set(tracks.compactMap(\.characteristic)) }

  /// The video track to play by default: the one in a preferred language, else the default track, else the first that can
  /// be decoded.
  public let preferredVideoTrack: AssetTrack?
  /// The sound track to play by default: the one in a preferred language, else the default track, else the one in a
  /// language that the user understands, else the original language, else the first that can be decoded.
  public let preferredSoundTrack: AssetTrack?
  /// The duration of an image of a composition that changes faster than any clip does; nil for a file.
  let compositionStep: MediaTime?

  private static func preferredVideo(_ tracks: [AssetTrack], _ languages: MediaLanguages) -> AssetTrack? {
    let moving = tracks.filter { $0.mediaType == .video && !$0.isCover && !$0.isVariant }
    let decodable = moving.filter { $0.isDecodable && !$0.codedSize.isEmpty }
    return wanted(decodable, .visual, languages.visual) ?? decodable.marked ?? decodable.first
      ?? moving.first { $0.isDecodable } ?? moving.first
  }

  private static func preferredSound(_ tracks: [AssetTrack], _ languages: MediaLanguages) -> AssetTrack? {
    let decodable = tracks.filter { $0.mediaType == .audio && $0.isDecodable }
    return wanted(decodable, .audible, languages.audible) ?? decodable.marked
      ?? wanted(decodable, .audible, languages.understood) ?? decodable.first { $0.roles.contains(.original) } ?? decodable.first
  }

  private static func wanted(
    _ tracks: [AssetTrack], _ characteristic: MediaCharacteristic, _ wishes: [LanguageTag]
  ) -> AssetTrack? {
    MediaSelectionGroup(characteristic, tracks.map { MediaSelectionOption($0) })?.option(for: wishes)?.track
  }

  /// The tracks with moving video.
  package var videoTracks: [AssetTrack] { tracks.filter { $0.characteristic == .visual && !$0.isVariant } }

  /// The variants of an HTTP Live Stream, in the playlist's order; empty if there is no choice.
  public var variants: [AssetTrack] { tracks.filter(\.isVariant) }

  /// True if the container has a table of all its frames, from which the tracks' rates were computed.
  package var tellsEachFrame: Bool { format.split(separator: ",").contains("mov") }

  /// Returns how much later than the clip a track starts, negative if earlier; zero if unknown.
  package func lead(of track: AssetTrack) -> MediaTime {
    let lead = track.firstPTS.map { MediaTime(ticks: $0, in: track.timeBase) - startTime } ?? .zero
    return lead.isNumeric ? lead : .zero
  }

  /// Returns the end of a video track, since other tracks may last longer; nil if unknown.
  package func length(of track: AssetTrack) -> MediaTime? {
    // A track that starts later than the clip ends that much later.
    [track.duration + max(.zero, lead(of: track)), duration].filter(\.isNumeric).min()
  }

  /// True if there is video that can be decoded, or else sound that can be shown.
  public var isPlayable: Bool {
    hasMedia && preferredVideoTrack?.isDecodable ?? (preferredSoundTrack != nil)
  }

  /// False for a composition whose clips are all missing.
  private let hasMedia: Bool

  /// Creates the facts of a composition.
  init(
    composition track: AssetTrack, title: String?, duration: MediaTime, chapters: [Chapter], markers: [CompositionMarker],
    step: MediaTime, isPlayable: Bool
  ) {
    hasMedia = isPlayable
    format = "composition"
    byteCount = 0
    bitRate = 0
    tracks = [track]
    self.chapters = chapters
    self.markers = markers
    metadata = title.map { ["title": $0] } ?? [:]
    self.duration = duration
    durationIsEstimate = false
    isCutOff = false
    startTime = .zero
    startPosition = .zero
    leadTime = .zero
    preferredVideoTrack = track
    preferredSoundTrack = nil
    compositionStep = step
  }

  /// - Parameters:
  ///   - matroska: language details of the same file that libavformat omits.
  ///   - sami: the languages of the same SAMI file, if it has several.
  ///   - source: the same stream in segments; nil for other clips.
  init(
    _ demuxer: Demuxer, _ languages: MediaLanguages = MediaLanguages(), matroska: MatroskaLanguages? = nil,
    sami: [SAMILanguage] = [], source: HLSSource? = nil
  ) {
    hasMedia = true
    var streams = demuxer.streams
    matroska?.apply(to: &streams)
    source?.describe(&streams)
    let own = streams.flatMap { stream in
      sami.isEmpty ? [AssetTrack(stream)] : sami.map { AssetTrack(stream, $0) }
    }
    let tracks = own + (source?.tracks(after: streams) ?? [])
    self.tracks = tracks
    preferredVideoTrack = Self.preferredVideo(tracks, languages)
    preferredSoundTrack = Self.preferredSound(tracks, languages)
    format = demuxer.formatName
    byteCount = demuxer.byteCount
    isCutOff = demuxer.fileIsCutOff
    bitRate = demuxer.bitRate
    metadata = demuxer.metadata
    markers = []
    compositionStep = nil
    durationIsEstimate = demuxer.durationIsGuess || demuxer.mayBeDiscontinuous
    let begin = demuxer.startMicroseconds.map { MediaTime(value: $0, timescale: 1_000_000) }
    let video = preferredVideoTrack.flatMap { track in
      track.firstPTS.map { MediaTime(ticks: $0, in: track.timeBase) }
    }
    let start = video ?? begin ?? .zero
    startTime = start
    startPosition = source?.startTime ?? .zero
    let lead = Self.lead(of: start, from: begin, frameRate: preferredVideoTrack?.nominalFrameRate ?? 0)
    // If timestamps may jump, more than this many seconds is a jump.
    leadTime = demuxer.mayBeDiscontinuous && lead.seconds > 10 ? .zero : lead
    chapters = demuxer.chapters.compactMap {
      let end = MediaTime(ticks: $0.end, in: $0.timeBase) - start
      // A chapter that ends before the first frame cannot be reached.
      guard end > .zero || $0.end <= $0.start else { return nil }
      let range = TimeRange(start: max(.zero, MediaTime(ticks: $0.start, in: $0.timeBase) - start), end: end)
      return Chapter(timeRange: range, title: $0.title)
    }
    let container = demuxer.durationMicroseconds.map {
      Self.length(MediaTime(value: $0, timescale: 1_000_000), from: begin, without: start)
    }
    let longest = tracks.filter { $0.mediaType == .video && $0.duration.isNumeric }.map(\.duration).max()
    duration = container ?? longest ?? .indefinite
  }

  private static func lead(of start: MediaTime, from begin: MediaTime?, frameRate: Double) -> MediaTime {
    guard let begin else { return .zero }
    let lead = start - begin
    // Microseconds are rounded ticks.
    return lead.seconds < (frameRate > 0 ? 1 / frameRate : 0.04) - 0.001 ? .zero : lead
  }

  /// Returns the container's duration without the part before the first frame.
  private static func length(_ whole: MediaTime, from begin: MediaTime?, without start: MediaTime) -> MediaTime {
    // Microseconds are rounded ticks: less than a millisecond is no difference.
    guard let begin, start - begin > MediaTime(value: 1, timescale: 1000), whole > start - begin else { return whole }
    return whole - (start - begin)
  }
}
