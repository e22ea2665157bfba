/// Subtitle cues ordered by time.
public struct SubtitleTimeline: Hashable, Sendable {
  /// The cues by start time; those that start together are in file order.
  public private(set) var cues: [SubtitleCue] = []
  /// For each cue, the latest end of it and of those before it.
  private var ends: [MediaTime] = []

  private let limit: Int

  /// Creates an empty timeline.
  public init() { self.init(maxTogether: Self.maxTogether) }

  /// - Parameter maxTogether: the maximum number of cues that start together, and of cues shown at the same time.
  init(maxTogether: Int) { limit = maxTogether }

  /// Creates a timeline from cues in any order.
  public init(_ cues: some Sequence<SubtitleCue>) {
    self.init()
    // Cues in order are only appended. Those that start together keep their order.
    for cue in cues.sorted(by: { $0.timeRange.start < $1.timeRange.start }) { insert(cue) }
  }

  /// The maximum number of cues that start together, and of cues shown at the same time.
  public static let maxTogether = 200

  /// Inserts a cue. Ignores cues that have no duration, that start with `maxTogether` others, or whose text another cue
  /// shows for the whole time.
  public mutating func insert(_ cue: SubtitleCue) {
    guard cue.timeRange.start.isNumeric, cue.timeRange.end > cue.timeRange.start else { return }
    // Most cues come in order.
    let isLast = cues.last.map { $0.timeRange.start <= cue.timeRange.start } ?? true
    let place = isLast ? cues.count : index(after: cue.timeRange.start)
    guard mayStart(cue, before: place) else { return }
    cues.insert(cue, at: place)
    ends.insert(place > 0 ? max(ends[place - 1], cue.timeRange.end) : cue.timeRange.end, at: place)
    for i in ends.indices.dropFirst(place + 1) {
      // Those after it are later still.
      guard ends[i] < cue.timeRange.end else { break }
      ends[i] = cue.timeRange.end
    }
  }

  /// Returns false if too many cues start together with a new one, or one of them says the same: a file may list a cue
  /// twice, or be read twice; text with borders, gradients or glows consists of several cues.
  private func mayStart(_ cue: SubtitleCue, before place: Int) -> Bool {
    var first = place
    while first > 0, cues[first - 1].timeRange.start == cue.timeRange.start {
      first -= 1
      if place - first == limit || cues[first].says(what: cue) { return false }
    }
    return true
  }

  /// The earlier cues that end when new ones come.
  enum Former {
    /// Cues without an end.
    case endless
    case all
  }

  /// Ends cues that started before a time and are visible at it.
  mutating func end(_ former: Former, at time: MediaTime) {
    var first = cues.count
    for i in cues.indices.reversed() {
      guard former == .all ? ends[i] > time : ends[i] == .positiveInfinity else { break }
      first = i
      let range = cues[i].timeRange
      if range.start < time, range.end > time, former == .all || range.end == .positiveInfinity {
        cues[i].timeRange = TimeRange(start: range.start, end: time)
      }
    }
    update(from: first)
  }

  private mutating func update(from first: Int) {
    for i in first..<cues.count {
      ends[i] = i > 0 ? max(ends[i - 1], cues[i].timeRange.end) : cues[i].timeRange.end
    }
  }

  /// Returns the index of the first cue that starts after a time.
  private func index(after time: MediaTime) -> Int {
    cues.partitioningIndex { $0.timeRange.start > time }
  }

  /// Returns the cues shown at a time, by start time; if there are more than `maxTogether`, the last ones.
  public func cues(at time: MediaTime) -> [SubtitleCue] {
    guard time.isNumeric else { return [] }
    var result: [SubtitleCue] = []
    for i in cues[..<index(after: time)].indices.reversed() {
      // Nothing before it lasts that long.
      guard ends[i] > time, result.count < limit else { break }
      if cues[i].timeRange.end > time { result.append(cues[i]) }
    }
    return result.reversed()
  }

  /// Returns the next time after `time` at which other cues are shown; nil if there is none.
  public func nextChange(after time: MediaTime) -> MediaTime? {
    let begin = index(after: time)
    let next = begin < cues.count ? cues[begin].timeRange.start : .positiveInfinity
    let end = cues(at: time).map(\.timeRange.end).min() ?? .positiveInfinity
    let change = min(next, end)
    return change.isNumeric ? change : nil
  }

  /// Returns the next cue that starts after a time, or the last that starts before it; nil if there is none.
  public func cue(from time: MediaTime, forward: Bool) -> SubtitleCue? {
    if forward {
      let next = index(after: time)
      return next < cues.count ? cues[next] : nil
    }
    let here = cues.partitioningIndex { $0.timeRange.start >= time }
    return here > 0 ? cues[here - 1] : nil
  }
}

extension SubtitleCue {
  /// Returns true if the cue equals the other, or has the same text for as long.
  fileprivate func says(what other: SubtitleCue) -> Bool {
    if self == other { return true }
    return bitmaps.isEmpty && other.bitmaps.isEmpty && timeRange == other.timeRange && text == other.text
  }
}
