/// Steps by whole frames.
extension ItemPlayback {
  /// The next move of steps that wait.
  enum Step {
    /// Shows a waiting frame, which completes one step.
    case waiting(PresentationQueue.Waiting)
    /// Shows a cached frame, which completes one step.
    case cached(FrameCache.Entry)
    /// Sends the source to a frame, which completes one step.
    case seek(to: MediaTime)
    /// Completes all steps in one move; nil if they lead nowhere.
    case jump(to: MediaTime?)
    /// Waits for frames that are being decoded.
    case wait
  }

  /// Returns the next move of the waiting steps, from the displayed frame.
  ///
  /// - Parameter count: the steps, forward if positive.
  func nextStep(of count: Int, _ clock: ClockView) -> Step {
    guard count > 0 else { return stepBack(of: count) }
    return decode.isDetached ? stepInCache(of: count) : stepInQueue(of: count, clock)
  }

  /// Returns the step to the next waiting frame, or to where the source must go.
  private func stepInQueue(of count: Int, _ clock: ClockView) -> Step {
    let successor = presentation.displayed?.end
    let next = presentation.waiting.first.flatMap { $0.pass == passes.played ? $0 : nil }
    if count > presentation.waiting.count, let jump = jump(by: count) { return jump }
    guard next != nil || decode.end != nil || passes.isDecoderAhead else { return .wait }
    // Nothing is decoded after an A–B loop, or frames between were skipped in playback.
    if let successor, next.map({ successor < $0.timing.pts }) ?? continues(afterLoopFrom: successor, clock) {
      return .seek(to: successor)
    }
    // Steps do not enter a loop's next pass, even if it is being decoded.
    return next.map { .waiting($0) } ?? .jump(to: nil)
  }

  /// Returns true if the clip continues after the A–B loop, which has been left.
  private func continues(afterLoopFrom time: MediaTime, _ clock: ClockView) -> Bool {
    guard let range = clock.loop.range else { return false }
    return time >= range.end && !duration.isAtEnd(time)
  }

  /// Returns the step forward in the cache, or to where the source must go.
  private func stepInCache(of count: Int) -> Step {
    guard let target = presentation.displayed?.end else { return .wait }
    if duration.isAtEnd(target) { return .jump(to: nil) }
    if let entry = cache.entry(at: target) { return .cached(entry) }
    return jump(by: count) ?? .seek(to: target)
  }

  /// Returns the step back in the cache, or to where the source must go.
  private func stepBack(of count: Int) -> Step {
    guard let pts = presentation.displayed?.timing.pts else { return .wait }
    if let entry = cache.entry(before: pts) { return .cached(entry) }
    if let jump = jump(by: count) { return jump }
    // The previous frame is on display one tick earlier.
    return pts > .zero ? .seek(to: Self.tickBefore(pts)) : .jump(to: nil)
  }

  /// Returns the move that completes all steps from the displayed frame; nil if there is one only, or the index does not know
  /// the target.
  ///
  /// Single steps would each be decoded from a keyframe if no frames are cached.
  private func jump(by count: Int) -> Step? {
    guard abs(count) > 1, let pts = presentation.displayed?.timing.pts, let timeline, let number = timeline.knownFrame(at: pts),
      timeline.time(ofFrame: number) == pts
    else { return nil }
    return jump(by: count, from: number, in: timeline)
  }

  /// Returns the move that completes all steps from the frame at a time; nil if the index does not know it or the target.
  func jump(by count: Int, from time: MediaTime) -> Step? {
    guard let timeline, let number = timeline.knownFrame(at: time) else { return nil }
    return jump(by: count, from: number, in: timeline)
  }

  /// Returns the move that completes all steps from a frame; nil if the index does not know the target.
  private func jump(by count: Int, from number: Int, in timeline: PresentationTimeline) -> Step? {
    guard timeline.isCountable else { return nil }
    let reachable = timeline.clamped(frame: number + count)
    guard let time = timeline.time(ofFrame: reachable), time < timeline.end else { return nil }
    return .jump(to: reachable == number ? nil : time)
  }
}
