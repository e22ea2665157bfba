/// Matched frames of a comparison to look at.
public enum FrameSelection: Hashable, Sendable, LosslessStringConvertible {
  /// Those with the lowest figures of the first metric, the worst first.
  case worst(Int)
  /// Every n-th frame of the reference that has a partner.
  case every(Int)
  /// Frames of the reference by their numbers, if they have a partner.
  case list([Int])

  /// Parses "worst:10", "every:500" or "12,340".
  public init?(_ text: String) {
    let sides = text.split(separator: ":", omittingEmptySubsequences: false)
    if sides.count == 2 {
      guard let number = Int(sides[1]), number > 0 else { return nil }
      switch sides[0] {
      case "worst" where number <= ScoreSummary.worstCount: self = .worst(number)
      case "every": self = .every(number)
      default: return nil
      }
    } else {
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard !numbers.isEmpty, numbers.allSatisfy({ $0.map { $0 >= 0 } ?? false }) else { return nil }
      self = .list(numbers.compactMap { $0 })
    }
  }

  public var description: String {
    switch self {
    case .worst(let count): "worst:\(count)"
    case .every(let count): "every:\(count)"
    case .list(let numbers): numbers.map(String.init).joined(separator: ",")
    }
  }

  /// The pairs, by the numbers of their frames.
  public func pairs(in comparison: ClipComparison) -> [(candidate: Int, reference: Int)] {
    switch self {
    case .worst(let count):
      let worst = comparison.metrics.first.flatMap { ScoreSummary($0, comparison.pairs) }?.worst ?? []
      return worst.prefix(count).map { ($0.candidate, $0.reference) }
    case .every(let step): return pairs(comparison) { $0 % step == 0 }
    case .list(let numbers):
      let wanted = Set(numbers)
      return pairs(comparison, where: wanted.contains)
    }
  }

  /// The first candidate frame for each reference frame.
  private func pairs(_ comparison: ClipComparison, where isWanted: (Int) -> Bool) -> [(candidate: Int, reference: Int)] {
    comparison.map.candidatesByReference().enumerated().compactMap { reference, candidates in
      isWanted(reference) ? candidates.first.map { ($0, reference) } : nil
    }
  }
}
