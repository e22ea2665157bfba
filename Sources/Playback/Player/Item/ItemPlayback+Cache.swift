/// Frames around the displayed one: cached, waiting, and being decoded for the cache.
extension ItemPlayback {
  /// The number of frames kept ahead of reverse playback: decoding a group of frames takes about as long as stepping back
  /// over this many.
  static let lead = 300
  /// The minimum time in seconds that cached frames bridge while the source goes to their end.
  static let bridgeSeconds = 1.0

  /// Caches the displayed frame before another replaces it.
  mutating func cacheDisplayed() {
    guard let displayed = presentation.displayed else { return }
    cache.insert(displayed.frame, successor: displayed.successor)
  }

  /// Moves the waiting frames to the cache, since the display goes elsewhere.
  mutating func cacheQueue() {
    copyQueueToCache()
    presentation.removeWaiting()
  }

  /// Caches the waiting frames, which keep waiting.
  mutating func copyQueueToCache() {
    for waiting in presentation.waiting {
      cache.insert(waiting.frame, successor: waiting.successor)
    }
  }

  /// Leaves the source where it is.
  mutating func detach() {
    // The displayed frame belongs to the clock's own pass; the next pass is abandoned.
    passes.rejoin()
    // Frames being decoded ahead are still needed.
    if decode.isDetached { return }
    cacheQueue()
    decode.detach()
    check.dropRefresh()
  }

  /// Queues the cached frames that start before `end`, for a pass.
  mutating func queueCached(
    _ entries: some Sequence<FrameCache.Entry>, pass: Int, before end: Int64 = .max
  ) {
    for entry in entries where entry.timing.ptsNanoseconds < end {
      presentation.append(entry.frame, successor: entry.successor, pass: pass)
    }
  }

  /// The ranges of media time whose frames are cached.
  var loadedRanges: [TimeRange] {
    guard let waiting = waitingRange else { return cache.ranges }
    return TimeRange.joined((cache.ranges + [waiting]).sorted { $0.start < $1.start })
  }

  /// The media time from the displayed frame to the end of the last waiting one.
  private var waitingRange: TimeRange? {
    let mine = presentation.waiting.filter { $0.pass == passes.played }
    guard let first = presentation.displayed?.timing ?? mine.first?.timing else { return nil }
    let last = mine.last?.timing ?? first
    guard last.end > first.pts else { return nil }
    return TimeRange(start: first.pts, end: last.end)
  }

  /// The number of frames like the displayed one that fit in the cache.
  var cacheCapacity: Int { presentation.displayed.map { cache.limit / max(1, $0.frame.byteCount) } ?? 0 }

  /// Returns the last time at which the frame before one that starts at `time` is on display.
  static func tickBefore(_ time: MediaTime) -> MediaTime {
    max(.zero, time - MediaTime(value: 1, timescale: max(1, time.timescale)))
  }
}
