/// Frames that follow each other without a gap.
extension ArraySlice<FrameCache.Entry> {
  /// The end of the last frame; if the next is unknown, as given by the container.
  ///
  /// Not the start of the next decoded frame: skipped frames between are still to be shown.
  var end: MediaTime? { last.map { $0.successor ?? $0.timing.end } }

  /// The time up to which the frames are known; the last frame's own end may be unknown.
  var knownEnd: Int64? { last.flatMap { ($0.successor ?? $0.timing.pts).nanoseconds } }
}

/// Searches among entries that are sorted by PTS.
extension [FrameCache.Entry] {
  func firstIndex(atOrAfter pts: MediaTime) -> Int { partitioningIndex { $0.timing.pts >= pts } }

  /// Returns the index of the frame that starts at `pts`, if there is one.
  func index(at pts: MediaTime) -> Int? {
    let i = firstIndex(atOrAfter: pts)
    return i < count && self[i].timing.pts == pts ? i : nil
  }

  /// Returns the frame that starts at a time, or the previous one if that lasts longer.
  func entry(at time: MediaTime, until end: (Element) -> MediaTime?) -> Element? {
    let i = firstIndex(atOrAfter: time)
    if i < count, self[i].timing.pts == time { return self[i] }
    guard i > 0, let end = end(self[i - 1]), time < end else { return nil }
    return self[i - 1]
  }

  /// Returns the frame that starts nearest to a time.
  func nearest(_ time: MediaTime) -> Element? {
    let i = firstIndex(atOrAfter: time)
    guard i > 0 else { return first }
    guard i < count else { return last }
    return self[i].timing.pts - time < time - self[i - 1].timing.pts ? self[i] : self[i - 1]
  }
}
