import Movies
import Playback

/// Known frame numbers.
extension Player {
  /// The exact number of frames, if known.
  var exactFrameCount: Int? { countableTimeline?.frameCount }

  /// The exact number of the clip's first displayed frame, if known: frames before it are decoded but not displayed.
  var firstFrame: Int? { countableTimeline?.frameNumber(at: .zero) }

  /// The point of the clip at which a frame starts or the last one ends: its frame number, if known, else the time.
  func position(at time: MediaTime) -> ClipPosition {
    guard let timeline = countableTimeline else { return .time(time) }
    if time == timeline.duration { return .frame(timeline.frameCount) }
    let number = timeline.frameNumber(at: time)
    return timeline.time(ofFrame: number) == time ? .frame(number) : .time(time)
  }

  /// Returns true if there is certainly no frame with that number.
  func lacks(frame number: Int) -> Bool { exactFrameCount.map { number >= $0 } ?? false }

  /// Returns true if the exact time of a frame is known, or if no index will ever tell it.
  func knows(frame number: Int) -> Bool {
    guard let frameIndex else { return false }
    return frameIndex.hasEnded || frameIndex.timeline?.time(ofFrame: number) != nil
  }

  private var countableTimeline: PresentationTimeline? {
    frameIndex?.timeline.flatMap { $0.isComplete && $0.isCountable ? $0 : nil }
  }

  /// The time of the frame some frames from the current one, limited to the clip. Without an index, a time inside a frame at the
  /// nominal frame rate; nil if there is no rate.
  func time(steppedBy count: Int) -> MediaTime? {
    let now = currentTime()
    if let timeline = frameIndex?.timeline, timeline.isComplete || now < timeline.end {
      let (sum, overflow) = timeline.frameNumber(at: now).addingReportingOverflow(count)
      let number = timeline.clamped(frame: overflow ? (count < 0 ? 0 : .max) : sum)
      if let time = timeline.time(ofFrame: number) { return time }
    }
    guard let rate = currentItem?.frameRate, rate > 0 else { return nil }
    let frame = MediaTime(seconds: 1 / rate, preferredTimescale: 1_000_000)
    // A seek in progress already targets the inside of a frame.
    let place = timing(at: now).map { $0.pts + frame * 0.25 } ?? now
    return place + frame * count
  }
}
