import Pixels
import Playback

/// Facts about the clips of a movie, each opened at most once, and only when a fact is needed.
struct ClipFacts: Sendable {
  private let makeAsset: @Sendable (String) -> Asset
  private var assets: [String: Asset] = [:]
  /// Nil for timelines that cannot be determined.
  private var timelines: [TrackID: PresentationTimeline?] = [:]

  private struct TrackID: Hashable {
    var path: String
    var track: Int?
  }

  init(_ makeAsset: @escaping @Sendable (String) -> Asset) { self.makeAsset = makeAsset }

  mutating func asset(_ path: String) -> Asset {
    if let known = assets[path] { return known }
    let asset = makeAsset(path)
    assets[path] = asset
    return asset
  }

  /// - Throws: `PlaybackError`.
  private mutating func facts(of path: String) throws -> AssetFacts {
    let asset = asset(path)
    let facts = try asset.wait(for: .facts)
    if assets.count > OpenClips.maxIdle { asset.closeInput() }
    return facts
  }

  /// The index, among all tracks, of a video track given by its number from 1.
  ///
  /// - Throws: `PlaybackError`.
  mutating func videoTrack(_ number: Int, of path: String) throws -> Int {
    let tracks = try facts(of: path).videoTracks
    guard tracks.indices.contains(number - 1) else {
      throw PlaybackError(.noVideo, "has only \(tracks.count) video track\(tracks.count == 1 ? "" : "s")")
    }
    return tracks[number - 1].index
  }

  /// - Parameter number: index among all tracks; nil for the preferred video track.
  /// - Throws: `PlaybackError`.
  mutating func track(of path: String, _ number: Int?) throws -> AssetTrack {
    guard let track = try facts(of: path).videoTrack(number) else { throw PlaybackError(.noVideo, "has no video track") }
    return track
  }

  /// The duration of a video track.
  ///
  /// - Throws: `PlaybackError`.
  mutating func duration(of path: String, _ number: Int?) throws -> MediaTime {
    // Not every file states the end of a track that starts later than the clip.
    if try firstTime(of: path, number) != .zero, let end = timeline(of: path, number)?.duration { return end }
    if let known = try knownDuration(of: path, number) { return known }
    let facts = try facts(of: path)
    let stated = facts.length(of: try track(of: path, number))
    guard let known = timeline(of: path, number)?.duration ?? stated else {
      throw PlaybackError(.damaged, "has no known duration")
    }
    return known
  }

  /// The end of the sound, which may be that of the clip.
  ///
  /// - Throws: `PlaybackError`.
  mutating func soundDuration(of path: String) throws -> MediaTime {
    let facts = try facts(of: path)
    guard facts.preferredSoundTrack != nil else { throw PlaybackError(.nothingDecodable, "has no sound") }
    guard facts.duration.isNumeric, facts.duration > .zero else { throw PlaybackError(.damaged, "has no known duration") }
    return facts.duration
  }

  /// The duration of a video track; nil if it would be an estimate.
  ///
  /// - Throws: `PlaybackError`.
  mutating func knownDuration(of path: String, _ number: Int?) throws -> MediaTime? {
    let facts = try facts(of: path)
    return facts.durationIsEstimate ? nil : facts.length(of: try track(of: path, number))
  }

  /// The frame rate of a video track; nil if the frames differ in duration.
  ///
  /// - Throws: `PlaybackError`.
  mutating func frameRate(of path: String, _ number: Int?) throws -> Ratio? {
    // A clip that is only heard has no video.
    try number == nil && facts(of: path).preferredVideoTrack == nil ? nil : track(of: path, number).frameRate
  }

  /// The frame rate at which to count in a video track, even if frames differ in duration; nil if unknown.
  ///
  /// - Throws: `PlaybackError`.
  mutating func countingRate(of path: String, _ number: Int?) throws -> Ratio? {
    let track = try track(of: path, number)
    return [track.frameRate, track.baseFrameRate, FrameRate.snapped(track.nominalFrameRate)].lazy.compactMap { $0 }
      .first { $0.value <= Self.highestRate }
  }

  /// Higher rates are time bases.
  private static let highestRate = 1000.0

  /// The timecode of the first frame; nil if the clip has none.
  ///
  /// - Throws: `PlaybackError`.
  mutating func firstTimecode(of path: String, _ number: Int?) throws -> Timecode? {
    let facts = try facts(of: path)
    let track = try number == nil && facts.preferredVideoTrack == nil ? nil : track(of: path, number)
    return (track?.timecode ?? facts.metadata["timecode"]).flatMap(Timecode.init)
  }

  // MARK: - Points

  /// A stretch of a clip, in times since its first frame.
  struct Stretch {
    var start: MediaTime
    /// Nil for the clip's end, or if a duration gives it.
    var end: MediaTime?
    /// The clip's first timecode, if the given times turned out to be timecode.
    var origin: Timecode?
  }

  /// The most that a timeline's piece may start before its clip to provide frames for a transition.
  private static let maxLead = MediaTime(value: 60, timescale: 1)

  /// The stretch of a clip. Frame numbers and timecodes are the clip's own; those of lists run at the list's rate.
  ///
  /// - Parameter foreign: the timeline's data on the clip.
  /// - Throws: `PlaybackError`.
  mutating func stretch(of clip: MovieClip, _ foreign: JSONValue?, of path: String, _ number: Int?) throws -> Stretch {
    var stretch = Stretch(start: try clip.start.map { try time($0, of: path, number) } ?? max(.zero, try firstTime(of: path, number)))
    if case .plays(_, .position(let end)) = clip.motion { stretch.end = try time(end, of: path, number) }
    if clip.start?.time != nil, let said = foreign.flatMap(OTIOClip.startWithoutOrigin),
      let (shift, origin) = try self.shift(of: said.time, said.rate, of: path, number),
      // A point that was edited since then counts from the first frame.
      stretch.start + shift > Self.maxLead * -1
    {
      stretch.start = stretch.start + shift
      stretch.end = stretch.end.map { $0 + shift }
      stretch.origin = origin
    }
    return stretch
  }

  /// The offset from a time of unknown origin to the time since the first frame.
  ///
  /// Nil unless the time lies outside the clip but inside it when read as timecode.
  private mutating func shift(
    of time: MediaTime, _ rate: Ratio, of path: String, _ number: Int?
  ) throws -> (MediaTime, Timecode)? {
    guard time > .zero, let first = try firstTimecode(of: path, number) else { return nil }
    let end = try duration(of: path, number)
    guard time >= end, let name = Timecode(time: time, at: rate, isDropFrame: first.isDropFrame && Timecode.canDropFrames(at: rate)),
      let named = name.time(at: rate),
      let place = try? self.time(.listed(name, at: rate), of: path, number), place < end
    else { return nil }
    return (place - named, first)
  }

  /// The presentation time of a point of a clip.
  ///
  /// - Throws: `PlaybackError`.
  private mutating func time(_ position: ClipPosition, of path: String, _ number: Int?) throws -> MediaTime {
    switch position {
    case .time(let time): return time
    case .frame(let frame): return try time(ofFrame: frame, of: path, number)
    case .timecode(let code): return try time(of: code, at: nil, of: path, number)
    case .listed(let code, let rate): return try time(of: code, at: rate, of: path, number)
    }
  }

  /// - Parameter stated: the rate by which the timecode counts; nil for the clip's own.
  private mutating func time(of code: Timecode, at stated: Ratio?, of path: String, _ number: Int?) throws -> MediaTime {
    let own = try frameRate(of: path, number)
    let origin = try firstTimecode(of: path, number)
    guard let rate = stated ?? own, let place = code.place(of: rate, at: own ?? rate, dropsNames: origin?.isDropFrame ?? code.isDropFrame)
    else { throw PlaybackError(.invalidEdit, "has no timecode \(code) at its frame rate") }
    let first = origin?.frameNumber(at: own ?? rate) ?? 0
    guard place.nearest >= first else { throw PlaybackError(.invalidEdit, "starts after timecode \(code)") }
    guard let own else { return MediaTime(frames: place.number - first, at: rate) }
    let counted = try time(counting: place.number - first, of: path, number) ?? .zero
    if place.isExact { return counted }
    // The timecode falls between two frames of the clip.
    let rest = MediaTime(frames: place.part.numerator, at: own).multiplied(by: 1, dividedBy: Int32(place.part.denominator))
    return max(.zero, counted + rest)
  }

  /// The time of a track's first frame in the clip's time, which counts from the first frame of the preferred track.
  private mutating func firstTime(of path: String, _ number: Int?) throws -> MediaTime {
    guard number != nil else { return .zero }
    return try facts(of: path).lead(of: try track(of: path, number))
  }

  /// The presentation time of a frame of a track.
  private mutating func time(ofFrame frame: Int, of path: String, _ number: Int?) throws -> MediaTime {
    let track = try track(of: path, number)
    let counted = try time(counting: Int64(frame), of: path, number)
    if let counted, track.hasExactFrameRate, try facts(of: path).tellsEachFrame { return counted }
    // If frame durations may differ, the frames have to be looked up.
    guard let timeline = timeline(of: path, number) else {
      guard let counted else { throw PlaybackError(.damaged, "has frames that cannot be counted") }
      return counted
    }
    guard let time = timeline.time(ofFrame: frame) ?? (frame == timeline.frameCount ? timeline.duration : nil) else {
      guard let counted else { throw PlaybackError(.noSuchFrame, "has only \(timeline.frameCount) frames") }
      return counted
    }
    // Timestamps are rounded to ticks.
    let tick = MediaTime(value: Int64(track.timeBase.numerator), timescale: track.timeBase.denominator)
    guard let counted, max(time - counted, counted - time) <= tick else { return time }
    return counted
  }

  /// The presentation time of a frame at a constant frame rate; nil if the track has none.
  private mutating func time(counting frame: Int64, of path: String, _ number: Int?) throws -> MediaTime? {
    let first = try firstTime(of: path, number)
    return try track(of: path, number).frameRate.map { first + MediaTime(frames: frame, at: $0) }
  }

  private mutating func timeline(of path: String, _ number: Int?) -> PresentationTimeline? {
    let id = TrackID(path: path, track: number)
    if let known = timelines[id] { return known }
    let found = asset(path).waitForTimeline(ofVideoTrack: number)
    timelines[id] = .some(found)
    return found
  }
}
