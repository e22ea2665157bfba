import Pixels

/// The display times and numbers of a clip's frames, and the places where decoding may start.
///
/// An immutable value. A frame is on display until the next one starts. Frames are numbered from 0 in display order.
public struct PresentationTimeline: Sendable {
  /// A frame, for creating a timeline by hand.
  public struct Frame: Hashable, Sendable {
    /// Presentation time on the item's timeline, which starts at 0; numeric.
    public var pts: MediaTime
    /// Display duration if no frame follows; numeric, above 0.
    public var duration: MediaTime
    /// True if decoding can start here: neither this frame nor any displayed later depends on an earlier one.
    public var isRandomAccess: Bool

    /// Creates a frame.
    public init(pts: MediaTime, duration: MediaTime, isRandomAccess: Bool) {
      self.pts = pts
      self.duration = duration
      self.isRandomAccess = isRandomAccess
    }
  }

  /// The basis of a timeline.
  public enum Origin: Hashable, Sendable {
    /// The timestamps that the container gives its packets. Decoding can prove them wrong.
    case packets
    /// The decoded or computed frames themselves: final.
    case decode
  }

  private enum Storage: Sendable {
    case stream(PacketTimeline, timeBase: Ratio, startTime: MediaTime)
    case list([MediaTime])
  }

  private let storage: Storage
  /// Display indexes of the frames where decoding can start, in order; the first is 0.
  private let randomAccessFrames: [Int32]
  /// Display indexes of all keyframes, also of those where decoding is not known to start correctly; the first is 0.
  let keyframes: [Int32]
  /// The basis of the timeline.
  public let origin: Origin
  /// True if all frames are known; otherwise only those before `end` are.
  public let isComplete: Bool
  /// True if frames can be counted; in broken streams, some announced frames never come.
  public let isCountable: Bool
  /// The time up to which frames are known; +∞ if all are.
  public let end: MediaTime
  /// True if the data was found to be truncated.
  public let isCutOff: Bool
  /// The end of the last frame; nil if only the container gives it.
  private let lastEnd: MediaTime?

  /// Creates a timeline of known frames, such as those of a source that computes them.
  ///
  /// - Parameters:
  ///   - frames: in display order. The first one always counts as a random access frame.
  ///   - isComplete: true if these are all; false if more will follow the last.
  ///   - isCountable: true if each of them comes, so that steps and frame numbers can rely on it.
  ///   - isCutOff: true if the data is known to be truncated.
  ///   - origin: the basis of the times; those of `.decode`, as of a source that computes its frames, are final.
  /// - Returns: nil if there are no frames or more than 2³¹, or if their times do not increase.
  public init?(
    frames: [Frame], isComplete: Bool = true, isCountable: Bool = true, isCutOff: Bool = false,
    origin: Origin = .decode
  ) {
    guard let last = frames.last, frames.count <= Int32.max, last.duration.isNumeric, last.duration > .zero,
      frames.allSatisfy(\.pts.isNumeric), zip(frames, frames.dropFirst()).allSatisfy({ $0.pts < $1.pts })
    else { return nil }
    storage = .list(frames.map(\.pts))
    randomAccessFrames = frames.indices.compactMap { $0 == 0 || frames[$0].isRandomAccess ? Int32($0) : nil }
    keyframes = randomAccessFrames
    self.origin = origin
    self.isComplete = isComplete
    self.isCountable = isCountable
    self.isCutOff = isCutOff
    let lastEnd = last.pts + last.duration
    self.lastEnd = lastEnd
    end = isComplete ? .positiveInfinity : lastEnd
  }

  /// - Parameter startTime: the stream's time that is time 0 of the item.
  init(_ timeline: PacketTimeline, timeBase: Ratio, startTime: MediaTime) {
    let known = Self.known(of: timeline)
    randomAccessFrames = known.randomAccessFrames
    keyframes = known.keyframes
    origin = known.isDecoded ? .decode : .packets
    isComplete = known.isComplete
    isCountable = known.isCountable
    isCutOff = known.isCutOff
    lastEnd = known.end.map { MediaTime(ticks: $0, in: timeBase) - startTime }
    end = known.until.map { MediaTime(ticks: $0, in: timeBase) - startTime } ?? (known.isComplete ? .positiveInfinity : .zero)
    storage = .stream(timeline, timeBase: timeBase, startTime: startTime)
  }

  /// A complete timeline from packets, with times in ticks.
  private struct Known {
    var randomAccessFrames, keyframes: [Int32]
    var isDecoded: Bool
    var isComplete: Bool
    var isCountable: Bool
    var isCutOff: Bool
    var end: Int64?
    var until: Int64?
  }

  // Not inlined: the optimiser of Swift 6.3 crashes in `init` otherwise.
  @inline(never) private static func known(of timeline: PacketTimeline) -> Known {
    Known(
      randomAccessFrames: timeline.randomAccessFrames, keyframes: timeline.keyframes, isDecoded: timeline.isDecoded,
      isComplete: timeline.packets.isComplete, isCountable: timeline.isCountable, isCutOff: timeline.packets.isCutOff,
      end: timeline.end, until: timeline.knownUntil)
  }

  /// The packets of the frames; nil in a timeline created by hand.
  var packets: PacketTimeline? {
    guard case .stream(let timeline, _, _) = storage else { return nil }
    return timeline
  }

  /// The number of known frames; at least 1.
  public var frameCount: Int {
    switch storage {
    case .stream(let timeline, _, _): timeline.count
    case .list(let times): times.count
    }
  }

  /// The end of the last frame; nil while frames are missing, or if only the container gives it.
  public var duration: MediaTime? { isComplete ? lastEnd : nil }

  /// Returns a frame number clamped to the clip, as far as its end is known.
  package func clamped(frame number: Int) -> Int { max(0, isComplete ? min(number, frameCount - 1) : number) }

  /// Returns the start of a frame's display time; nil if there is no such frame.
  public func time(ofFrame number: Int) -> MediaTime? {
    guard number >= 0, number < frameCount else { return nil }
    switch storage {
    case .stream(let timeline, let timeBase, let startTime):
      return MediaTime(ticks: timeline.ticks(at: number), in: timeBase) - startTime
    case .list(let times): return times[number]
    }
  }

  /// Returns the number of the frame on display at a time: the last that starts at or before it, else the first.
  public func frameNumber(at time: MediaTime) -> Int {
    guard time.isNumeric else { return time.isPositiveInfinity ? max(0, frameCount - 1) : 0 }
    switch storage {
    case .stream(let timeline, let timeBase, let startTime):
      let ticks = (time + startTime).ticks(in: timeBase, rounding: .towardNegativeInfinity)
      return timeline.displayIndex(at: ticks ?? .min)
    case .list(let times): return max(0, times.partitioningIndex { $0 > time } - 1)
    }
  }

  /// Returns the number of the frame on display at a time; nil if more frames may still come before it.
  func knownFrame(at time: MediaTime) -> Int? { time < end ? frameNumber(at: time) : nil }

  /// Returns the frame where decoding starts for frame `number`: the last random access frame at or before it.
  public func randomAccessFrame(for number: Int) -> Int {
    Int(randomAccessFrames[max(0, randomAccessFrames.partitioningIndex { $0 > number } - 1)])
  }

  /// Returns true if no other random access frame leads to a time sooner than decoding on from an earlier one.
  func leadsOn(from former: MediaTime, to time: MediaTime) -> Bool {
    knownFrame(at: time).map { randomAccessFrame(for: $0) <= frameNumber(at: former) } ?? false
  }

  /// Returns the end of a frame, which is the start of the next; nil while unknown.
  private func end(ofFrame number: Int) -> MediaTime? {
    if let next = time(ofFrame: number + 1) { return next < end ? next : nil }
    return number == frameCount - 1 ? lastEnd : nil
  }

  /// Returns the timing of the frame on display at a time; nil if its end is unknown.
  public func timing(at time: MediaTime) -> FrameTiming? {
    let number = frameNumber(at: time)
    guard time.isNumeric, let start = self.time(ofFrame: number), let end = end(ofFrame: number), end > start
    else { return nil }
    return FrameTiming(
      pts: start, duration: end - start, originalPTS: stamp(ofFrame: number), timeBase: timeBase ?? Ratio(1, 1000),
      number: number, numberIsExact: isCountable, endIsExact: true)
  }

  private var timeBase: Ratio? {
    guard case .stream(_, let timeBase, _) = storage else { return nil }
    return timeBase
  }

  private func stamp(ofFrame number: Int) -> Int64? { packets?.stamp(at: number) }

  /// Returns the number of the frame with this timing's timestamp, or its time; nil if there is none.
  private func number(of timing: FrameTiming) -> Int? {
    if origin == .packets, let packets {
      guard let stamp = timing.originalPTS else { return nil }
      let number = packets.displayIndex(at: stamp)
      return packets.stamp(at: number) == stamp ? number : nil
    }
    let number = frameNumber(at: timing.pts)
    guard time(ofFrame: number) == timing.pts else { return nil }
    return packets == nil || timing.originalPTS != nil && stamp(ofFrame: number) == timing.originalPTS ? number : nil
  }

  /// Returns the timing with the number and end from the timeline; unchanged if the frame is not in it.
  public func numbered(_ timing: FrameTiming) -> FrameTiming {
    guard isCountable, let number = number(of: timing) else { return timing }
    // The next frame is known if it comes before everything that is still to be read.
    let known = end(ofFrame: number).flatMap { $0 > timing.pts ? $0 - timing.pts : nil }
    guard !timing.numberIsExact || !timing.endIsExact || known ?? timing.duration != timing.duration else {
      return timing
    }
    var result = FrameTiming(
      pts: timing.pts, duration: known ?? timing.duration, originalPTS: timing.originalPTS, timeBase: timing.timeBase,
      number: timing.numberIsExact ? timing.number : number, endIsExact: timing.endIsExact || known != nil)
    result.isCertain = timing.isCertain
    return result
  }
}
