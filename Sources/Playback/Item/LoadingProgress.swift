/// The arrival of an item's data over time, as from a pipe or a server, at one moment.
public struct LoadingProgress: Hashable, Sendable {
  /// The ranges whose data are at hand, sorted and disjoint; estimated where the file does not tell which data belong to
  /// which time.
  public internal(set) var loadedTimeRanges: [TimeRange] = []
  /// The playback time at rate 1 whose data have arrived ahead of the decoder, in seconds.
  public internal(set) var secondsAhead = 0.0
  /// The share of the data that playback waits for before it goes on after a stall, 0…1.
  public internal(set) var bufferedFraction = 1.0
  /// True if playback can go on for a while.
  public internal(set) var isPlaybackLikelyToKeepUp = true
  /// True if playback waits for data.
  public internal(set) var isPlaybackBufferEmpty = false
  /// True if no more data are taken before playback goes on.
  public internal(set) var isPlaybackBufferFull = false
  /// The number of bytes that are at hand.
  public internal(set) var byteCount: Int64 = 0
  /// The rate at which bytes have arrived lately.
  public internal(set) var bytesPerSecond = 0.0
  /// The state of fetching from a server; nil for other sources.
  public internal(set) var network: NetworkStatus?
  /// The variant of the segment being played; nil if the stream has no variants.
  public internal(set) var variant: AssetTrack?
  /// True if the variant follows the size of the outputs and the bandwidth, false if it was selected.
  public internal(set) var choosesVariant = true
}

extension PlayerItem {
  /// The arrival of the item's data; nil if all are at hand, as in a local file, and before the item is ready.
  public var loading: LoadingProgress? {
    if let live = session?.live { return loading(of: live) }
    guard let session, let data = session.arriving, let player = currentPlayer else { return nil }
    let state = data.report, segments = session.segments, arrivals = session.arrivals
    let (status, kept) = (arrivals?.status, arrivals?.keptRanges ?? [])
    var loading = player.read { core, _ in
      let item = core.item
      var loading = LoadingProgress()
      loading.secondsAhead = item.supply.secondsAhead(from: item.decodedSeconds, state)
      loading.isPlaybackLikelyToKeepUp = item.supply.isLikelyToKeepUp(from: item.decodedSeconds, rate: max(1, abs(core.clock.rate)))
      loading.bufferedFraction = loading.isPlaybackLikelyToKeepUp ? 1 : min(1, loading.secondsAhead / DataSupply.usualBuffer)
      loading.isPlaybackBufferEmpty = item.supply.isWaiting
      if item.state == .opening {
        (loading.isPlaybackBufferEmpty, loading.isPlaybackLikelyToKeepUp, loading.bufferedFraction) = (true, false, 0)
      }
      if segments == nil, let status {
        loading.loadedTimeRanges = Self.times(of: kept, status, duration: item.duration.value, timeline: item.timeline)
      }
      return loading
    }
    (loading.variant, loading.choosesVariant) = (playedVariant, selectedVariant == nil)
    if let segments { loading.loadedTimeRanges = segments.video.loadedRanges }
    loading.isPlaybackBufferFull = state.isFull
    loading.byteCount = Int64(data.keptByteCount)
    loading.bytesPerSecond = data.bytesPerSecond
    loading.network = session.networkStatus
    return loading
  }

  private func loading(of live: LiveSource) -> LoadingProgress? {
    guard let player = currentPlayer else { return nil }
    var loading = LoadingProgress()
    let kept = live.packets.keptRange
    loading.loadedTimeRanges = [kept]
    loading.secondsAhead = max(0, (kept.end - player.currentTime()).seconds)
    loading.byteCount = live.packets.byteCount
    loading.bytesPerSecond = live.packets.bytesPerSecond
    loading.network = live.packets.status
    // A frame that is a little late is no stall.
    loading.isPlaybackBufferEmpty = loading.network?.trouble != nil && player.read { core, _ in core.item.supply.isWaiting }
    loading.isPlaybackLikelyToKeepUp = !loading.isPlaybackBufferEmpty
    loading.bufferedFraction = loading.isPlaybackBufferEmpty ? 0 : 1
    return loading
  }

  /// Returns the times of ranges of bytes, as if all frames had the same size.
  private static func times(
    of ranges: [Range<Int64>], _ status: Arrivals.Status, duration: MediaTime, timeline: PresentationTimeline?
  ) -> [TimeRange] {
    let length = duration.isNumeric && duration > .zero ? duration.seconds : timeline?.end.seconds ?? 0
    let bytes = Double(status.byteCount ?? status.end)
    guard length > 0, bytes > 0 else { return [] }
    return ranges.map { range in
      func time(_ offset: Int64) -> MediaTime { MediaTime(seconds: Double(offset) / bytes * length, preferredTimescale: 1000) }
      return TimeRange(start: time(range.lowerBound), end: time(range.upperBound))
    }
  }

  /// The time of the live edge, up to which a live stream has been announced; nil for other items.
  public var liveEdge: MediaTime? { session?.live.map(\.edge) ?? session?.segments?.liveEdge }

  /// True if the item is a live source, such as a camera.
  public var isLive: Bool { session?.live != nil }

  /// True if the item is a stream in segments or a live source, whose frames have times but no numbers.
  package var isSegmented: Bool { session?.segments != nil || isLive }

  /// The times that can be sought: of a live stream, from the first segment that its server keeps to a distance from its edge.
  public var seekableTimeRanges: [TimeRange] {
    if let segments = session?.segments { return [segments.seekableRange] }
    if let live = session?.live { return [live.packets.keptRange] }
    guard info?.canSeek == true, duration.isNumeric else { return [] }
    return [TimeRange(start: .zero, end: duration)]
  }

  /// True if data of the item have yet to arrive; false for a local file.
  public var isLoading: Bool { session?.arriving?.isLoading ?? false }

  /// The ranges whose data are at hand, sorted and disjoint; the whole item if it is a local file.
  public var loadedTimeRanges: [TimeRange] {
    if let loading { return loading.loadedTimeRanges }
    return duration.isNumeric ? [TimeRange(start: .zero, end: duration)] : []
  }

  /// True if playback can go on for a while with the data at hand.
  public var isPlaybackLikelyToKeepUp: Bool { loading?.isPlaybackLikelyToKeepUp ?? (status == .readyToPlay) }

  /// True if playback waits for data.
  public var isPlaybackBufferEmpty: Bool { loading?.isPlaybackBufferEmpty ?? false }

  /// True if no more data are taken before playback goes on.
  public var isPlaybackBufferFull: Bool { loading?.isPlaybackBufferFull ?? (status == .readyToPlay) }
}
