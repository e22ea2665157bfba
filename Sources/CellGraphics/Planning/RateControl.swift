import Glibc

/// Keeps the λ for which an update fits its budget, from update to update.
struct RateControl {
  /// Weighted squares of differences for each byte.
  private(set) var lambda: Float = 200
  /// Bytes that the painter needed for each that was planned.
  private var factor: Float = 1
  /// λ grows with this power of the bytes, about.
  private var power: Float = 0.9

  private static let range: ClosedRange<Float> = 0.01...1e6

  /// Bytes that the painter will need.
  func bytes(planned: Float) -> Float { planned * factor }

  mutating func setLambda(_ lambda: Float) { self.lambda = lambda }

  /// Turns λ so that `bytes` become `budget`.
  ///
  /// - Parameter former: λ and its bytes, as measured before in the same update; tells how bytes fall with λ.
  mutating func aim(from bytes: Float, to budget: Float, former: (lambda: Float, bytes: Float)? = nil) {
    if let former, former.bytes > 0, bytes > 0, abs(lambda - former.lambda) > 0.05 * lambda {
      let slope = logf(bytes / former.bytes) / logf(lambda / former.lambda)
      if slope < -0.2 { power = min(1.5, max(0.4, -1 / slope)) }
    }
    let ratio = max(0.02, min(50, bytes / max(1, budget)))
    lambda = min(max(lambda * powf(ratio, power), Self.range.lowerBound), Self.range.upperBound)
  }

  /// Learns what was planned and what it took.
  mutating func didPaint(bytes: Int, planned: Float) {
    guard planned > 64 else { return }
    factor = factor * 0.75 + 0.25 * min(max(Float(bytes) / planned, 0.5), 1.5)
  }
}
