import Glibc

/// One metric over all matched frames.
public struct ScoreSummary: Hashable, Sendable {
  public let metric: Metric
  /// Number of frames measured.
  public let count: Int
  /// PSNR is that of the mean squared error; others are means of the frames' figures.
  public let mean: Double
  /// The harmonic mean of the frames' figures, n / Σ 1/(figure + 1) − 1, as in VMAF's tools.
  public let harmonicMean: Double
  /// The figures that 1 and 5 % of the frames do not reach.
  public let percentile1: Double
  public let percentile5: Double
  /// The worst frames, worst first.
  public let worst: [PairScore]

  /// The number of worst frames listed.
  public static let worstCount = 20

  /// - Returns: nil if nothing was measured.
  public init?(_ metric: Metric, _ pairs: [PairScore]) {
    let measured = pairs.compactMap { pair in pair[metric].map { (pair: pair, value: $0) } }
    guard !measured.isEmpty else { return nil }
    self.metric = metric
    count = measured.count
    let sorted = measured.sorted { $0.value < $1.value }
    percentile1 = Self.percentile(0.01, sorted.map(\.value))
    percentile5 = Self.percentile(0.05, sorted.map(\.value))
    worst = sorted.prefix(Self.worstCount).map(\.pair)
    let total = Double(count)
    harmonicMean = total / measured.reduce(0) { $0 + 1 / ($1.value + 1) } - 1
    switch metric {
    case .psnr: mean = -10 * log10(measured.reduce(0) { $0 + ($1.pair.squaredError ?? 0) } / total)
    case .ssim, .multiScaleSSIM, .vmaf: mean = measured.reduce(0) { $0 + $1.value } / total
    // As for PSNR, from the mean of roots of weighted errors.
    case .xpsnr: mean = -20 * log10(measured.reduce(0) { $0 + pow(10, -$1.value / 20) } / total)
    }
  }

  /// The nearest rank.
  private static func percentile(_ share: Double, _ sorted: [Double]) -> Double {
    sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
  }

  /// A figure by its name on the command line: mean, harmonic, p1, p5, worst.
  public subscript(name: String) -> Double? {
    switch name {
    case "mean": mean
    case "harmonic": harmonicMean
    case "p1": percentile1
    case "p5": percentile5
    case "worst": worst.first?[metric]
    default: nil
    }
  }

  public static let names = ["mean", "harmonic", "p1", "p5", "worst"]
}
