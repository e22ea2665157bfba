/// One metric of a candidate's frames, as far as they have been measured: a value.
package struct ScoreTable: Hashable, Sendable {
  package let metric: Metric
  /// The reference frame of each candidate frame; nil without a partner.
  package let partners: [Int?]
  /// The candidate's frames' times in nanoseconds.
  private let times: [Int64]
  /// The figure of each frame, or the squared error for PSNR; NaN if it has not been measured.
  package private(set) var values: [Double]
  /// The number of frames with a partner.
  package let matchedCount: Int
  /// The number of frames measured.
  package private(set) var measuredCount: Int

  package init(_ metric: Metric, _ clip: AlignedClip, values: [Double]? = nil) {
    self.metric = metric
    partners = clip.candidate.numbers
    times = clip.candidate.times
    let count = clip.candidate.times.count
    let values = values.flatMap { $0.count == count ? $0 : nil } ?? [Double](repeating: .nan, count: count)
    // Only frames with a partner have a value.
    let own = zip(values, clip.candidate.numbers).map { $1 == nil ? .nan : $0 }
    self.values = own
    matchedCount = clip.candidate.numbers.count { $0 != nil }
    measuredCount = own.count { !$0.isNaN }
  }

  package var isComplete: Bool { measuredCount == matchedCount }

  /// The first frame to measure at or after another one, or else from the beginning; nil if all are.
  package func next(from frame: Int) -> Int? {
    func isLeft(_ index: Int) -> Bool { values[index].isNaN && partners[index] != nil }
    guard !isComplete, !values.isEmpty else { return nil }
    let start = min(max(0, frame), values.count - 1)
    return (start..<values.count).first(where: isLeft) ?? (0..<start).first(where: isLeft)
  }

  package mutating func set(_ value: Double, ofFrame frame: Int) {
    guard values.indices.contains(frame), partners[frame] != nil, !value.isNaN else { return }
    if values[frame].isNaN { measuredCount += 1 }
    values[frame] = value
  }

  /// The figures of a frame; nil if it has not been measured.
  package func pair(_ frame: Int) -> PairScore? {
    guard values.indices.contains(frame), !values[frame].isNaN, let reference = partners[frame] else { return nil }
    return PairScore(metric, values[frame], candidate: frame, reference: reference, time: Double(times[frame]) / 1e9)
  }

  /// The score of a frame; nil if it has not been measured.
  package func score(_ frame: Int) -> Double? { pair(frame)?[metric] }

  /// The figures of all frames measured so far; nil without any.
  package var figures: ScoreFigures? { ScoreFigures(metric, values.indices.compactMap(pair), matchedCount: matchedCount) }

  /// The frames with the worst score of those around, in their order, as far as they are worse than most.
  ///
  /// - Parameter radius: the number of frames on either side of which a frame is the worst.
  package func localWorst(radius: Int) -> [Int] {
    let scores = values.indices.map { score($0) ?? .infinity }
    let finite = scores.filter(\.isFinite).sorted()
    guard !finite.isEmpty else { return [] }
    let median = finite[finite.count / 2]
    // The indices of a falling run of scores: the first is the least of the window.
    var window: [Int] = [], head = 0, result: [Int] = []
    for index in 0..<scores.count + radius {
      if index < scores.count {
        while window.count > head, scores[window[window.count - 1]] > scores[index] { window.removeLast() }
        window.append(index)
      }
      let center = index - radius
      while head < window.count, window[head] < center - radius { head += 1 }
      if center >= 0, head < window.count, window[head] == center, scores[center] < median { result.append(center) }
      if head > 4096 {
        window.removeFirst(head)
        head = 0
      }
    }
    return result
  }
}

extension PairScore {
  /// The value kept for a metric, from which the clip's figure is computed.
  func value(of metric: Metric) -> Double? { metric == .psnr ? squaredError : self[metric] }

  fileprivate init(_ metric: Metric, _ value: Double, candidate: Int, reference: Int, time: Double) {
    self.init(candidate: candidate, reference: reference, time: time)
    switch metric {
    case .psnr: squaredError = value
    case .ssim: ssim = value
    case .multiScaleSSIM: multiScaleSSIM = value
    case .xpsnr: xpsnr = value
    case .vmaf: vmaf = value
    }
  }
}
