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

  /// Returns the reasons for which a comparison fails, in words; none if it passes.
  public func failures(of comparison: ClipComparison) -> [String] {
    var reasons: [String] = []
    for limit in limits {
      guard let summary = ScoreSummary(limit.metric, comparison.pairs), let value = summary[limit.figure] else {
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
        if comparison.map.verdict == .unrelated { reasons.append("the clips are unrelated") }
      default:
        let count = comparison.map.events.count { $0.isSure && $0.kind.rawValue == finding.rawValue }
        if count > 0 { reasons.append("frames were \(finding.rawValue) in \(count) place\(count == 1 ? "" : "s")") }
      }
    }
    return reasons
  }
}
