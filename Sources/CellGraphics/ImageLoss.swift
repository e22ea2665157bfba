import Glibc

/// How far image cells as shown are from what is meant.
public struct ImageLoss: Equatable, Sendable {
  /// Image cells, whether they differ or not.
  public var cells = 0
  /// Squared differences, summed over red, green and blue (0–255 each) of both halves of each cell. 0 where they look
  /// the same.
  public var squaredError = 0

  /// Nothing is lost where there is nothing.
  public init() {}

  /// The peak signal-to-noise ratio, in decibels; infinite where all is shown as meant.
  public var psnr: Double {
    guard squaredError > 0, cells > 0 else { return .infinity }
    return 10 * log10(255 * 255 * 6 * Double(cells) / Double(squaredError))
  }

  public static func += (sum: inout Self, more: Self) {
    sum.cells += more.cells
    sum.squaredError += more.squaredError
  }
}
