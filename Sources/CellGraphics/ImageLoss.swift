import Glibc

/// The difference between image cells as shown and as intended.
public struct ImageLoss: Equatable, Sendable {
  /// Number of image cells, whether or not they differ.
  public var cells = 0
  /// Squared differences, summed over red, green and blue (0–255 each) of both halves of each cell; 0 if they look the
  /// same.
  public var squaredError = 0

  /// Creates a loss of zero.
  public init() {}

  /// The peak signal-to-noise ratio, in decibels; infinite if there is no difference.
  public var psnr: Double {
    guard squaredError > 0, cells > 0 else { return .infinity }
    return 10 * log10(255 * 255 * 6 * Double(cells) / Double(squaredError))
  }

  public static func += (sum: inout Self, more: Self) {
    sum.cells += more.cells
    sum.squaredError += more.squaredError
  }
}
