/// A track of a composition: contiguous segments starting at time zero.
public struct CompositionTrack: Hashable, Sendable {
  /// The segments in time order; each starts where the previous one ends.
  public private(set) var segments: [CompositionSegment] = []

  /// Creates an empty track.
  public init() {}

  /// The end of the last segment.
  public var duration: MediaTime { segments.last?.timeRange.end ?? .zero }

  /// Returns the segment at a time; nil if there is none.
  public func segment(at time: MediaTime) -> CompositionSegment? {
    let number = segments.partitioningIndex { $0.timeRange.start > time } - 1
    guard segments.indices.contains(number), segments[number].timeRange.contains(time) else { return nil }
    return segments[number]
  }

  /// Inserts content at a time, moving later content back. If the track ends earlier, the gap is empty.
  mutating func insert(_ content: CompositionSegment.Content, duration: MediaTime, at time: MediaTime) {
    let time = max(.zero, time)
    if time > self.duration { append(.empty, duration: time - self.duration) }
    guard duration > .zero else { return }
    guard time < self.duration else { return append(content, duration: duration) }
    let number = split(at: time)
    segments.insert(
      CompositionSegment(content: content, timeRange: TimeRange(start: time, duration: duration)), at: number)
    moveSegments(from: number)
  }

  /// Appends content.
  mutating func append(_ content: CompositionSegment.Content, duration: MediaTime) {
    guard duration > .zero else { return }
    segments.append(
      CompositionSegment(content: content, timeRange: TimeRange(start: self.duration, duration: duration)))
  }

  /// Removes a range, closing the gap.
  mutating func remove(_ range: TimeRange) {
    let range = range.intersection(TimeRange(start: .zero, duration: duration))
    guard !range.isEmpty else { return }
    let first = split(at: range.start)
    let end = split(at: range.end)
    segments.removeSubrange(first..<end)
    moveSegments(from: first)
  }

  /// Changes the duration of a range's content, making it slower or faster.
  mutating func scale(_ range: TimeRange, to duration: MediaTime) {
    let range = range.intersection(TimeRange(start: .zero, duration: self.duration))
    guard !range.isEmpty else { return }
    guard duration > .zero else { return remove(range) }
    let target = TimeRange(start: range.start, duration: duration)
    let first = split(at: range.start)
    let end = split(at: range.end)
    for i in first..<end {
      let old = segments[i].timeRange
      segments[i] = segments[i].scaled(
        to: TimeRange(
          start: old.start.mapped(from: range, to: target), end: old.end.mapped(from: range, to: target)))
    }
    moveSegments(from: first)
  }

  /// Reverses the content of a range.
  mutating func reverse(_ range: TimeRange) {
    let range = range.intersection(TimeRange(start: .zero, duration: duration))
    guard !range.isEmpty else { return }
    let first = split(at: range.start)
    let end = split(at: range.end)
    segments[first..<end].reverse()
    for i in first..<end { segments[i] = segments[i].reversed }
    moveSegments(from: first)
  }

  /// Notes the line that describes the segments from a time on.
  mutating func setLine(_ line: FileLine, from time: MediaTime) {
    for i in segments.partitioningIndex(where: { $0.timeRange.start >= time })..<segments.count { segments[i].line = line }
  }

  /// Splits the track at a time; returns the index of the segment that starts there, or one past the last.
  private mutating func split(at time: MediaTime) -> Int {
    let next = segments.partitioningIndex { $0.timeRange.start >= time }
    guard next > 0 else { return next }
    let former = segments[next - 1]
    guard time < former.timeRange.end else { return next }
    segments[next - 1] = former.part(TimeRange(start: former.timeRange.start, end: time))
    segments.insert(former.part(TimeRange(start: time, end: former.timeRange.end)), at: next)
    return next
  }

  /// Makes each segment from `number` on start where the previous one ends, also where times have been rounded.
  private mutating func moveSegments(from number: Int) {
    guard number < segments.count else { return }
    var time = number > 0 ? segments[number - 1].timeRange.end : .zero
    for i in number..<segments.count {
      segments[i] = segments[i].moved(to: time)
      time = segments[i].timeRange.end
    }
  }
}

extension CompositionSegment {
  /// The same range in the other direction.
  fileprivate var reversed: CompositionSegment {
    guard case .clip(var clip) = content else { return self }
    switch clip.direction {
    case .forward: clip.direction = .backward
    case .backward: clip.direction = .forward
    case .freeze: break
    }
    return CompositionSegment(content: .clip(clip), timeRange: timeRange, line: line)
  }
}
