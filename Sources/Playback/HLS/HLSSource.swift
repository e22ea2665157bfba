import DecodePool
import Libav
import Synchronization
import Transport

/// A clip of HTTP Live Streaming: its variants and renditions. Safe to use from any thread.
final class HLSSource: Sendable {
  let loader: HLSLoader
  /// The segments of the video, or of the only playlist there is.
  let video: HLSSupply
  /// The playlist that names the variants; nil if there is only one media playlist.
  let master: HLSMultivariantPlaylist?
  /// The time on the playlist's timeline at which playback starts: near the edge of a live stream.
  let startTime: MediaTime
  /// The address of the playlist, after redirects.
  private let url: NetworkURL
  private let state = Mutex(State())

  private struct State {
    /// The renditions that have been opened, by their index in the playlist.
    var renditions: [Int: HLSSupply] = [:]
    /// The video's timestamp at the start of the timeline, in microseconds; nil before it is known.
    var base: Int64?
  }

  private init(_ video: HLSSupply, _ stream: HLSStream, _ master: HLSMultivariantPlaylist?, at url: NetworkURL) {
    (self.loader, self.video, self.master, self.url) = (video.loader, video, master, url)
    let timeline = stream.timeline
    startTime = timeline.isLive ? timeline.startTime : timeline.timeRange.start
  }

  deinit {
    loader.close()
    video.close()
    for rendition in state.withLock({ Array($0.renditions.values) }) { rendition.close() }
  }

  /// Opens a clip by its playlist; waits for the playlist of a variant, if it has variants.
  ///
  /// - Parameters:
  ///   - bytes: the playlist.
  ///   - url: its address, after redirects.
  /// - Throws: `PlaybackError`.
  static func open(
    _ bytes: [UInt8], at url: NetworkURL, _ loader: HLSLoader, _ preferences: SharedPreferences, _ interrupter: Interrupter
  ) throws(PlaybackError) -> HLSSource {
    switch try playlist(bytes, url, importing: [:]) {
    case .media(let playlist):
      let stream = HLSStream(try timeline(playlist, nil, beside: nil), at: url, loader, variables: [:])
      let video = HLSSupply(0, stream, nil, loader, preferences) { _, _, _ throws(PlaybackError) in stream }
      return HLSSource(video, stream, nil, at: url)
    case .multivariant(let master):
      let variants = master.variants
      let open: HLSSupply.Opening = { index, other, interrupter throws(PlaybackError) in
        try stream(variants[index].uri, of: master, at: url, beside: other, loader, interrupter)
      }
      var choice: HLSVariantChoice
      do throws(HLSPlaylistError) {
        choice = try HLSVariantChoice(master) { HLSCodecs.canDecode($0) }
      } catch {
        throw PlaybackError(.playlist, error.description)
      }
      while let index = choose(&choice, preferences.value) {
        do throws(PlaybackError) {
          let stream = try stream(variants[index].uri, of: master, at: url, beside: nil, loader, interrupter)
          return HLSSource(HLSSupply(index, stream, choice, loader, preferences, open: open), stream, master, at: url)
        } catch {
          choice.exclude(index)
          if error.reason == .cancelled || choice.isEmpty { throw error }
          _ = preferences.update { if $0.variant == index { $0.variant = nil } }
        }
      }
      throw PlaybackError(.playlist, "has no variant that can be played")
    }
  }

  private static func choose(_ choice: inout HLSVariantChoice, _ preferences: HLSPreferences) -> Int? {
    if let variant = preferences.variant, choice.variants.indices.contains(variant) { return variant }
    let conditions = HLSVariantChoice.Conditions(
      displaySize: preferences.displaySize, preferredPeakBitRate: preferences.peakBitRate,
      preferredMaximumResolution: preferences.maximumResolution)
    return choice.update(for: conditions) ?? choice.current
  }

  /// Loads a media playlist that another one names.
  private static func stream(
    _ uri: String, of master: HLSMultivariantPlaylist, at url: NetworkURL, beside other: HLSTimeline?, _ loader: HLSLoader,
    _ interrupter: Interrupter
  ) throws(PlaybackError) -> HLSStream {
    let address: NetworkURL
    do throws(NetworkURLError) {
      address = try url.resolving(uri)
    } catch {
      throw PlaybackError(.playlist, "contains an unusable address: \(error.description)")
    }
    let (bytes, url) = try loader.playlist(address, interrupter)
    guard case .media(let playlist) = try playlist(bytes, url, importing: master.variables) else {
      throw PlaybackError(.playlist, "refers to a playlist of playlists")
    }
    return HLSStream(try timeline(playlist, master.start, beside: other), at: url, loader, variables: master.variables)
  }

  private static func playlist(
    _ bytes: [UInt8], _ url: NetworkURL, importing variables: [String: String]
  ) throws(PlaybackError) -> HLSPlaylist {
    do throws(HLSPlaylistError) {
      return try HLSPlaylist(bytes, address: url.text, importing: variables)
    } catch {
      throw PlaybackError(.playlist, error.description)
    }
  }

  private static func timeline(
    _ playlist: HLSMediaPlaylist, _ start: HLSStart?, beside other: HLSTimeline?
  ) throws(PlaybackError) -> HLSTimeline {
    let now = HostTime(monotonicNanoseconds())
    let timeline = HLSTimeline(playlist, start: start, beside: other, at: now)
    guard !timeline.sequences.isEmpty else { throw PlaybackError(.playlist, "has no segments") }
    return timeline
  }

  // MARK: - Renditions

  /// Returns the segments of a rendition, whose playlist is loaded once.
  ///
  /// - Parameter index: of the rendition in the playlist; it must have a playlist of its own.
  /// - Throws: `PlaybackError`, also if it is interrupted.
  func rendition(_ index: Int, _ interrupter: Interrupter) throws(PlaybackError) -> HLSSupply {
    if let known = state.withLock({ $0.renditions[index] }) { return known }
    guard let master, master.renditions.indices.contains(index), let uri = master.renditions[index].uri else {
      throw PlaybackError(.playlist, "has no such rendition")
    }
    let stream = try Self.stream(uri, of: master, at: url, beside: video.current?.timeline, loader, interrupter)
    let supply = HLSSupply(0, stream, nil, loader, video.preferences, logs: false) { _, _, _ throws(PlaybackError) in stream }
    return state.withLock { state in
      if let known = state.renditions[index] { return known }
      state.renditions[index] = supply
      return supply
    }
  }

  /// The video's timestamp at the start of the timeline, in microseconds; nil before the video has been opened.
  var base: Int64? { state.withLock { $0.base } }

  func noteBase(_ base: Int64) { state.withLock { $0.base = $0.base ?? base } }

  // MARK: - What is known

  /// The reason that no more can be had; nil if it can.
  var failure: PlaybackError? { video.failure }

  /// The time of the live edge; nil for a stream that has ended.
  var liveEdge: MediaTime? {
    guard let timeline = video.current?.timeline, timeline.isLive else { return nil }
    return timeline.timeRange.end
  }

  /// True if segments have yet to be fetched.
  var isLoading: Bool { liveEdge != nil || loader.isLoading }

  /// The times that can be sought.
  var seekableRange: TimeRange { video.current?.timeline.seekableRange ?? TimeRange(start: startTime, end: startTime) }

  /// Notes that the preferences have changed.
  func preferencesDidChange(from former: HLSPreferences, to new: HLSPreferences) {
    if new.variant != former.variant || new.peakBitRate != former.peakBitRate || new.maximumResolution != former.maximumResolution
    {
      video.forgetPlan()
    }
  }
}
