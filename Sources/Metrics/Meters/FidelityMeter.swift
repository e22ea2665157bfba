import CMetricLoops

/// Measures PSNR and SSIM of pairs of frames, in one pass over their samples.
///
/// Owns memory for two rows of sums. Used by one thread at a time.
public final class FidelityMeter {
  /// The figures of a pair.
  public struct Fidelity: Hashable, Sendable, Codable {
    public let psnr: PSNR
    public let ssim: SSIM
  }

  /// The form of the frames.
  public let form: MetricForm

  private let kernels: MetricKernels
  private let rows: BlockRows

  public init(form: MetricForm) {
    self.form = form
    kernels = .of(depth: form.depth)
    rows = BlockRows(width: form.luma.width, depth: form.depth)
  }

  /// Measures a pair. Throws `MetricError.anotherForm` if a frame has another form.
  public func measure(reference: MetricFrame, candidate: MetricFrame) throws(MetricError) -> Fidelity {
    try form.check(reference, candidate)
    var errors: [UInt64] = []
    var similarities: [Double] = []
    for (a, b) in zip(candidate.planes, reference.planes) {
      let (error, similarity) = measure(a, b)
      errors.append(error)
      similarities.append(similarity)
    }
    return Fidelity(
      psnr: PSNR(squaredErrors: errors, sampleCounts: form.sampleCounts, peak: form.peak),
      ssim: SSIM(planes: similarities, sampleCounts: form.sampleCounts))
  }

  private func measure(_ a: MetricPlane, _ b: MetricPlane) -> (error: UInt64, similarity: Double) {
    let columns = a.width / 4, lines = a.height / 4
    var error: UInt64 = 0
    var similarity = 0.0
    for line in 0..<lines {
      let pair = qd_plane_pair(a.dropping(columns: 0, rows: 4 * line), b.dropping(columns: 0, rows: 4 * line))
      error += rows.fill(line, pair, count: columns)
      if line > 0, columns > 1 { similarity += rows.windows(count: columns - 1) }
    }
    // What fills no block: columns at the right, and rows at the bottom.
    let right = qd_plane_pair(a.dropping(columns: 4 * columns, rows: 0), b.dropping(columns: 4 * columns, rows: 0))
    error += kernels.squaredError(right, a.width - 4 * columns, 4 * lines)
    let bottom = qd_plane_pair(a.dropping(columns: 0, rows: 4 * lines), b.dropping(columns: 0, rows: 4 * lines))
    error += kernels.squaredError(bottom, a.width, a.height - 4 * lines)
    let windows = (columns - 1) * (lines - 1)
    return (error, columns > 1 && lines > 1 ? similarity / Double(windows) : .nan)
  }
}
