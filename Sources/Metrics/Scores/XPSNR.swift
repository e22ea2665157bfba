import Glibc

/// The errors of a frame weighted by what can be seen, and the ratios that follow from them.
///
/// By Helmrich and others (ICASSP 2020), as FFmpeg's filter `xpsnr` computes it.
public struct XPSNR: Hashable, Sendable, Codable {
  /// The sum of the weighted squared differences in each plane, rounded to a whole number.
  public let weightedErrors: [UInt64]
  /// The number of samples in each plane.
  public let sampleCounts: [Int]
  /// The greatest value of a sample.
  public let peak: Int

  /// The XPSNR of a plane in decibels; infinite where the weighted error is 0.
  public func decibels(ofPlane plane: Int) -> Double {
    Self.decibels(rootError: rootError(ofPlane: plane), sampleCount: sampleCounts[plane], peak: peak)
  }

  /// The square root of a plane's weighted error, of which the mean over a clip is taken.
  public func rootError(ofPlane plane: Int) -> Double { Double(weightedErrors[plane]).squareRoot() }

  /// The XPSNR of the square root of a weighted error, in decibels.
  public static func decibels(rootError: Double, sampleCount: Int, peak: Int) -> Double {
    10 * log10(Double(sampleCount) * Double(peak * peak) / (rootError * rootError))
  }
}
