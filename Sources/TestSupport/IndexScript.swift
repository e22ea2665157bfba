import Playback

/// The index of frame times that a `ScriptedSource` provides.
public enum IndexScript: Hashable, Sendable {
  /// Nothing, ever.
  case none
  /// Nothing at first: the test publishes parts while the source runs, and finishes the index.
  case coming
  /// All from the beginning, as read from packets.
  case complete
  /// All from the beginning, as read from packets, but with wrong times for the frames numbered in `times`, and the frames
  /// numbered in `randomAccess` marked as random access frames where they are not, and the other way round.
  ///
  /// The source refutes the order at the first frame whose time differs from the index; then the test finishes the index
  /// with a decoded timeline.
  case partlyWrong(times: Set<Int>, randomAccess: Set<Int>)
  /// All from the beginning, as found by decoding.
  case decoded

  func makeIndex(of script: FrameScript) -> FrameIndex? {
    guard !script.frames.isEmpty else { return self == .none ? nil : FrameIndex() }
    return switch self {
    case .none: nil
    case .coming: FrameIndex()
    case .complete: script.timeline().map { FrameIndex(timeline: $0) }
    case .partlyWrong(let times, let randomAccess):
      script.timeline(wrongTimes: times, wrongRandomAccess: randomAccess).map { FrameIndex(timeline: $0) }
    case .decoded: script.timeline(origin: .decode).map { FrameIndex(timeline: $0) }
    }
  }
}

extension FrameScript {
  /// Returns the timeline of the script that an index has.
  ///
  /// - Parameters:
  ///   - count: Number of known frames, from the first one on; nil for all.
  ///   - wrongTimes: Numbers of frames that begin too early, in the middle of the one before.
  ///   - wrongRandomAccess: Numbers of frames whose `isKey` is wrong.
  /// - Returns: The timeline; nil if no frame is known.
  public func timeline(
    first count: Int? = nil, origin: PresentationTimeline.Origin = .packets, wrongTimes: Set<Int> = [],
    wrongRandomAccess: Set<Int> = []
  ) -> PresentationTimeline? {
    let count = min(count ?? frames.count, frames.count)
    let known = (0..<max(0, count)).map { number in
      let frame = frames[number]
      var pts = frame.pts
      if number > 0, wrongTimes.contains(number) {
        let step = frame.pts - frames[number - 1].pts
        pts = frames[number - 1].pts + MediaTime(value: step.value, timescale: step.timescale * 2)
      }
      return PresentationTimeline.Frame(
        pts: pts, duration: frame.duration, isRandomAccess: frame.isKey != wrongRandomAccess.contains(number))
    }
    return PresentationTimeline(frames: known, isComplete: count == frames.count, origin: origin)
  }
}
