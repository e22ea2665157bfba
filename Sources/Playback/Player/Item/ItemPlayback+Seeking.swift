/// Seeks: the way of the source to a target, what is shown on it, and where a seek lands.
extension ItemPlayback {
  /// Cancels everything decided for the old position.
  mutating func prepareForSeek() {
    passes.rejoin()
    check.dropRefresh()
  }

  /// Leaves the old position for a target; returns the search for it.
  ///
  /// - Parameter mayDecodeOn: true if the source may reach it from where it is.
  mutating func prepareSearch(for request: SeekRequest, mayDecodeOn: Bool) -> TargetSearch {
    var search = TargetSearch(.seek, to: request.target, before: request.before, after: request.after)
    if mayDecodeOn, let last = decode.last, comesSoon(after: last, to: request.target) { search.decodeOn(from: last) }
    cache.moveCenter(to: request.target)
    cacheQueue()
    fill.forgetLookAhead()
    // Without the index, the source guesses where decoding can start.
    if timeline == nil { search.guessStart() }
    return search
  }

  /// Restarts a search if the index, which has arrived meanwhile, has a nearer start than the latest frame.
  ///
  /// - Returns: true if it did.
  mutating func shortenSearch(_ search: TargetSearch, from timing: FrameTiming) -> Bool {
    guard search.startIsGuessed, let timeline, search.target < timeline.end,
      !timeline.leadsOn(from: timing.pts, to: search.target)
    else { return false }
    begin(search.anew, pass: passes.decoded)
    return true
  }

  /// Takes the frame on display at `target`, and those before it, from the waiting frames.
  mutating func takeWaiting(holding target: MediaTime) -> PresentationQueue.Waiting? {
    let waiting = presentation.waiting
    for (i, entry) in waiting.enumerated() where entry.pass == passes.played {
      // Unless skipped frames may have followed.
      let isLast = i == waiting.count - 1 && decode.end == .source && !decode.mayLackFrames
      guard let end = entry.successor ?? (isLast ? .positiveInfinity : nil) else { break }
      guard entry.timing.pts <= target && target < end else { continue }
      guard cache.isCurrent(entry.frame) else { return nil }
      presentation.removeFirst(i + 1)
      return entry
    }
    return nil
  }

  /// Returns the time at which a seek lands with a frame: an exact one at the requested time, a tolerant one at its frame's.
  func landing(of request: SeekRequest, on timing: FrameTiming) -> MediaTime {
    let holds = timing.pts <= request.target && (request.target < timing.end || request.isExact)
    return holds ? max(timing.pts, clamped(request.target)) : timing.pts
  }

  // MARK: - Previews

  /// Returns the number of frames to the target of a search, as far as can be foreseen.
  func framesLeft(of search: TargetSearch, from timing: FrameTiming) -> Double {
    if let timeline, let target = timeline.knownFrame(at: search.target) {
      return Double(target - timeline.frameNumber(at: timing.pts))
    }
    return timing.frameCount(in: (search.target - timing.pts).seconds)
  }

  /// Returns the cached frame nearest to the target, unless decoding would start nearer.
  func cachedPreview(for target: MediaTime) -> ScaledFrames? {
    guard let (frame, distance) = nearestCached(to: target), let timeline, let number = timeline.knownFrame(at: target),
      let start = timeline.time(ofFrame: timeline.randomAccessFrame(for: number)),
      distance <= (target - start).seconds
    else { return nil }
    return frame
  }

  /// Returns true if a frame is cached that is nearer to the target than one that is passed by.
  func cachesNearer(than timing: FrameTiming, to target: MediaTime) -> Bool {
    nearestCached(to: target).map { $0.distance < abs((timing.pts - target).seconds) } ?? false
  }

  /// Returns the cached frame that starts nearest to a time, and its distance in seconds.
  private func nearestCached(to time: MediaTime) -> (frame: ScaledFrames, distance: Double)? {
    guard let frame = cache.entry(nearest: time)?.frame else { return nil }
    return (frame, abs((frame.timing.pts - time).seconds))
  }
}
