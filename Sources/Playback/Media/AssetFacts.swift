import Libav

/// A chapter of an asset, as the container lists it.
public struct Chapter: Hashable, Sendable {
  /// On the asset's timeline; not before 0.
  public let timeRange: TimeRange
  /// As the file has it: any text, control characters included. Nil where there is none.
  public let title: String?

  /// A chapter as its properties say.
  public init(timeRange: TimeRange, title: String?) {
    self.timeRange = timeRange
    self.title = title
  }
}

/// What tracks of an asset are for.
public enum MediaCharacteristic: String, CaseIterable, Hashable, Sendable, Codable {
  /// There is moving video; a cover does not count.
  case visual
  /// There is sound.
  case audible
  /// There are subtitles.
  case legible
}

/// Everything that an asset's headers tell.
public struct AssetFacts: Hashable, Sendable {
  /// libav's short name of the container.
  public let format: String
  /// Bytes of the file, 0 for a pipe.
  public let byteCount: Int64
  /// Bits a second over all, 0 when not known.
  public let bitRate: Int64
  /// In the container's order.
  public let tracks: [AssetTrack]
  /// In the container's order; none that is over before the first frame.
  public let chapters: [Chapter]
  /// Marked moments and stretches of a composition; a file has none.
  public let markers: [CompositionMarker]
  /// Title and the like, by keys in lower case. The values are as the file has them: any text, control characters
  /// included.
  public let metadata: [String: String]
  /// As the header says; indefinite when it does not. `Asset.load(.duration)` may know better.
  public let duration: MediaTime
  /// Whether `duration` is only worked out, from the bit rate, or from first and last time stamps that may jump between.
  public let durationIsEstimate: Bool
  /// Whether the file is shorter than its own headers say.
  public let isCutOff: Bool
  /// The time stamp that is time zero of the asset: its first frame's, where that is known.
  ///
  /// AVFoundation's zero is the container's. There sound that begins before the first frame is heard; here nothing
  /// comes before that frame, and positions, duration and chapters all count from it.
  public let startTime: MediaTime
  /// How long before the first frame the container begins, as where sound comes first; zero where that is less than a frame, which
  /// is what decoders of sound need beforehand.
  let leadTime: MediaTime

  /// Title as the file has it: any text, control characters included. Nil where there is none.
  public var title: String? { metadata["title"] }

  /// What the tracks are for; a cover is nothing to see.
  public var characteristics: Set<MediaCharacteristic> { Set(tracks.compactMap(\.characteristic)) }

  /// The video track to play when none is chosen: the one in a language that is wanted, else the default one, else the first
  /// that can be decoded.
  public let preferredVideoTrack: AssetTrack?
  /// The sound track to play when none is chosen: the one in a language that is wanted, else the default one, else the one in
  /// a language that is understood, else in the one that the work was made in, else the first that can be decoded.
  public let preferredSoundTrack: AssetTrack?
  /// How long an image of a composition is shown where it changes and no clip does so as fast; a file has none.
  let compositionStep: MediaTime?

  private static func preferredVideo(_ tracks: [AssetTrack], _ languages: MediaLanguages) -> AssetTrack? {
    let moving = tracks.filter { $0.mediaType == .video && !$0.isCover }
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
  package var videoTracks: [AssetTrack] { tracks.filter { $0.characteristic == .visual } }

  /// Whether the container has a table of all its frames, of which the tracks' rates were worked out; others say a rate.
  package var tellsEachFrame: Bool { format.split(separator: ",").contains("mov") }

  /// How much later than the clip a track begins, below zero where earlier; zero where the file does not tell.
  package func lead(of track: AssetTrack) -> MediaTime {
    let lead = track.firstPTS.map { MediaTime(ticks: $0, in: track.timeBase) - startTime } ?? .zero
    return lead.isNumeric ? lead : .zero
  }

  /// Where a video track ends, where the file tells it: other tracks may last longer. Nil where it does not.
  package func length(of track: AssetTrack) -> MediaTime? {
    // What begins later than the clip ends so much later.
    [track.duration + max(.zero, lead(of: track)), duration].filter(\.isNumeric).min()
  }

  /// Whether there is video that can be decoded here, or else sound that can be shown.
  public var isPlayable: Bool {
    preferredVideoTrack?.isDecodable ?? (preferredSoundTrack != nil)
  }

  /// What is told of a composition.
  init(
    composition track: AssetTrack, title: String?, duration: MediaTime, chapters: [Chapter], markers: [CompositionMarker],
    step: MediaTime
  ) {
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
    leadTime = .zero
    preferredVideoTrack = track
    preferredSoundTrack = nil
    compositionStep = step
  }

  /// - Parameter matroska: what the same file says of its languages besides.
  init(_ demuxer: Demuxer, _ languages: MediaLanguages = MediaLanguages(), matroska: MatroskaLanguages? = nil) {
    var streams = demuxer.streams
    matroska?.apply(to: &streams)
    let tracks = streams.map(AssetTrack.init)
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
    let lead = Self.lead(of: start, from: begin, frameRate: preferredVideoTrack?.nominalFrameRate ?? 0)
    // Where time stamps may jump, more than these seconds is a jump.
    leadTime = demuxer.mayBeDiscontinuous && lead.seconds > 10 ? .zero : lead
    chapters = demuxer.chapters.compactMap {
      let end = MediaTime(ticks: $0.end, in: $0.timeBase) - start
      // One that is over before the first frame is nowhere to go to.
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

  /// The container's length less what lies before the first frame.
  private static func length(_ whole: MediaTime, from begin: MediaTime?, without start: MediaTime) -> MediaTime {
    // Microseconds are rounded ticks: less than a millisecond is no difference.
    guard let begin, start - begin > MediaTime(value: 1, timescale: 1000), whole > start - begin else { return whole }
    return whole - (start - begin)
  }
}
