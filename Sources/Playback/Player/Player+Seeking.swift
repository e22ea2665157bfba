extension Player {
  // MARK: - Seeking

  /// Goes to `time`; while one seek is in flight only the newest further target waits (QA1820), and where targets follow each
  /// other quickly the one in flight may be given up for it (`.superseded`).
  ///
  /// The frame shown afterwards is on display at some time in `time` − before … `time` + after; zero
  /// tolerances are exact. Targets outside the item are brought inside; before the item is ready the seek waits. A seek to a
  /// cached frame, with none in flight, has landed on return: while playing only where enough is cached behind it to play on until
  /// the source is there. Without an item nothing happens, and the answer is `.superseded`.
  ///
  /// - Parameters:
  ///   - time: media time; what is no number counts as zero, +∞ as the end.
  ///   - toleranceBefore: how much earlier the frame may be shown; below zero counts as zero. +∞, the default, takes what
  ///     is cheap.
  ///   - toleranceAfter: how much later, likewise.
  ///   - completion: called exactly once, from any thread, in the order of asking; never two at once.
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime = .positiveInfinity,
    toleranceAfter: MediaTime = .positiveInfinity,
    completion: (@Sendable (SeekResult) -> Void)? = nil
  ) {
    pool.scrubbing.extend(to: UInt64(max(0, clock.now + SeekQueue.movingPause)))
    update { core, now in
      core.requestSeek(
        SeekRequest(
          target: time, before: max(.zero, toleranceBefore), after: max(.zero, toleranceAfter),
          askedAt: now, completion: completion), at: now)
    }
  }

  /// Goes to `time`, as the other `seek` does, and returns once that has ended, with how it did.
  ///
  /// When it has landed an output gives the frame. Cancelling the task does not end the seek; `cancelPendingSeeks()` does.
  public func seek(
    to time: MediaTime, toleranceBefore: MediaTime, toleranceAfter: MediaTime
  ) async -> SeekResult {
    await withCheckedContinuation { continuation in
      seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Drops a target that waits, whose answer is `.superseded`, and the steps behind it; a seek in flight still lands.
  public func cancelPendingSeeks() { update { core, now in core.cancelPendingSeeks(at: now) } }

  /// Moves by whole frames, pausing first; negative goes back.
  ///
  /// However many, it is one move where the clip has been indexed. Stops at the first and the last frame. While no output has a
  /// request, a clip that has not been indexed takes them once one has. Does nothing before the item is ready.
  ///
  /// - Parameter count: frames, in the order in which they are shown.
  public func step(byCount count: Int) { update { core, now in core.step(by: count, at: now) } }

  /// When frame `number` (zero-based) is shown: exactly where the clip has been indexed, else a time in its
  /// middle, worked out from the nominal frame rate, which is known before the item is ready where its asset's facts are loaded.
  ///
  /// - Parameter number: one below 0 counts as 0; one past the end as the last, where all frames are known.
  /// - Returns: media time; nil when neither is known.
  public func time(ofFrame number: Int) -> MediaTime? {
    if let timeline = frameIndex?.timeline, let time = timeline.time(ofFrame: timeline.clamped(frame: number)) { return time }
    guard let rate = currentItem?.frameRate, rate > 0 else { return nil }
    return MediaTime(seconds: (Double(max(0, number)) + 0.5) / rate, preferredTimescale: 1_000_000)
  }

  /// The frame that is on display at a media time, where that is known: the one that is displayed now, or one that the
  /// index tells of; nil for other times, and for those outside the clip.
  public func timing(at time: MediaTime) -> FrameTiming? {
    func holds(_ timing: FrameTiming) -> Bool { timing.pts <= time && time < timing.end }
    if let timing = displayedTiming, holds(timing) { return timing }
    return frameIndex?.timeline?.timing(at: time).flatMap { holds($0) ? $0 : nil }
  }

  /// Whether a seek has not landed yet, or waits for another one.
  public var isSeeking: Bool { read { core, _ in core.seeks.isUnderWay } }

  /// Whether steps wait for the frames to which they lead, or for a seek before them; `currentTime()` does not count them yet.
  public var isStepping: Bool { read { core, _ in core.seeks.pendingSteps != 0 } }

  /// Whether a hand scrubs: seeks have come less than 0.3 s apart, the latest one less than 0.3 s ago. Frames near the places
  /// are shown then, too.
  public var isScrubbing: Bool { read { core, host in core.seeks.isScrubbing(at: host) } }
}
