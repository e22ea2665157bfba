/// Frames at pane resolution that have been decoded and may be wanted again, within a budget of bytes.
///
/// A plain value, one for each player. All frames are made for the same requests; those far from the displayed one go
/// first, sooner when they lie against the direction of travel, and every n-th of them stays among the sparse ones.
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

  /// Bytes of pixels at the most; 0 keeps nothing.
  private(set) var budget = 0
  /// Kept even where the budget is smaller: playing backwards cannot do without.
  private var floor = 0
  /// Bytes that may be used.
  var limit: Int { max(budget, floor) }
  /// The displayed frame's time: what is far from it is worth least.
  private(set) var center = MediaTime.zero
  private(set) var isMovingBack = false
  var byteCount: Int { denseByteCount + sparse.byteCount }
  private var denseByteCount = 0
  /// Sorted by PTS.
  private var entries: [Entry] = []
  private var sparse = SparseFrames()
  /// Sparse frames take one part in so many of the bytes at the most.
  private static let sparseShare = 4

  var count: Int { entries.count }

  mutating func setBudget(_ bytes: Int) {
    budget = bytes
    evict()
  }

  /// Asks for so many bytes at least; 0 for what the budget allows.
  mutating func setFloor(_ bytes: Int) {
    floor = bytes
    evict()
  }

  mutating func removeAll() {
    entries = []
    denseByteCount = 0
    sparse.removeAll()
  }

  /// Notes where the display is, which decides what is worth keeping.
  mutating func moveCenter(to time: MediaTime) {
    guard time != center else { return }
    isMovingBack = time < center
    center = time
  }

  /// The display is about to move back.
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

  /// Learns where the frame after the one at `pts` begins.
  mutating func note(successor: MediaTime, of pts: MediaTime) {
    if let i = entries.index(at: pts) { entries[i].successor = successor }
  }

  /// Learns where the decoded frame after the one at `pts` begins.
  mutating func note(nextDecoded: MediaTime, of pts: MediaTime) {
    if let i = entries.index(at: pts) { entries[i].nextDecoded = nextDecoded }
  }

  /// The frame on display at a time, or the nearest one before it where some were left out.
  func entry(displayedAt time: MediaTime) -> Entry? { entries.entry(at: time, until: \.end) }

  /// Frames that follow each other without a gap from the one at `pts` on, at the most `limit`.
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

  /// Cached frames between two, both left out.
  func count(between first: MediaTime, _ second: MediaTime) -> Int {
    let start = entries.index(at: first).map { $0 + 1 } ?? entries.firstIndex(atOrAfter: first)
    return max(0, entries.firstIndex(atOrAfter: second) - start)
  }

  /// The frame that is on display at a time, if it is known to be that one.
  func entry(holding time: MediaTime) -> Entry? {
    entries.entry(at: time, until: \.successor) ?? sparse.entry(holding: time)
  }

  /// The frame that begins at a time, where it is not one of the sparse ones: those lead to no other.
  func denseEntry(at pts: MediaTime) -> Entry? { entries.index(at: pts).map { entries[$0] } }

  /// The frame that begins nearest to a time.
  func entry(nearest time: MediaTime) -> Entry? {
    [entries.nearest(time), sparse.entry(nearest: time)].compactMap { $0 }.min {
      abs(($0.timing.pts - time).seconds) < abs(($1.timing.pts - time).seconds)
    }
  }

  /// The frame directly before the one at `pts`.
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

  /// Stretches of time whose frames are cached.
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

  /// Drops what lies more than so many seconds before `pts`.
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
    // Worth falls with the distance on both sides, so the least is at one of the ends.
    while byteCount > limit, let first = entries.first, let last = entries.last {
      let isFirst = worthlessness(first.timing.pts) > worthlessness(last.timing.pts)
      let entry = isFirst ? entries.removeFirst() : entries.removeLast()
      denseByteCount -= entry.frame.byteCount
      sparse.add(entry, limit: sparseLimit)
    }
  }
}
