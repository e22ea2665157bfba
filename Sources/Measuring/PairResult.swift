import Alignment
import FoundationEssentials
import Playback

/// The result of one of many comparisons, a line of JSON.
public struct PairResult: Codable, Hashable, Sendable {
  /// The figures of one metric.
  public struct Figures: Codable, Hashable, Sendable {
    public let frames: Int
    public let mean, harmonicMean, p1, p5, worst: Double
    /// The candidate's frame with the lowest figure.
    public let worstFrame: Int
  }

  public let id: String
  public let reference: String
  public let candidate: String
  /// The reason why there is no comparison.
  public let error: String?
  public let verdict: AlignmentMap.Verdict?
  public let offset: Double?
  public let rate: Double?
  /// The candidate's frames, those with a partner, and those for which that is sure.
  public let frames, matched, sure: Int?
  /// The number of events of each kind, and of those that are sure.
  public let events: [String: Int]?
  public let sureEvents: [String: Int]?
  /// The first frames that belong together.
  public let first: SyncPoint?
  public let metrics: [String: Figures]?
  /// The options that decide what a result tells; lines of earlier versions have none.
  public let method: ComparisonMethod?
  /// The reasons for which the pair fails.
  public private(set) var failures: [String]
  public let seconds: Double

  public init(_ pair: PairList.Pair, _ outcome: ComparisonOutcome) {
    (id, reference, candidate) = (pair.id, outcome.reference, outcome.candidate)
    (failures, seconds) = (outcome.failures, (outcome.seconds * 1000).rounded() / 1000)
    guard let comparison = outcome.comparison else {
      error = outcome.failures.first ?? "cannot be compared"
      (verdict, offset, rate, frames, matched, sure, events, metrics) = (nil, nil, nil, nil, nil, nil, nil, nil)
      (sureEvents, first, method) = (nil, nil, nil)
      return
    }
    error = nil
    let map = comparison.map
    (verdict, offset, rate) = (map.verdict, map.offset, map.rate)
    (frames, matched) = (map.frames.count, map.pairCount)
    sure = map.frames.count { $0.reference != nil && $0.isSure }
    events = Dictionary(grouping: map.events, by: \.kind.rawValue).mapValues(\.count)
    sureEvents = Dictionary(grouping: map.events.filter(\.isSure), by: \.kind.rawValue).mapValues(\.count)
    first = comparison.firstPair.map { SyncPoint(reference: $0.reference, candidate: $0.candidate) }
    method = comparison.method
    let figures = comparison.metrics.compactMap { metric in
      ScoreSummary(metric, comparison.pairs).map { summary in
        (
          metric.rawValue,
          Figures(
            frames: summary.count, mean: summary.mean, harmonicMean: summary.harmonicMean, p1: summary.percentile1,
            p5: summary.percentile5, worst: summary["worst"] ?? .nan, worstFrame: summary.worst.first?.candidate ?? 0)
        )
      }
    }
    metrics = Dictionary(figures, uniquingKeysWith: { first, _ in first })
  }

  /// Returns true if the result tells all that another comparison of the pair would.
  public func covers(_ pair: PairList.Pair, _ options: ClipComparison.Options) -> Bool {
    guard error == nil, let method, let points = try? options.syncPoints(reference: pair.reference, candidate: pair.candidate)
    else { return false }
    return [reference, candidate] == [pair.reference, pair.candidate].map(WebAddress.withoutCredentials)
      && method.aligns == options.aligns && method.syncPoints == points
      && options.metrics.allSatisfy(method.metrics.contains)
  }

  /// Returns the result as other limits judge it.
  public func judged(by limits: ComparisonLimits) -> PairResult {
    var result = self
    if error == nil { result.failures = limits.failures(of: self) }
    return result
  }

  /// The result as a line, with its end.
  public func line() throws -> [UInt8] { try ClipComparison.encode(self) + [UInt8(ascii: "\n")] }

  /// Returns the results in a file's lines; those that are incomplete, as after a crash, are skipped.
  public static func results(in bytes: [UInt8]) -> [PairResult] {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? decoder.decode(PairResult.self, from: Data($0)) }
  }

  /// Merges results of several files: the last of each pair counts, unless only it has failed. The worst come first: pairs that could
  /// not be compared, then those that fail, then by the mean of a metric.
  public static func merged(_ results: [PairResult]) -> [PairResult] {
    var latest: [String: PairResult] = [:]
    for result in results where result.error == nil || latest[result.id] == nil { latest[result.id] = result }
    let order = ["vmaf", "ssim", "ms-ssim", "psnr", "xpsnr"]
    let metric = order.first { name in latest.values.contains { $0.metrics?[name] != nil } }
    func rank(_ result: PairResult) -> (Int, Double, String) {
      let group = result.error != nil ? 0 : !result.failures.isEmpty ? 1 : 2
      return (group, metric.flatMap { result.metrics?[$0]?.mean } ?? -.infinity, result.id)
    }
    return latest.values.sorted { rank($0) < rank($1) }
  }
}

extension PairResult: JudgedComparison {
  var isUnrelated: Bool { verdict == .unrelated }
  var firstPair: (candidate: Int, reference: Int)? { first.map { ($0.candidate, $0.reference) } }

  func sureEvents(_ kind: AlignmentEvent.Kind) -> Int { sureEvents?[kind.rawValue] ?? 0 }

  func figure(_ name: String, of metric: Metric) -> Double? {
    guard let figures = metrics?[metric.rawValue] else { return nil }
    return switch name {
    case "mean": figures.mean
    case "harmonic": figures.harmonicMean
    case "p1": figures.p1
    case "p5": figures.p5
    case "worst": figures.worst
    default: nil
    }
  }
}
