/// Frames that follow each other without a gap.
extension ArraySlice<FrameCache.Entry> {
  /// Where the last one ends; as its container says, where the next is not known.
  ///
  /// Not where the next one begins that was decoded: what was left out between is still to be shown.
  var end: MediaTime? { last.map { $0.successor ?? $0.timing.end } }

  /// How far they are known to go; the last one's own end may not be known.
  var knownEnd: Int64? { last.flatMap { ($0.successor ?? $0.timing.pts).nanoseconds } }
}

/// Searching among entries that are sorted by PTS.
extension [FrameCache.Entry] {
  func firstIndex(atOrAfter pts: MediaTime) -> Int { partitioningIndex { $0.timing.pts >= pts } }

  /// The place of the frame that begins at `pts`, if there is one.
  func index(at pts: MediaTime) -> Int? {
    let i = firstIndex(atOrAfter: pts)
    return i < count && self[i].timing.pts == pts ? i : nil
  }

  /// The frame that begins at a time, or the one before it where that lasts longer.
  func entry(at time: MediaTime, until end: (Element) -> MediaTime?) -> Element? {
    let i = firstIndex(atOrAfter: time)
    if i < count, self[i].timing.pts == time { return self[i] }
    guard i > 0, let end = end(self[i - 1]), time < end else { return nil }
    return self[i - 1]
  }

  /// The frame that begins nearest to a time.
  func nearest(_ time: MediaTime) -> Element? {
    let i = firstIndex(atOrAfter: time)
    guard i > 0 else { return first }
    guard i < count else { return last }
    return self[i].timing.pts - time < time - self[i - 1].timing.pts ? self[i] : self[i - 1]
  }
}
