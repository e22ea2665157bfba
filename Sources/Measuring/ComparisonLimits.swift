import Alignment

/// Conditions that a comparison has to meet, for scripts.
public struct ComparisonLimits: Hashable, Sendable {
  /// A figure that has to be reached.
  public struct Limit: Hashable, Sendable, LosslessStringConvertible {
    public let figure: String
    public let metric: Metric
    public let value: Double

    public var description: String { "\(figure):\(metric.rawValue)=\(value)" }

    /// Parses "ssim=0.98" or "p1:psnr=30".
    public init?(_ text: String) {
      let sides = text.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, let value = Double(sides[1]), value.isFinite else { return nil }
      let names = sides[0].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard names.count <= 2, let metric = Metric(rawValue: names[names.count - 1]) else { return nil }
      let figure = names.count == 2 ? names[0] : "mean"
      guard ScoreSummary.names.contains(figure) else { return nil }
      (self.figure, self.metric, self.value) = (figure, metric, value)
    }
  }

  /// A finding of the alignment.
  public enum Finding: String, CaseIterable, Hashable, Sendable {
    case dropped, repeated, inserted, removed, frozen, swapped, offset, unrelated
  }

  public var limits: [Limit] = []
  public var findings: Set<Finding> = []

  public init() {}

  /// The metrics that have to be measured.
  public var metrics: Set<Metric> { Set(limits.map(\.metric)) }

  /// Returns the reasons for which a comparison fails, in words; none if it passes.
  func failures(of comparison: some JudgedComparison) -> [String] {
    var reasons: [String] = []
    for limit in limits {
      guard let value = comparison.figure(limit.figure, of: limit.metric) else {
        reasons.append("\(limit.metric.rawValue) was not measured")
        continue
      }
      if !(value >= limit.value) { reasons.append("\(limit.figure) \(limit.metric.rawValue) is \(ComparisonText.number(value)), below \(ComparisonText.number(limit.value))") }
    }
    for finding in Finding.allCases where findings.contains(finding) {
      switch finding {
      case .offset:
        if let first = comparison.firstPair, first.candidate != first.reference {
          reasons.append("candidate frame \(first.candidate) is reference frame \(first.reference)")
        }
      case .unrelated:
        if comparison.isUnrelated { reasons.append("the clips are unrelated") }
      default:
        let count = AlignmentEvent.Kind(rawValue: finding.rawValue).map(comparison.sureEvents) ?? 0
        if count > 0 { reasons.append("frames were \(finding.rawValue) in \(count) place\(count == 1 ? "" : "s")") }
      }
    }
    return reasons
  }
}

/// The findings that limits concern, at hand or from an earlier run.
protocol JudgedComparison {
  var isUnrelated: Bool { get }
  /// The first frames that belong together; nil if none do.
  var firstPair: (candidate: Int, reference: Int)? { get }

  /// The number of events of a kind that are sure.
  func sureEvents(_ kind: AlignmentEvent.Kind) -> Int

  /// A figure by its name in `ScoreSummary.names`; nil if it was not measured.
  func figure(_ name: String, of metric: Metric) -> Double?
}

extension ClipComparison: JudgedComparison {
  var isUnrelated: Bool { map.verdict == .unrelated }

  func sureEvents(_ kind: AlignmentEvent.Kind) -> Int { map.events.count { $0.isSure && $0.kind == kind } }

  func figure(_ name: String, of metric: Metric) -> Double? { ScoreSummary(metric, pairs)?[name] }
}
