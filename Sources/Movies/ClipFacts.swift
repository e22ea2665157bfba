import Pixels
import Playback

/// What is known of the clips of a movie, each opened at most once, and only if something has to be known of it.
struct ClipFacts: Sendable {
  private let makeAsset: @Sendable (String) -> Asset
  private var assets: [String: Asset] = [:]
  /// Nil for what cannot be found out.
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
    if assets.count > OpenClips.mostIdle { asset.closeInput() }
    return facts
  }

  /// Position among all tracks of the video track with a number, the first of which is 1.
  ///
  /// - Throws: `PlaybackError`.
  mutating func videoTrack(_ number: Int, of path: String) throws -> Int {
    let tracks = try facts(of: path).videoTracks
    guard tracks.indices.contains(number - 1) else {
      throw PlaybackError(.noVideo, "has only \(tracks.count) video track\(tracks.count == 1 ? "" : "s")")
    }
    return tracks[number - 1].index
  }

  /// - Parameter number: position among all tracks; nil for the preferred video track.
  /// - Throws: `PlaybackError`.
  mutating func track(of path: String, _ number: Int?) throws -> AssetTrack {
    guard let track = try facts(of: path).videoTrack(number) else { throw PlaybackError(.noVideo, "has no video track") }
    return track
  }

  /// How long a video track lasts.
  ///
  /// - Throws: `PlaybackError`.
  mutating func duration(of path: String, _ number: Int?) throws -> MediaTime {
    let facts = try facts(of: path)
    let track = try track(of: path, number)
    let told = facts.length(of: track)
    if let told, !facts.durationIsEstimate { return told }
    guard let known = timeline(of: path, number)?.duration ?? told else {
      throw PlaybackError(.damaged, "does not tell how long it is")
    }
    return known
  }

  /// The time at which a point of a clip is shown.
  ///
  /// - Throws: `PlaybackError`.
  mutating func time(_ position: ClipPosition, of path: String, _ number: Int?) throws -> MediaTime {
    switch position {
    case .time(let time): return time
    case .frame(let frame): return try time(ofFrame: frame, of: path, number)
    case .timecode(let code):
      let (facts, track) = (try facts(of: path), try track(of: path, number))
      guard let rate = track.frameRate, let wanted = code.frameNumber(at: rate) else {
        throw PlaybackError(.invalidEdit, "has no timecode \(code) at its frame rate")
      }
      let first = (track.timecode ?? facts.metadata["timecode"]).flatMap(Timecode.init)?.frameNumber(at: rate) ?? 0
      guard wanted >= first else { throw PlaybackError(.invalidEdit, "begins behind timecode \(code)") }
      return try time(ofFrame: Int(wanted - first), of: path, number)
    }
  }

  private mutating func time(ofFrame frame: Int, of path: String, _ number: Int?) throws -> MediaTime {
    if let rate = try track(of: path, number).frameRate { return MediaTime(frames: Int64(frame), at: rate) }
    // Frames that are not all equally long have to be looked at.
    guard let timeline = timeline(of: path, number) else { throw PlaybackError(.damaged, "has frames that cannot be counted") }
    guard let time = timeline.time(ofFrame: frame) ?? (frame == timeline.frameCount ? timeline.duration : nil) else {
      throw PlaybackError(.noSuchFrame, "has only \(timeline.frameCount) frames")
    }
    return time
  }

  private mutating func timeline(of path: String, _ number: Int?) -> PresentationTimeline? {
    let id = TrackID(path: path, track: number)
    if let known = timelines[id] { return known }
    let found = asset(path).waitForTimeline(ofVideoTrack: number)
    timelines[id] = .some(found)
    return found
  }
}
