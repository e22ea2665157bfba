/// The item's bounds, and how near the clock is to them.
extension ItemPlayback {
  /// Returns where playback starts, turns and ends.
  func bounds(_ clock: ClockView) -> PlayBounds {
    PlayBounds(clock, duration, lastTime: lastTime, newestEnd: newestEnd)
  }

  /// Returns true if a frame lies after the end of an A–B loop.
  func isPastRange(_ timing: FrameTiming, _ clock: ClockView) -> Bool { bounds(clock).isPastRange(timing) }

  /// Returns true if the last frame before the end of the item is still to be decoded, for outputs that wait for it.
  func lacksFrames(before end: Int64, _ clock: ClockView) -> Bool {
    guard clock.pacing == .clock, isReady, newestEnd ?? .min < end else { return false }
    // After a second attempt, there is nothing more to come.
    return decode.isStreaming || decode.isOnTheWay || check.refresh != nil || check.checkedAt != clock.timebase.anchorMedia
  }

  /// Returns true if the clock, which waits at the end for the last frames, has nothing left to wait for.
  func isDoneWaiting(_ clock: ClockView) -> Bool {
    let place = clock.timebase.anchorMedia
    return bounds(clock).waitingEnd == nil && duration.knownEnd.map { $0 > place || !lacksFrames(before: $0, clock) } ?? true
  }

  /// Looks again, once, for frames that were skipped before the end, or that a change of outputs left out.
  mutating func lookForLastFrames(_ clock: ClockView) {
    let place = clock.timebase.anchorMedia
    guard !decode.isStreaming, !decode.isOnTheWay, check.refresh == nil, check.checkedAt != place else { return }
    check.didCheck(at: place)
    check.wantRefresh()
    wake(.lane)
  }

  /// The time in nanoseconds before its start at which the next item is opened: enough for a slow disk.
  private static let openingTime: HostTime = 10_000_000_000

  /// Returns true if it is time to open the next item; if the end is unknown, it may come at any time.
  func isEndNear(_ clock: ClockView, at host: HostTime) -> Bool {
    let ends = [bounds(clock).end, duration.expectedEnd].compactMap { $0 }
    guard let end = ends.min(), let endHost = clock.timebase.host(for: end) else { return true }
    return endHost - host <= Self.openingTime
  }
}
