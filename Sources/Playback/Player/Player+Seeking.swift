extension Player {
  // MARK: - Seeking

  /// Seeks to `time`. While one seek is in flight, only the newest further target waits (QA1820). If targets follow each
  /// other quickly, the seek in flight may be `.superseded`.
  ///
  /// The frame shown afterwards is on display at some time from `time` − before to `time` + after; zero tolerances are
  /// exact. Targets outside the item are clamped. Before the item is ready, the seek waits. With no seek in flight, a seek
  /// to a cached frame has finished on return; during playback, only if enough frames after it are cached to bridge the
  /// time until the source is there. Without an item, nothing happens and the result is `.superseded`.
  ///
  /// - Parameters:
  ///   - time: media time; +∞ is the end, and other non-numeric times count as zero.
  ///   - toleranceBefore: how much earlier the frame may be; negative values count as zero. The default, +∞, takes the
  ///     cheapest frame.
  ///   - toleranceAfter: how much later the frame may be, likewise.
  ///   - completion: called exactly once, from any thread, in the order of the calls; never two at the same time.
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime = .positiveInfinity,
    toleranceAfter: MediaTime = .positiveInfinity,
    completion: (@Sendable (SeekResult) -> Void)? = nil
  ) {
    pool.scrubbing.extend(to: UInt64(max(0, clock.time + SeekQueue.movingPause)))
    update { core, now in
      core.requestSeek(
        SeekRequest(
          target: time, before: max(.zero, toleranceBefore), after: max(.zero, toleranceAfter),
          askedAt: now, completion: completion), at: now)
    }
  }

  /// Seeks to `time` like the other `seek`, and returns the result once the seek has ended.
  ///
  /// After a finished seek, outputs return the frame. Cancelling the task does not cancel the seek; `cancelPendingSeeks()`
  /// does.
  @discardableResult
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime = .positiveInfinity, toleranceAfter: MediaTime = .positiveInfinity
  ) async -> SeekResult {
    await withCheckedContinuation { continuation in
      seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Drops the waiting seek, whose result is `.superseded`, and the steps after it; a seek in flight still finishes.
  ///
  /// A seek waits until the decoder sets out for it. A seek requested just now is therefore usually dropped, even if no other
  /// is before it; its result tells.
  public func cancelPendingSeeks() { update { core, now in core.cancelPendingSeeks(at: now) } }

  /// Pauses and moves by whole frames, backwards if negative; stops at the first and last frame.
  ///
  /// If the clip has been indexed, any number of frames is one move. If it has not and no output has a request, steps wait
  /// until one does. Does nothing before the item is ready.
  ///
  /// - Parameter count: the number of frames, in display order.
  public func step(byCount count: Int) { update { core, now in core.step(by: count, at: now) } }

  /// Returns the display time of a frame by its zero-based number.
  ///
  /// Exact if the clip has been indexed. Otherwise a time in the middle of the frame, estimated from the nominal frame
  /// rate, which is known before the item is ready if its asset's facts are loaded.
  ///
  /// - Parameter number: negative numbers count as 0; if all frames are known, numbers past the end count as the last.
  /// - Returns: media time; nil if neither index nor frame rate is known.
  public func time(ofFrame number: Int) -> MediaTime? {
    if let timeline = frameIndex?.timeline, let time = timeline.time(ofFrame: timeline.clamped(frame: number)) { return time }
    guard let rate = currentItem?.frameRate, rate > 0 else { return nil }
    return MediaTime(seconds: (Double(max(0, number)) + 0.5) / rate, preferredTimescale: 1_000_000)
  }

  /// Returns the timing of the frame on display at a media time, if it is the current frame or is in the index; nil for
  /// other times and those outside the clip.
  public func timing(at time: MediaTime) -> FrameTiming? {
    func holds(_ timing: FrameTiming) -> Bool { timing.pts <= time && time < timing.end }
    if let timing = displayedTiming, holds(timing) { return timing }
    return frameIndex?.timeline?.timing(at: time).flatMap { holds($0) ? $0 : nil }
  }

  /// True if a seek is in flight or waiting.
  public var isSeeking: Bool { read { core, _ in core.seeks.isUnderWay } }

  /// True if steps wait for their frames, or for a seek before them; `currentTime()` does not include them yet.
  public var isStepping: Bool { read { core, _ in core.seeks.pendingSteps != 0 } }

  /// True while seeks follow each other less than 0.3 s apart, up to 0.3 s after the latest. Frames near the targets are
  /// then shown too.
  public var isScrubbing: Bool { read { core, host in core.seeks.isScrubbing(at: host) } }
}
