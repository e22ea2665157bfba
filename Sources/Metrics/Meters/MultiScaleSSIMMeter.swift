import CMetricLoops
import Glibc

/// Measures the multi-scale structural similarity of the luma of pairs of frames.
///
/// By Wang, Simoncelli and Bovik (Asilomar 2003), with the conventions of libvmaf's `float_ms_ssim`: samples at 0…255, windows of
/// 11×11 samples weighed by a Gaussian, wherever they lie in the picture as a whole; five scales, each shrunk from the one before
/// through a low-pass filter of nine samples that mirrors the picture at its edges; at each scale, the means of contrast and of
/// structure are raised to the scale's exponent, and at the last one that of luminance, too. Structure below 0 counts as 0.
///
/// Used by one thread at a time.
public final class MultiScaleSSIMMeter {
  /// The form of the frames.
  public let form: MetricForm

  /// The shortest side of a frame that can be measured: four times halved, it still has room for a window.
  public static let shortestSide = window.count << (exponents.count - 1)

  private static let exponents: [Float] = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333]
  /// Gaussian, with a standard deviation of 1.5.
  private static let window: [Float] = [
    0.001028, 0.007599, 0.036001, 0.109361, 0.213006, 0.266012, 0.213006, 0.109361, 0.036001, 0.007599, 0.001028,
  ]
  private static let c1: Float = (0.01 * 255) * (0.01 * 255), c2: Float = (0.03 * 255) * (0.03 * 255)

  private let kernels: MetricKernels
  /// The scales of both images.
  private let reference, candidate: [ScaledLuma]
  private let rows: ScratchMemory<Float>

  /// Throws `MetricError.tooSmall` if a side is shorter than `shortestSide`.
  public init(form: MetricForm) throws(MetricError) {
    guard min(form.luma.width, form.luma.height) >= Self.shortestSide else {
      throw .tooSmall(shortestSide: Self.shortestSide)
    }
    self.form = form
    kernels = .of(depth: form.depth)
    reference = ScaledLuma.scales(form.luma, count: Self.exponents.count)
    candidate = ScaledLuma.scales(form.luma, count: Self.exponents.count)
    rows = ScratchMemory(count: 5 * form.luma.width, filledWith: 0)
  }

  /// Measures a pair. Throws `MetricError.anotherForm` if a frame has another form.
  public func measure(reference: MetricFrame, candidate: MetricFrame) throws(MetricError) -> Double {
    try form.check(reference, candidate)
    self.reference[0].take(reference.planes[0], kernels)
    self.candidate[0].take(candidate.planes[0], kernels)
    var product = 1.0
    for scale in Self.exponents.indices {
      if scale > 0 {
        self.reference[scale].shrink(self.reference[scale - 1])
        self.candidate[scale].shrink(self.candidate[scale - 1])
      }
      let terms = terms(self.reference[scale], self.candidate[scale]), exponent = Double(Self.exponents[scale])
      product *= pow(terms.contrast, exponent) * pow(max(0, terms.structure), exponent)
      if scale == Self.exponents.count - 1 { product *= pow(terms.luminance, exponent) }
    }
    return product
  }

  /// The means of SSIM's terms over all windows of a scale.
  private func terms(_ a: ScaledLuma, _ b: ScaledLuma) -> qd_ssim_terms {
    let taps = Self.window.count, across = a.width - taps + 1, down = a.height - taps + 1
    var sum = qd_ssim_terms(luminance: 0, contrast: 0, structure: 0)
    for y in 0..<down {
      qd_weigh_rows(a.row(y), b.row(y), a.width, a.width, Self.window, taps, rows.numbers)
      let terms = qd_terms_of_row(rows.numbers, a.width, across, Self.window, taps, Self.c1, Self.c2)
      sum.luminance += terms.luminance
      sum.contrast += terms.contrast
      sum.structure += terms.structure
    }
    let count = Double(across * down)
    return qd_ssim_terms(luminance: sum.luminance / count, contrast: sum.contrast / count, structure: sum.structure / count)
  }
}
