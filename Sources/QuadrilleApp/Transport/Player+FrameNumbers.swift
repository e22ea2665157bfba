import Playback

/// Frames by their numbers, as far as these are known.
extension Player {
  /// How many frames there are, where that is known for certain.
  var exactFrameCount: Int? { countableTimeline?.frameCount }

  /// The number of the frame with which the clip begins, where that is known for certain: those before it are decoded
  /// and not shown.
  var firstFrame: Int? { countableTimeline?.frameNumber(at: .zero) }

  /// Whether there is certainly no frame of that number.
  func lacks(frame number: Int) -> Bool { exactFrameCount.map { number >= $0 } ?? false }

  private var countableTimeline: PresentationTimeline? {
    frameIndex?.timeline.flatMap { $0.isComplete && $0.isCountable ? $0 : nil }
  }

  /// The time of the frame so many after the one at the present time; the ends are as far as it goes. Where the clip has
  /// not been indexed so far, a time amid a frame as the frame rate has it; nil where there is no rate.
  func time(steppedBy count: Int) -> MediaTime? {
    let now = currentTime()
    if let timeline = frameIndex?.timeline, timeline.isComplete || now < timeline.end {
      let (sum, overflow) = timeline.frameNumber(at: now).addingReportingOverflow(count)
      let number = timeline.clamped(frame: overflow ? (count < 0 ? 0 : .max) : sum)
      if let time = timeline.time(ofFrame: number) { return time }
    }
    guard let rate = currentItem?.frameRate, rate > 0 else { return nil }
    let frame = MediaTime(seconds: 1 / rate, preferredTimescale: 1_000_000)
    // A seek that has not landed leads amid a frame already.
    let place = timing(at: now).map { $0.pts + frame * 0.25 } ?? now
    return place + frame * count
  }
}
