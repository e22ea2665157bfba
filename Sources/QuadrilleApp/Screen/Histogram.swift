import Glibc

/// A histogram of values in bins, for percentiles in bounded memory.
struct Histogram {
  private enum Scale { case linear, logarithmic }

  private let scale: Scale
  private let binsPerUnit: Double
  private var counts: [Int]
  private var total = 0

  /// Bins of equal width for values from 0 to `most`; larger values count as `most`.
  init(binsPerUnit: Double, most: Double) {
    scale = .linear
    self.binsPerUnit = binsPerUnit
    counts = Array(repeating: 0, count: Int(most * binsPerUnit) + 1)
  }

  /// For sizes up to a terabyte, in bins of about a hundredth of their value.
  static let ofSizes = Histogram(binsPerOctave: 64, octaves: 40)

  private init(binsPerOctave: Double, octaves: Int) {
    scale = .logarithmic
    binsPerUnit = binsPerOctave
    counts = Array(repeating: 0, count: octaves * Int(binsPerOctave) + 1)
  }

  mutating func add(_ value: Double) {
    let place = scale == .linear ? value : log2(max(1, value))
    counts[min(max(0, Int(place * binsPerUnit)), counts.count - 1)] += 1
    total += 1
  }

  /// The value at a percentile, as the lower bound of its bin; nil if empty.
  func percentile(_ percent: Double) -> Double? {
    guard total > 0 else { return nil }
    var left = Int(Double(total - 1) * percent / 100)
    guard let bin = counts.firstIndex(where: { left -= $0; return left < 0 }) else { return nil }
    let place = Double(bin) / binsPerUnit
    return scale == .linear ? place : exp2(place)
  }
}
