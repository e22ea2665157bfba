import Playback

/// What a `ScriptedSource` tells of the times of all its frames.
public enum IndexScript: Hashable, Sendable {
  /// Nothing, ever.
  case none
  /// Nothing at first: the test publishes parts while the source runs, and finishes it.
  case coming
  /// All from the beginning, as packets tell it.
  case complete
  /// All from the beginning, as packets tell it, but frames with these numbers at wrong times, and others, with numbers
  /// in `randomAccess`, told to be random access frames where they are not, and the other way round.
  ///
  /// The source refutes the order at the first frame that has another time than was told; then the test finishes the
  /// index with a decoded timeline.
  case partlyWrong(times: Set<Int>, randomAccess: Set<Int>)
  /// All from the beginning, as a decode has told it.
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
  /// What an index knows of the script.
  ///
  /// - Parameters:
  ///   - count: frames from the first one on that are known; all without it.
  ///   - wrongTimes: numbers of frames that are told to begin earlier, in the middle of the one before.
  ///   - wrongRandomAccess: numbers of frames whose `isKey` is told wrongly.
  /// - Returns: nil when no frame is known.
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
