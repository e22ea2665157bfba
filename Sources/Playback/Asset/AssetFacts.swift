import Libav

/// A chapter of an asset.
public struct Chapter: Hashable, Sendable {
  public let timeRange: TimeRange
  /// Not trusted text.
  public let title: String?
}

/// What tracks of an asset are for.
public enum MediaCharacteristic: String, CaseIterable, Hashable, Sendable, Codable {
  case visual, audible, legible
}

/// Everything that an asset's headers tell.
public struct AssetFacts: Hashable, Sendable {
  /// libav's short name of the container.
  public let format: String
  /// Bytes of the file, 0 for a pipe.
  public let byteCount: Int64
  /// Bits a second over all, 0 when not known.
  public let bitRate: Int64
  public let tracks: [AssetTrack]
  public let chapters: [Chapter]
  /// Keys in lower case; not trusted text.
  public let metadata: [String: String]
  /// As the header says; indefinite when it does not. `Asset.load(.duration)` may know better.
  public let duration: MediaTime
  /// Whether `duration` is only worked out from the bit rate.
  public let durationIsEstimate: Bool
  /// The time stamp that is time zero of the asset.
  public let startTime: MediaTime

  public var title: String? { metadata["title"] }

  public var characteristics: Set<MediaCharacteristic> {
    var result: Set<MediaCharacteristic> = []
    for track in tracks {
      switch track.mediaType {
      case .video where !track.isCover: result.insert(.visual)
      case .audio: result.insert(.audible)
      case .text: result.insert(.legible)
      default: break
      }
    }
    return result
  }

  /// The video track to play when none is chosen: the default one, else the first that can be decoded.
  public var preferredVideoTrack: AssetTrack? {
    let moving = tracks.filter { $0.mediaType == .video && !$0.isCover }
    let decodable = moving.filter { $0.isDecodable && !$0.codedSize.isEmpty }
    return decodable.first { $0.isDefault } ?? decodable.first ?? moving.first { $0.isDecodable } ?? moving.first
  }

  public var isPlayable: Bool { preferredVideoTrack?.isDecodable ?? false }

  init(_ demuxer: Demuxer) {
    let streams = demuxer.streams
    let tracks = streams.map(AssetTrack.init)
    self.tracks = tracks
    format = demuxer.formatName
    byteCount = demuxer.byteCount
    bitRate = demuxer.bitRate
    metadata = demuxer.metadata
    durationIsEstimate = demuxer.durationIsGuess
    let start = Self.startTime(demuxer, streams)
    startTime = start
    chapters = demuxer.chapters.map {
      Chapter(
        timeRange: TimeRange(
          start: MediaTime(ticks: $0.start, in: $0.timeBase) - start,
          end: MediaTime(ticks: $0.end, in: $0.timeBase) - start),
        title: $0.title)
    }
    let container = demuxer.durationMicroseconds.map { MediaTime(value: $0, timescale: 1_000_000) }
    let longest = tracks.filter { $0.mediaType == .video && $0.duration.isNumeric }.map(\.duration).max()
    duration = container ?? longest ?? .indefinite
  }

  /// The container's first time stamp, taken from the video track where both mean the same moment.
  private static func startTime(_ demuxer: Demuxer, _ streams: [StreamInfo]) -> MediaTime {
    let video = streams.first { $0.kind == .video && !$0.isAttachedPicture }
      .flatMap { stream in stream.startTime.map { MediaTime(ticks: $0, in: stream.timeBase) } }
    guard let micro = demuxer.startMicroseconds else { return video ?? .zero }
    let container = MediaTime(value: micro, timescale: 1_000_000)
    // Microseconds are rounded ticks: the exact form keeps the first picture at exactly zero.
    if let video, (video - container).absoluteValue < MediaTime(value: 1, timescale: 1000) { return video }
    return container
  }
}
