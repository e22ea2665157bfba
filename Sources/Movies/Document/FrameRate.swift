import Playback

/// Frame rates as files round them.
enum FrameRate {
  /// The exact rate that a rounded one means: 23.97, 23.976 and 23.98 are 24000/1001. Nil for an invalid rate.
  static func snapped(_ rate: Double) -> Ratio? {
    guard rate.isFinite, rate > 0, rate < 0x1p31 else { return nil }
    let whole = rate.rounded()
    if whole >= 1, abs(rate - whole) < 1e-6 * max(1, whole) { return Ratio(Int32(clamping: Int64(whole)), 1) }
    let film = (rate * 1.001).rounded()
    if film >= 1, film < 1_000_000, abs(rate - film / 1.001) < 0.007 { return Ratio(reducing: Int64(film) * 1000, 1001) }
    return Ratio(nearest: rate, within: rate * 1e-9, largestDenominator: 1_000_000)
  }
}
