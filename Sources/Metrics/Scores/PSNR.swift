import Glibc

/// The squared errors of a frame, and the peak signal-to-noise ratios that follow from them.
public struct PSNR: Hashable, Sendable, Codable {
  /// The sum of the squared differences in each plane.
  public let squaredErrors: [UInt64]
  /// The number of samples in each plane.
  public let sampleCounts: [Int]
  /// The greatest value of a sample.
  public let peak: Int

  /// The mean squared error of a plane.
  public func meanSquaredError(ofPlane plane: Int) -> Double {
    Double(squaredErrors[plane]) / Double(sampleCounts[plane])
  }

  /// The mean squared error of all samples of all planes.
  public var meanSquaredError: Double {
    let all = Double(sampleCounts.reduce(0, +))
    return squaredErrors.indices.reduce(0) { $0 + meanSquaredError(ofPlane: $1) * (Double(sampleCounts[$1]) / all) }
  }

  /// The PSNR of a plane in decibels; infinite where nothing differs.
  public func decibels(ofPlane plane: Int) -> Double { Self.decibels(meanSquaredError(ofPlane: plane), peak: peak) }

  /// The PSNR of the mean squared error of all planes, in decibels; infinite where nothing differs.
  public var decibels: Double { Self.decibels(meanSquaredError, peak: peak) }

  /// The PSNR of a mean squared error, in decibels.
  public static func decibels(_ meanSquaredError: Double, peak: Int) -> Double {
    10 * log10(Double(peak * peak) / meanSquaredError)
  }
}
