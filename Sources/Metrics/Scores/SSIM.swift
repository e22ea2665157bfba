import Glibc

/// The structural similarity of a frame: 1 where nothing differs.
///
/// By Wang, Bovik, Sheikh and Simoncelli (IEEE Transactions on Image Processing 13/4, 2004), over windows of 8×8 samples that
/// weigh all samples alike, four samples apart, as x264 and FFmpeg compute it. Samples at the right and at the bottom that fill
/// no block of 4×4 are left out.
public struct SSIM: Hashable, Sendable, Codable {
  /// The similarity of each plane; NaN for a plane without a window.
  public let planes: [Double]
  /// The similarity of all planes, weighed by their numbers of samples.
  public let all: Double

  init(planes: [Double], sampleCounts: [Int]) {
    let samples = Double(sampleCounts.reduce(0, +))
    self.planes = planes
    all = zip(planes, sampleCounts).reduce(0) { $0 + $1.0 * (Double($1.1) / samples) }
  }

  /// The similarity in decibels; infinite where nothing differs.
  public var decibels: Double { 10 * log10(1 / (1 - all)) }
}
