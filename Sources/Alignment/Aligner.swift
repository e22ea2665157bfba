/// Finds for every frame of a candidate its frame of a reference.
public enum Aligner {
  /// Clips of fewer frames cannot be aligned by what moves.
  public static let fewestFrames = 8

  /// Aligns two clips by their signatures. The same signatures and priors give the same map.
  ///
  /// - Parameters:
  ///   - progress: Called now and then with the share that is done.
  ///   - isCancelled: Asked now and then.
  /// - Throws: `CancellationError` if `isCancelled` returns true.
  public static func align(
    reference: SignatureSequence, candidate: SignatureSequence, priors: AlignmentPriors = AlignmentPriors(),
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws -> AlignmentMap {
    var reference = reference, candidate = candidate
    if reference.grid != candidate.grid {
      reference.coarsen()
      candidate.coarsen()
    }
    let pair = PairAligner(
      reference: reference, candidate: candidate,
      rates: priors.rates ?? rates(reference.usualFrameRate, candidate.usualFrameRate, priors.syncPoints),
      syncPoints: priors.syncPoints)
    return try withoutActuallyEscaping(progress) { progress in
      try withoutActuallyEscaping(isCancelled) { isCancelled in
        let supervision = PairAligner.Supervision(progress: progress, isCancelled: isCancelled)
        return LongAligner.isLong(reference.count, candidate.count)
          ? try LongAligner(pair).map(supervision) : try pair.map(supervision)
      }
    }
  }

  /// As sync points lie, frame for frame, and time for time; without frame rates, every frame doubled and every second one gone.
  /// The first one is preferred where little moves.
  private static func rates(_ reference: Double, _ candidate: Double, _ points: [SyncPoint]) -> [Double] {
    func others(_ rates: [Double]) -> [Double] { rates.filter { $0 > 0.3 && $0 < 3.4 && abs($0 - 1) > 0.015 } }
    return others([rate(points)].compactMap { $0 }) + [1]
      + others(reference > 0 && candidate > 0 ? [reference / candidate] : [0.5, 2])
  }

  /// The rate from the first to the last of the points; nil if they are too near each other to tell.
  private static func rate(_ points: [SyncPoint]) -> Double? {
    guard let first = points.min(by: { $0.candidate < $1.candidate }), let last = points.max(by: { $0.candidate < $1.candidate }),
      last.candidate - first.candidate >= fewestFrames
    else { return nil }
    return Double(last.reference - first.reference) / Double(last.candidate - first.candidate)
  }
}

/// Knowledge from before the pictures are compared.
public struct AlignmentPriors: Hashable, Sendable {
  /// Pairs of frames that belong together.
  public var syncPoints: [SyncPoint]
  /// The rates to try, in reference frames for each candidate frame; nil for those that the clips' frame rates suggest.
  public var rates: [Double]?

  public init(syncPoints: [SyncPoint] = [], rates: [Double]? = nil) {
    self.syncPoints = syncPoints
    self.rates = rates
  }
}
