/// Rendered frames that may be needed again, within a memory budget.
///
/// A plain value, one per player. All frames are rendered for the same requests. Frames far from the displayed one are
/// dropped first, sooner if they lie against the direction of playback, and every n-th of them is kept among the sparse
/// ones.
struct FrameCache {
  struct Entry {
    var frame: RenderedSet
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
  var byteCount: Int { denseByteCount + sparse.byteCount }
  private var denseByteCount = 0
  /// Sorted by PTS.
  private var entries: [Entry] = []
  private var sparse = SparseFrames()
  /// The share of the memory that sparse frames may use is one part in this many.
  private static let sparseShare = 4

  var count: Int { entries.count }

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
    denseByteCount = 0
    sparse.removeAll()
  }

  /// Notes the position of the display, which decides what is worth keeping.
  mutating func moveCenter(to time: MediaTime) {
    guard time != center else { return }
    isMovingBack = time < center
    center = time
  }

  /// Notes that the display is about to move back.
  mutating func expectGoingBack() { isMovingBack = true }

  mutating func insert(_ frame: RenderedSet, successor: MediaTime?) {
    guard limit > 0 else { return }
    let pts = frame.timing.pts
    if let i = entries.index(at: pts) {
      denseByteCount -= entries[i].frame.byteCount
      entries[i].frame = frame
      entries[i].successor = successor ?? entries[i].successor
    } else {
      entries.insert(Entry(frame: frame, successor: successor), at: entries.firstIndex(atOrAfter: pts))
      sparse.remove(at: pts)
    }
    denseByteCount += frame.byteCount
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
  func entry(displayedAt time: MediaTime) -> Entry? { entries.entry(at: time, until: \.end) }

  /// Returns at most `limit` gapless frames from the one at `pts` on.
  func contiguousFrames(from pts: MediaTime, limit: Int) -> ArraySlice<Entry> {
    let i = entries.firstIndex(atOrAfter: pts)
    var end = i
    var next = pts
    while end < entries.count, end - i < limit, entries[end].timing.pts == next {
      end += 1
      guard let successor = entries[end - 1].successor else { break }
      next = successor
    }
    return entries[i..<end]
  }

  /// Returns the number of cached frames strictly between two.
  func count(between first: MediaTime, _ second: MediaTime) -> Int {
    let start = entries.index(at: first).map { $0 + 1 } ?? entries.firstIndex(atOrAfter: first)
    return max(0, entries.firstIndex(atOrAfter: second) - start)
  }

  /// Returns the frame on display at a time, if it is known to be that one.
  func entry(holding time: MediaTime) -> Entry? {
    entries.entry(at: time, until: \.successor) ?? sparse.entry(holding: time)
  }

  /// Returns the frame that starts at a time, unless it is a sparse one, which leads to no other.
  func denseEntry(at pts: MediaTime) -> Entry? { entries.index(at: pts).map { entries[$0] } }

  /// Returns the frame that starts nearest to a time.
  func entry(nearest time: MediaTime) -> Entry? {
    [entries.nearest(time), sparse.entry(nearest: time)].compactMap { $0 }.min {
      abs(($0.timing.pts - time).seconds) < abs(($1.timing.pts - time).seconds)
    }
  }

  /// Returns the frame directly before the one at `pts`.
  func entry(before pts: MediaTime) -> Entry? {
    let i = entries.firstIndex(atOrAfter: pts)
    return i > 0 && entries[i - 1].successor == pts ? entries[i - 1] : nil
  }

  /// Returns the range of gapless frames back from the frame at `pts`.
  func contiguousFrames(before pts: MediaTime) -> (count: Int, start: MediaTime) {
    var i = entries.firstIndex(atOrAfter: pts)
    var start = pts
    var count = 0
    while i > 0, let end = entries[i - 1].end, end >= start {
      i -= 1
      start = entries[i].timing.pts
      count += 1
    }
    return (count, start)
  }

  /// The ranges whose frames are cached.
  var ranges: [TimeRange] {
    TimeRange.joined(entries.map { TimeRange(start: $0.timing.pts, end: $0.successor ?? $0.timing.end) })
  }

  /// Returns true if a frame would be kept rather than be the first to go.
  func hasRoom(for timing: FrameTiming, bytes: Int) -> Bool {
    guard limit > 0 else { return false }
    let pts = timing.pts
    if sparse.wants(timing), bytes <= limit / Self.sparseShare { return true }
    if byteCount + bytes <= limit { return true }
    guard sparse.byteCount + bytes <= limit, let first = entries.first, let last = entries.last else { return false }
    return worthlessness(pts) < max(worthlessness(first.timing.pts), worthlessness(last.timing.pts))
  }

  /// Drops frames more than a number of seconds before `pts`.
  mutating func trim(before pts: MediaTime, seconds: Double) {
    while let first = entries.first, (pts - first.timing.pts).seconds > seconds {
      denseByteCount -= first.frame.byteCount
      entries.removeFirst()
    }
  }

  private func worthlessness(_ pts: MediaTime) -> Double {
    let distance = (pts - center).seconds
    let isBehind = isMovingBack ? distance > 0 : distance < 0
    return abs(distance) * (isBehind ? 2 : 1)
  }

  private mutating func evict() {
    let sparseLimit = limit / Self.sparseShare
    sparse.shrink(to: sparseLimit)
    // Worth decreases with the distance on both sides, so the least is at one of the ends.
    while byteCount > limit, let first = entries.first, let last = entries.last {
      let isFirst = worthlessness(first.timing.pts) > worthlessness(last.timing.pts)
      let entry = isFirst ? entries.removeFirst() : entries.removeLast()
      denseByteCount -= entry.frame.byteCount
      sparse.add(entry, limit: sparseLimit)
    }
  }
}
