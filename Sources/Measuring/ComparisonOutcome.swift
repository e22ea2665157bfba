import Playback

/// The outcome of the comparison of one candidate with a reference.
public struct ComparisonOutcome: Sendable {
  public let reference: String
  public let candidate: String
  /// The names to open the clips by, which may contain credentials.
  public let locations: (reference: String, candidate: String)
  /// The message of a failure names the clip.
  public let result: Result<ClipComparison, PlaybackError>
  /// The reasons for which it fails, in words.
  public let failures: [String]
  /// The duration of the work in seconds.
  public let seconds: Double

  /// - Parameters:
  ///   - reference: a name as given; credentials are left out.
  ///   - candidate: likewise.
  public init(
    reference: String, candidate: String, result: Result<ClipComparison, PlaybackError>, limits: ComparisonLimits, seconds: Double
  ) {
    (self.reference, self.candidate) = (WebAddress.withoutCredentials(reference), WebAddress.withoutCredentials(candidate))
    locations = (reference, candidate)
    self.result = result
    self.seconds = seconds
    switch result {
    case .success(let comparison): failures = limits.failures(of: comparison)
    case .failure(let error): failures = [error.message]
    }
  }

  public var comparison: ClipComparison? { try? result.get() }

  /// Compares a candidate with one of several references: the one that has the most frames in common with it.
  ///
  /// A clip that cannot be read is an outcome; blocks until done.
  public static func best(
    references: [String], candidate: String, options: ClipComparison.Options, limits: ComparisonLimits,
    progress: @escaping @Sendable (ClipComparison.Stage, _ done: Int, _ total: Int) -> Void
  ) -> ComparisonOutcome {
    let outcomes = references.map { reference in
      let begin = ContinuousClock.now
      let result: Result<ClipComparison, PlaybackError>
      do {
        result = .success(try ClipComparison.compare(reference: reference, candidate: candidate, options: options, progress: progress))
      } catch {
        let (clip, reason) =
          (error as? ComparisonError).map { ($0.path, $0.error) }
          ?? (candidate, error as? PlaybackError ?? PlaybackError(.system, "\(error)"))
        result = .failure(PlaybackError(reason.reason, reason.message(naming: WebAddress.withoutCredentials(clip))))
      }
      return ComparisonOutcome(
        reference: reference, candidate: candidate, result: result, limits: limits, seconds: (ContinuousClock.now - begin) / .seconds(1))
    }
    func rank(_ outcome: ComparisonOutcome) -> (Int, Int) {
      (outcome.failures.isEmpty ? 1 : 0, outcome.comparison.map { $0.map.verdict == .unrelated ? 0 : $0.map.pairCount } ?? -1)
    }
    return outcomes.dropFirst().reduce(outcomes[0]) { rank($1) > rank($0) ? $1 : $0 }
  }
}
