import Glibc

/// State kept between updates: the λ for which the last one fitted, and the error of estimates.
struct RateControl {
  /// Weighted squared differences per byte.
  var lambda: Float = 200
  /// The number of updates that were planned as a whole.
  var turn = 0
  /// The slope of bytes over λ, both as logarithms.
  var slope: Float = 1
  /// Actual bytes per planned byte.
  private var factor: Float = 1
  /// Planned bytes for all rows per planned byte for some.
  private var allOfSome: Float = 4

  /// Returns the estimated bytes of the painter.
  func bytes(planned: Float) -> Float { planned * factor }

  /// Returns the estimated bytes of the painter for all rows, from some of them.
  func bytes(probed: Float) -> Float { probed * allOfSome * factor }

  /// Updates the ratio from planned bytes for some rows, and for all of them, at one λ.
  mutating func didProbe(some: Float, all: Float) {
    guard some > 64 else { return }
    allOfSome = allOfSome * 0.75 + 0.25 * min(max(all / some, 1), 16)
  }

  /// Updates the ratio from planned and actual bytes.
  mutating func didPaint(bytes: Int, planned: Float) {
    guard planned > 64 else { return }
    factor = factor * 0.75 + 0.25 * min(max(Float(bytes) / planned, 0.5), 1.5)
  }
}

/// Searches for the λ at which plans take a number of bytes: from the last one known, then between one that takes too many
/// and one that takes too few.
/// and one that takes too little.
struct LambdaSearch {
  private struct Sample {
    var lambda: Float
    var bytes: Float
  }

  private(set) var lambda: Float
  /// The assumed slope of bytes over λ.
  private let slope: Float
  /// The largest λ that took too many bytes, and the smallest that did not.
  private var over: Sample?
  private var under: Sample?

  static let range: ClosedRange<Float> = 0.01...1e7
  /// The maximum factor by which λ changes at a time.
  private static let stride: Float = 32

  init(from lambda: Float, slope: Float) {
    self.lambda = lambda
    self.slope = slope
  }

  /// The slope between the two λ tried; nil if they are too close to each other.
  var measuredSlope: Float? {
    guard let over, let under, under.lambda > 1.05 * over.lambda else { return nil }
    return min(max(logf(over.bytes / under.bytes) / logf(under.lambda / over.lambda), 0.4), 2)
  }

  /// Returns the best λ tried: the smallest one that fits, unless it leaves most bytes unused; then the largest that does
  /// not, of whose plan a part is painted. Nil if the current one is good.
  /// that does not, of whose plan a part is painted. Nil where the present one is good.
  func best(goal: Float) -> Float? {
    if isGood { return nil }
    if let under, under.bytes > goal * 0.5 { return under.lambda }
    return (over ?? under)?.lambda
  }

  private var isGood = false

  /// Notes that the current λ is good.
  mutating func stop() { isGood = true }

  /// Takes the bytes of the plan at `lambda`, and changes λ so that the next takes `goal`. Returns true if it changed.
  mutating func turn(bytes: Float, goal: Float) -> Bool {
    let sample = Sample(lambda: lambda, bytes: max(1, bytes))
    if bytes > goal { over = sample } else { under = sample }
    let former = lambda
    switch (over, under) {
    case (let over?, let under?):
      let whole = logf(over.bytes / under.bytes)
      let part = whole > 0.01 ? min(max(logf(over.bytes / goal) / whole, 0.2), 0.8) : 0.5
      lambda = over.lambda * powf(under.lambda / over.lambda, part)
    case (let over?, nil):
      lambda = over.lambda * min(powf(1.05 * over.bytes / goal, 1 / slope), Self.stride)
    case (nil, let under?):
      lambda = under.lambda * max(powf(under.bytes / goal, 1 / slope), 1 / Self.stride)
    case (nil, nil):
      break
    }
    lambda = min(max(lambda, Self.range.lowerBound), Self.range.upperBound)
    return abs(lambda - former) > 0.005 * former
  }
}
