import Libav

/// Runs of decoding that stand where seeks to elsewhere have left them, the one left last at the end.
struct RetainedRuns {
  private var runs: [DecodingRun] = []
  /// The memory limit for retained decoders, in bytes.
  var maxBytes = 0

  /// About what their decoders take.
  var byteCount: Int { runs.reduce(0) { $0 + $1.byteCount } }

  mutating func removeAll() { runs = [] }

  /// Lets go of the oldest runs until the others have room.
  ///
  /// - Returns: a decoder of theirs, if there was one.
  @discardableResult mutating func trim() -> Decoder? {
    var free: Decoder?
    while let oldest = runs.first, byteCount > maxBytes {
      free = oldest.decoder
      runs.removeFirst()
    }
    return free
  }

  /// Keeps a run that is left, if that is worth it and there is room.
  ///
  /// - Returns: a decoder that is free now; nil where there is none.
  mutating func retain(_ run: DecodingRun) -> Decoder? {
    guard run.isWorthRetaining, run.byteCount <= maxBytes else { return run.decoder }
    // Of those from the same place one is enough.
    if let other = runs.firstIndex(where: { $0.start == run.start }) {
      if runs[other].isAhead(of: run) { return run.decoder }
      runs.remove(at: other)
    }
    runs.append(run)
    return trim()
  }

  /// Of the present run and the retained ones, the one that comes soonest by the frame of packet `target`; it is retained
  /// no more. Nil where none comes by it sooner than a run from `start`.
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
