/// Every n-th of the frames that did not fit into memory, so that there is something near to show everywhere.
///
/// n doubles whenever they become too many. The frames between are decoded again when needed.
struct SparseFrames {
  private(set) var byteCount = 0
  /// Only frames whose number is divisible by this are kept.
  private(set) var stride = 8
  /// Sorted by PTS.
  private var entries: [FrameCache.Entry] = []

  /// Returns true if a frame would be kept that is not there yet.
  func wants(_ timing: FrameTiming) -> Bool {
    timing.number % stride == 0 && entries.index(at: timing.pts) == nil
  }

  /// Keeps a frame if it qualifies, within a memory limit in bytes for all of them.
  mutating func add(_ entry: FrameCache.Entry, limit: Int) {
    let timing = entry.timing
    guard entry.frame.byteCount <= limit, wants(timing) else { return }
    entries.insert(entry, at: entries.firstIndex(atOrAfter: timing.pts))
    byteCount += entry.frame.byteCount
    shrink(to: limit)
  }

  mutating func shrink(to limit: Int) {
    while byteCount > limit {
      guard stride < 1 << 30 else { return removeAll() }
      stride *= 2
      entries.removeAll { $0.timing.number % stride != 0 }
      byteCount = entries.reduce(0) { $0 + $1.frame.byteCount }
      if entries.count == 1, byteCount > limit { removeAll() }
    }
  }

  mutating func removeAll() { self = SparseFrames() }

  /// Removes the frame that starts at a time, if there is one.
  mutating func remove(at pts: MediaTime) {
    guard let i = entries.index(at: pts) else { return }
    byteCount -= entries.remove(at: i).frame.byteCount
  }

  /// Returns the frame that starts at a time, or is known to last until after it.
  func entry(holding time: MediaTime) -> FrameCache.Entry? { entries.entry(at: time, until: \.successor) }

  /// Returns the frame that starts nearest to a time.
  func entry(nearest time: MediaTime) -> FrameCache.Entry? { entries.nearest(time) }
}
