/// Pictures at pane resolution that have been decoded and may be wanted again, within a budget of bytes.
///
/// A plain value, one for each player. All pictures are of one request; those far from the displayed one go
/// first, sooner when they lie against the direction of travel.
struct FrameCache {
  struct Entry {
    var picture: Picture
    /// Where the next picture of the stream begins; nil while not known.
    var successor: MediaTime?
  }

  /// Bytes of pixels at the most; 0 keeps nothing.
  var budget = 0 {
    didSet { if budget < oldValue { evict() } }
  }
  /// The displayed picture's time: what is far from it is worth least.
  private(set) var center = MediaTime.zero
  private(set) var isMovingBack = false
  private(set) var byteCount = 0
  /// Sorted by PTS.
  private var entries: [Entry] = []

  var count: Int { entries.count }

  mutating func removeAll() {
    entries = []
    byteCount = 0
  }

  /// Notes where the display is, which decides what is worth keeping.
  mutating func moveCenter(to time: MediaTime) {
    guard time != center else { return }
    isMovingBack = time < center
    center = time
  }

  mutating func insert(_ picture: Picture, successor: MediaTime?) {
    guard budget > 0 else { return }
    let pts = picture.timing.pts
    let i = firstIndex(atOrAfter: pts)
    if i < entries.count, entries[i].picture.timing.pts == pts {
      byteCount -= entries[i].picture.image.byteCount
      entries[i] = Entry(picture: picture, successor: successor ?? entries[i].successor)
    } else {
      entries.insert(Entry(picture: picture, successor: successor), at: i)
    }
    byteCount += picture.image.byteCount
    evict()
  }

  /// Learns where the picture after the one at `pts` begins.
  mutating func note(successor: MediaTime, of pts: MediaTime) {
    let i = firstIndex(atOrAfter: pts)
    if i < entries.count, entries[i].picture.timing.pts == pts { entries[i].successor = successor }
  }

  /// The picture that is on display at a time, if it is known to be that one.
  func entry(holding time: MediaTime) -> Entry? {
    let i = firstIndex(atOrAfter: time)
    if i < entries.count, entries[i].picture.timing.pts == time { return entries[i] }
    guard i > 0, let successor = entries[i - 1].successor, time < successor else { return nil }
    return entries[i - 1]
  }

  /// The picture directly before the one at `pts`.
  func entry(before pts: MediaTime) -> Entry? {
    let i = firstIndex(atOrAfter: pts)
    return i > 0 && entries[i - 1].successor == pts ? entries[i - 1] : nil
  }

  /// How far back from the picture at `pts` pictures follow each other without a gap.
  func run(before pts: MediaTime) -> (count: Int, start: MediaTime) {
    var i = firstIndex(atOrAfter: pts)
    var start = pts
    var count = 0
    while i > 0, entries[i - 1].successor == start {
      i -= 1
      start = entries[i].picture.timing.pts
      count += 1
    }
    return (count, start)
  }

  /// Stretches of time whose pictures are held.
  var ranges: [TimeRange] {
    var result: [TimeRange] = []
    for entry in entries {
      let range = TimeRange(start: entry.picture.timing.pts, end: entry.successor ?? entry.picture.timing.end)
      if let last = result.last, last.end >= range.start {
        result[result.count - 1] = TimeRange(start: last.start, end: max(last.end, range.end))
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// Whether a picture at `pts` would be kept rather than be the first to go.
  func hasRoom(for pts: MediaTime, bytes: Int) -> Bool {
    if byteCount + bytes <= budget { return true }
    guard let first = entries.first, let last = entries.last else { return bytes <= budget }
    return worthlessness(pts) < max(worthlessness(first.picture.timing.pts), worthlessness(last.picture.timing.pts))
  }

  /// Drops what lies more than so many seconds before `pts`.
  mutating func trim(before pts: MediaTime, seconds: Double) {
    while let first = entries.first, (pts - first.picture.timing.pts).seconds > seconds {
      byteCount -= first.picture.image.byteCount
      entries.removeFirst()
    }
  }

  private func worthlessness(_ pts: MediaTime) -> Double {
    let distance = (pts - center).seconds
    let isBehind = isMovingBack ? distance > 0 : distance < 0
    return abs(distance) * (isBehind ? 2 : 1)
  }

  private mutating func evict() {
    // Worth falls with the distance on both sides, so the least is at one of the ends.
    while byteCount > budget, let first = entries.first, let last = entries.last {
      if worthlessness(first.picture.timing.pts) > worthlessness(last.picture.timing.pts) {
        byteCount -= first.picture.image.byteCount
        entries.removeFirst()
      } else {
        byteCount -= last.picture.image.byteCount
        entries.removeLast()
      }
    }
  }

  private func firstIndex(atOrAfter pts: MediaTime) -> Int {
    entries.partitioningIndex { $0.picture.timing.pts >= pts }
  }
}
