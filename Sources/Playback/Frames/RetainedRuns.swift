import Libav

/// Decoding runs retained when seeks left them, the most recent last.
struct RetainedRuns {
  private var runs: [DecodingRun] = []
  /// The memory limit for retained decoders, in bytes.
  var maxBytes = 0

  /// Estimated memory of their decoders, in bytes.
  var byteCount: Int { runs.reduce(0) { $0 + $1.byteCount } }

  mutating func removeAll() { runs = [] }

  /// Releases the oldest runs until the others fit.
  ///
  /// - Returns: one of their decoders, if any.
  @discardableResult mutating func trim() -> Decoder? {
    var free: Decoder?
    while let oldest = runs.first, byteCount > maxBytes {
      free = oldest.decoder
      runs.removeFirst()
    }
    return free
  }

  /// Retains a run, if it is worth it and fits.
  ///
  /// - Returns: a decoder that is now free; nil if there is none.
  mutating func retain(_ run: DecodingRun) -> Decoder? {
    guard run.isWorthRetaining, run.byteCount <= maxBytes else { return run.decoder }
    // One run per starting point is enough.
    if let other = runs.firstIndex(where: { $0.start == run.start }) {
      if runs[other].isAhead(of: run) { return run.decoder }
      runs.remove(at: other)
    }
    runs.append(run)
    return trim()
  }

  /// Takes the run, current or retained, that reaches the frame of packet `target` soonest. Nil if none reaches it sooner
  /// than a run from `start`.
  mutating func take(
    orKeep current: DecodingRun, to target: Int, ratherThanFrom start: Int, mustBeCertain: Bool
  ) -> DecodingRun? {
    let leading = ([current] + runs).filter {
      $0.leads(to: target, ratherThanFrom: start, mustBeCertain: mustBeCertain)
    }
    guard let best = leading.max(by: { $1.isAhead(of: $0) }) else { return nil }
    runs.removeAll { $0.decoder === best.decoder }
    return best
  }
}
