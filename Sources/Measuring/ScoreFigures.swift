/// The figures of a clip in one metric.
package struct ScoreFigures: Hashable, Sendable {
  package let summary: ScoreSummary
  /// The number of frames with a partner, measured or not.
  package let matchedCount: Int

  init?(_ metric: Metric, _ pairs: [PairScore], matchedCount: Int) {
    guard let summary = ScoreSummary(metric, pairs) else { return nil }
    self.summary = summary
    self.matchedCount = matchedCount
  }
}
