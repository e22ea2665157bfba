/// Scaled frames that may be needed again, within a memory budget.
///
/// A plain value, one per item. A frame is kept once, with its images for all requests, so that another size or region does
/// not discard what was there. Only frames that have images for all selected requests are found. If memory runs short,
/// images for requests that are not selected go first, those selected longest ago before others; then frames far from the
/// displayed one, sooner if they lie against the direction of playback.
struct FrameCache {
  struct Entry {
    var frame: ScaledFrames
    /// The start of the stream's next frame; nil while unknown.
    var successor: MediaTime?
    /// The start of the next decoded frame, if frames between were skipped to save time.
    var nextDecoded: MediaTime?

    var timing: FrameTiming { frame.timing }

    /// The start of the next frame available.
    var end: MediaTime? { successor ?? nextDecoded }
  }

  /// The maximum memory for pixels in bytes; 0 keeps nothing.
  private(set) var budget = 0
  /// The memory kept even if the budget is smaller, since reverse playback needs it.
  private var floor = 0
  /// The memory that may be used, in bytes.
  var limit: Int { max(budget, floor) }
  /// The displayed frame's time; frames far from it are worth least.
  private(set) var center = MediaTime.zero
  private(set) var isMovingBack = false
  private(set) var byteCount = 0
  /// Sorted by PTS.
  private var entries: [Entry] = []
  /// The requests that frames are needed for.
  private var requests: [RenderRequest] = []
  /// Other requests of which images may be kept, the one selected longest ago first.
  private var formerRequests: [RenderRequest] = []

  var count: Int { entries.count }

  /// Selects the requests that frames must have images for to be found; none are found for no requests.
  mutating func select(_ requests: [RenderRequest]) {
    formerRequests.removeAll { requests.contains($0) || self.requests.contains($0) }
    formerRequests += self.requests.filter { !requests.contains($0) }
    self.requests = requests
  }

  /// Returns true if a frame has images for all selected requests.
  func isCurrent(_ frame: ScaledFrames) -> Bool { frame.isMade(for: requests) }

  mutating func setBudget(_ bytes: Int) {
    budget = bytes
    evict()
  }

  /// Requests a minimum memory in bytes; 0 for what the budget allows.
  mutating func setFloor(_ bytes: Int) {
    floor = bytes
    evict()
  }

  mutating func removeAll() {
    entries = []
    byteCount = 0
    formerRequests = []
  }

  /// Notes the position of the display, which decides what is worth keeping.
  mutating func moveCenter(to time: MediaTime) {
    guard time != center else { return }
    isMovingBack = time < center
    center = time
  }

  /// Notes that the display is about to move back.
  mutating func expectGoingBack() { isMovingBack = true }

  mutating func insert(_ frame: ScaledFrames, successor: MediaTime?) {
    guard limit > 0 else { return }
    let pts = frame.timing.pts
    if let i = entries.index(at: pts) {
      byteCount -= entries[i].frame.byteCount
      entries[i].frame.merge(frame)
      entries[i].successor = successor ?? entries[i].successor
      byteCount += entries[i].frame.byteCount
    } else {
      entries.insert(Entry(frame: frame, successor: successor), at: entries.firstIndex(atOrAfter: pts))
      byteCount += frame.byteCount
    }
    for request in frame.frames.map(\.request) where !requests.contains(request) && !formerRequests.contains(request) {
      formerRequests.append(request)
    }
    evict()
  }

  /// Notes the start of the frame after the one at `pts`.
  mutating func note(successor: MediaTime, of pts: MediaTime) {
    if let i = entries.index(at: pts) { entries[i].successor = successor }
  }

  /// Notes the start of the decoded frame after the one at `pts`.
  mutating func note(nextDecoded: MediaTime, of pts: MediaTime) {
    if let i = entries.index(at: pts) { entries[i].nextDecoded = nextDecoded }
  }

  /// Returns the frame on display at a time, or the nearest before it if some were skipped.
  func entry(displayedAt time: MediaTime) -> Entry? { current(entries.entry(at: time, until: \.end)) }

  private func current(_ entry: Entry?) -> Entry? { entry.flatMap { isCurrent($0.frame) ? $0 : nil } }

  /// Returns at most `limit` gapless frames from the one at `pts` on.
  func contiguousFrames(from pts: MediaTime, limit: Int) -> ArraySlice<Entry> {
    let i = entries.firstIndex(atOrAfter: pts)
    var end = i
    var next = pts
    while end < entries.count, end - i < limit, entries[end].timing.pts == next,
      isCurrent(entries[end].frame) {
      end += 1
      guard let successor = entries[end - 1].successor else { break }
      next = successor
    }
    return entries[i..<end]
  }

  /// Returns the cached frames that start in a range of time, whatever they have images for.
  func frames(from first: MediaTime, through last: MediaTime) -> [ScaledFrames] {
    entries[entries.firstIndex(atOrAfter: first)...].lazy.map(\.frame).prefix { $0.timing.pts <= last }.map { $0 }
  }

  /// Returns the number of cached frames strictly between two.
  func count(between first: MediaTime, _ second: MediaTime) -> Int {
    let start = entries.index(at: first).map { $0 + 1 } ?? entries.firstIndex(atOrAfter: first)
    let end = entries.firstIndex(atOrAfter: second)
    return start < end ? entries[start..<end].count { isCurrent($0.frame) } : 0
  }

  /// Returns the frame on display at a time, if it is known to be that one.
  func entry(holding time: MediaTime) -> Entry? { current(entries.entry(at: time, until: \.successor)) }

  /// Returns the frame that starts at a time.
  func entry(at pts: MediaTime) -> Entry? { current(entries.index(at: pts).map { entries[$0] }) }

  /// Returns the frame that starts nearest to a time.
  func entry(nearest time: MediaTime) -> Entry? { current(entries.nearest(time)) }

  /// Returns the frame directly before the one at `pts`.
  func entry(before pts: MediaTime) -> Entry? {
    let i = entries.firstIndex(atOrAfter: pts)
    return i > 0 && entries[i - 1].successor == pts ? current(entries[i - 1]) : nil
  }

  /// Returns the range of gapless frames back from the frame at `pts`.
  func contiguousFrames(before pts: MediaTime) -> (count: Int, start: MediaTime) {
    var i = entries.firstIndex(atOrAfter: pts)
    var start = pts
    var count = 0
    while i > 0, let end = entries[i - 1].end, end >= start, isCurrent(entries[i - 1].frame) {
      i -= 1
      start = entries[i].timing.pts
      count += 1
    }
    return (count, start)
  }

  /// The ranges whose frames are cached.
  var ranges: [TimeRange] {
    TimeRange.joined(entries.lazy.filter { isCurrent($0.frame) }.map { TimeRange(start: $0.timing.pts, end: $0.successor ?? $0.timing.end) })
  }

  /// Returns true if a frame would be kept rather than be the first to go.
  func hasRoom(for timing: FrameTiming, bytes: Int) -> Bool {
    guard limit > 0, bytes <= limit else { return false }
    if byteCount + bytes <= limit || !formerRequests.isEmpty { return true }
    guard let first = entries.first, let last = entries.last else { return true }
    return evictionCost(timing.pts) < max(evictionCost(first.timing.pts), evictionCost(last.timing.pts))
  }

  /// Drops frames more than a number of seconds before `pts`.
  mutating func trim(before pts: MediaTime, seconds: Double) {
    while let first = entries.first, (pts - first.timing.pts).seconds > seconds {
      byteCount -= first.frame.byteCount
      entries.removeFirst()
    }
  }

  /// The distance of a frame from the display in seconds, which counts twice against the direction of playback.
  private func evictionCost(_ pts: MediaTime) -> Double {
    let distance = (pts - center).seconds
    let isBehind = isMovingBack ? distance > 0 : distance < 0
    return abs(distance) * (isBehind ? 2 : 1)
  }

  private mutating func evict() {
    while byteCount > limit, !formerRequests.isEmpty { removeImages(for: formerRequests.removeFirst()) }
    // The cost increases with the distance on both sides, so the frame to go first is at one of the ends.
    while byteCount > limit, let first = entries.first, let last = entries.last {
      let isFirst = evictionCost(first.timing.pts) > evictionCost(last.timing.pts)
      let entry = isFirst ? entries.removeFirst() : entries.removeLast()
      byteCount -= entry.frame.byteCount
    }
  }

  private mutating func removeImages(for request: RenderRequest) {
    entries = entries.compactMap { entry in
      var entry = entry
      guard let rest = entry.frame.without(request) else { return nil }
      entry.frame = rest
      return entry
    }
    byteCount = entries.reduce(0) { $0 + $1.frame.byteCount }
  }
}
