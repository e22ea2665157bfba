import Libav

/// The pictures of a video track in the order in which they are shown, and where decoding can begin.
public struct FrameMap: Sendable {
  private let timeline: DisplayTimeline
  private let timeBase: Ratio
  /// The stream's time that is time 0 of the item.
  private let startTime: MediaTime
  /// Places in display order of the pictures at which decoding can begin, in order; the first one is 0.
  private let starts: [Int32]
  /// Whether all pictures are known; else only those before `end` are.
  public let isComplete: Bool
  /// Whether pictures can be counted; in broken streams some packets give no picture.
  public var isCountable: Bool { timeline.isCountable }
  /// The time up to which pictures are known; +∞ when all are.
  public let end: MediaTime

  init(_ packets: PacketIndex, _ timeline: DisplayTimeline, timeBase: Ratio, startTime: MediaTime) {
    self.timeline = timeline
    self.timeBase = timeBase
    self.startTime = startTime
    let ranks = packets.starts.compactMap { ordinal -> Int32? in
      guard packets.entries[ordinal].start == .trusted else { return nil }
      return timeline.rank(ordinal: ordinal).map(Int32.init)
    }
    starts = [0] + ranks.sorted().filter { $0 > 0 }
    isComplete = packets.isComplete
    isCutOff = packets.isCutOff
    end =
      packets.isComplete
      ? .positiveInfinity
      : packets.entries.last?.dts.map { MediaTime(ticks: $0, in: timeBase) - startTime } ?? .zero
  }

  /// Whether it comes of a decode of the whole track, because its packets do not tell.
  var isDecoded: Bool { timeline.isDecoded }

  /// Whether the file breaks off in the middle of something.
  let isCutOff: Bool

  /// Where the last picture ends, where a decode has told; nil where it is as the container says.
  public var duration: MediaTime? { timeline.end.map { MediaTime(ticks: $0, in: timeBase) - startTime } }

  /// Number of pictures.
  public var count: Int { timeline.count }

  /// When a picture is shown, counted from 0; nil when there is no such picture.
  public func time(ofPicture number: Int) -> MediaTime? {
    guard number >= 0, number < count else { return nil }
    return MediaTime(ticks: timeline.ticks(rank: number), in: timeBase) - startTime
  }

  /// The picture that is on display at a time: the last that begins at or before it, else the first.
  public func number(at time: MediaTime) -> Int {
    guard time.isNumeric else { return time.isPositiveInfinity ? max(0, count - 1) : 0 }
    let ticks = (time + startTime).ticks(
      timeBaseNumerator: timeBase.numerator, timeBaseDenominator: timeBase.denominator,
      rounding: .towardNegativeInfinity)
    return timeline.rank(at: ticks ?? .min)
  }

  /// The picture that is on display at a time; nil where it is not known when that ends.
  func timing(at time: MediaTime) -> FrameTiming? {
    let rank = number(at: time)
    guard time.isNumeric, let start = self.time(ofPicture: rank),
      let next = self.time(ofPicture: rank + 1).flatMap({ $0 < end ? $0 : nil }) ?? (isComplete ? duration : nil),
      next > start
    else { return nil }
    return FrameTiming(
      pts: start, duration: next - start, originalPTS: timeline.stamp(rank: rank), timeBase: timeBase, number: rank,
      numberIsExact: isCountable)
  }

  /// The picture with which decoding begins for picture `number`.
  public func start(for number: Int) -> Int {
    Int(starts[max(0, starts.partitioningIndex { $0 > number } - 1)])
  }

  /// The same timing with the number and the end that the index gives it, where its stamp is one of the stream's.
  func numbered(_ timing: FrameTiming) -> FrameTiming {
    guard isCountable, let stamp = timing.originalPTS else { return timing }
    let rank = isDecoded ? number(at: timing.pts) : timeline.rank(at: stamp)
    guard timeline.stamp(rank: rank) == stamp, !isDecoded || time(ofPicture: rank) == timing.pts else { return timing }
    // What follows is known where it comes before all that is still to be read.
    let next = time(ofPicture: rank + 1).flatMap { $0 < end ? $0 - timing.pts : nil } ?? timing.duration
    guard !timing.numberIsExact || next != timing.duration else { return timing }
    var result = FrameTiming(
      pts: timing.pts, duration: next > .zero ? next : timing.duration, originalPTS: stamp, timeBase: timing.timeBase,
      number: timing.numberIsExact ? timing.number : rank)
    result.isCertain = timing.isCertain
    return result
  }
}
