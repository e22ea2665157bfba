import Pixels

/// The numbers of a composition's frames: from the index if known, else counted from the start or estimated.
struct Numbering {
  private let timeline: PresentationTimeline?
  private let rate: Double
  /// The number of frames since the start; nil if numbering did not begin there.
  private var count: Int?

  init(_ timeline: PresentationTimeline? = nil, rate: Double = 0, isFromStart: Bool = false) {
    self.timeline = timeline
    self.rate = rate
    count = isFromStart ? 0 : nil
  }

  /// Stops counting, because frames may be skipped from now on.
  mutating func stopCounting() { count = nil }

  /// Returns the number of the frame that starts at a time, and whether it is exact; call it once per frame.
  mutating func number(at time: MediaTime) -> (Int, isExact: Bool) {
    defer { count? += 1 }
    if let timeline, time < timeline.end {
      let number = timeline.frameNumber(at: time)
      if timeline.time(ofFrame: number) == time { return (number, timeline.isCountable) }
    }
    if let count { return (count, true) }
    return (Int(saturating: (time.seconds * rate).rounded()), false)
  }
}
