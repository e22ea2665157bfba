import CMetricLoops
import TestSupport
import Testing

@testable import Metrics

/// The loops in C against plain ones, over random sizes, depths and strides. Planes end with their last sample, so that the
/// address sanitizer sees a byte too many.
@Suite(.timeLimit(.minutes(20))) struct KernelTests {
  private static let depths = [8, 9, 10, 12, 13, 16]

  private func form(_ depth: Int, _ dice: inout SeededGenerator, widths: ClosedRange<Int>) throws -> MetricForm {
    let size = MetricForm.PlaneSize(
      width: Int.random(in: widths, using: &dice), height: Int.random(in: 1...70, using: &dice))
    return try MetricForm(planes: [size], depth: depth)
  }

  @Test(arguments: depths) func errorsAndSimilarities(depth: Int) throws {
    var dice = SeededGenerator(seed: UInt64(depth))
    for _ in 0..<40 {
      let form = try form(depth, &dice, widths: 1...90)
      let (a, b) = (OwnedFrame(random: form, &dice), OwnedFrame(random: form, &dice))
      defer { withExtendedLifetime((a, b)) {} }
      let (p, q) = (a.samples(0), b.samples(0))
      let measured = try FidelityMeter(form: form).measure(reference: a.frame, candidate: b.frame)
      let error = UInt64(PlainKernels.squaredError(p, q))
      #expect(measured.psnr.squaredErrors == [error], "\(form)")
      let pair = qd_plane_pair(a.frame.planes[0], b.frame.planes[0])
      #expect(MetricKernels.of(depth: depth).squaredError(pair, form.luma.width, form.luma.height) == error)
      let map = PlainKernels.similarities(q, p, depth: depth)
      let shown = try BlockErrorMap.dissimilarities(reference: a.frame, candidate: b.frame)
      #expect(shown.values == map.joined().map { 1 - $0 })
      let windows = map.joined().map(Double.init)
      if windows.isEmpty {
        #expect(measured.ssim.planes[0].isNaN && shown.columns == 0)
      } else {
        #expect(abs(measured.ssim.all - windows.reduce(0, +) / Double(windows.count)) < 1e-6)
        #expect(shown.columns == map[0].count && shown.rows == map.count)
      }
    }
  }

  @Test(arguments: depths) func activities(depth: Int) throws {
    var dice = SeededGenerator(seed: UInt64(100 + depth))
    let kernels = MetricKernels.of(depth: depth)
    for round in 0..<24 {
      let form = try form(depth, &dice, widths: round % 8 == 0 ? 500...620 : 1...90)
      let frames = (0..<3).map { _ in OwnedFrame(random: form, &dice) }
      defer { withExtendedLifetime(frames) {} }
      let samples = frames.map { $0.samples(0) }
      func planes(x: Int = 0, y: Int = 0) -> [qd_metric_plane] {
        frames.map {
          let plane = $0.frame.planes[0].dropping(columns: x, rows: y)
          return qd_metric_plane(samples: plane.bytes.assumingMemoryBound(to: UInt8.self), stride: plane.stride)
        }
      }
      let (width, height) = (form.luma.width, form.luma.height)
      #expect(
        kernels.change(planes(), width, height)
          == PlainKernels.change(samples, [1, -1], width: width, height: height, step: 1))
      #expect(
        kernels.acceleration(planes(), width, height)
          == PlainKernels.change(samples, [1, -2, 1], width: width, height: height, step: 1))
      let (evenWidth, evenHeight) = (width & ~1, height & ~1)
      #expect(
        kernels.halvedChange(planes(), evenWidth, evenHeight)
          == PlainKernels.change(samples, [1, -1], width: evenWidth, height: evenHeight, step: 2))
      #expect(
        kernels.halvedAcceleration(planes(), evenWidth, evenHeight)
          == PlainKernels.change(samples, [1, -2, 1], width: evenWidth, height: evenHeight, step: 2))
      if width > 2, height > 2 {
        #expect(
          kernels.texture(planes(x: 1, y: 1)[0], width - 2, height - 2)
            == PlainKernels.texture(
              samples[0], PlainKernels.single, reach: 1, x: 1, y: 1, width: width - 2, height: height - 2, step: 1))
      }
      if evenWidth > 4, evenHeight > 4 {
        #expect(
          kernels.halvedTexture(planes(x: 2, y: 2)[0], evenWidth - 4, evenHeight - 4)
            == PlainKernels.texture(
              samples[0], PlainKernels.halved, reach: 2, x: 2, y: 2, width: evenWidth - 4, height: evenHeight - 4, step: 2))
      }
    }
  }

  @Test func samplesOutsideTheirDepthDoNoHarm() throws {
    let form = try MetricForm("yuv420p10le", width: 67, height: 35)
    let frames = [65_535, 0].map { value in OwnedFrame(form, padding: 3) { _, _, _ in value } }
    _ = try FidelityMeter(form: form).measure(reference: frames[0].frame, candidate: frames[1].frame)
    _ = try XPSNRMeter(form: form, framesPerSecond: 25).measure(reference: frames[0].frame, candidate: frames[1].frame)
  }

  @Test func weighedTerms() {
    // One window: rows of a ramp against rows of a steeper one.
    let weights: [Float] = [0.25, 0.5, 0.25], count = 21
    let a = (0..<3 * count).map { Float($0 % count * 3 + $0 / count) }, b = a.map { $0 * 1.5 + 2 }
    var rows = [Float](repeating: 0, count: 5 * count)
    qd_weigh_rows(a, b, count, count, weights, 3, &rows)
    let terms = qd_terms_of_row(rows, count, count - 2, weights, 3, 6.5, 58.5)
    var (luminance, contrast, structure) = (0.0, 0.0, 0.0)
    for x in 0..<count - 2 {
      var s = [Double](repeating: 0, count: 5)
      for y in 0..<3 {
        for k in 0..<3 {
          let (p, q) = (Double(a[y * count + x + k]), Double(b[y * count + x + k])), weight = Double(weights[y] * weights[k])
          for (i, value) in [p, q, p * p, q * q, p * q].enumerated() { s[i] += weight * value }
        }
      }
      let (va, vb, covariance) = (s[2] - s[0] * s[0], s[3] - s[1] * s[1], s[4] - s[0] * s[1])
      luminance += (2 * s[0] * s[1] + 6.5) / (s[0] * s[0] + s[1] * s[1] + 6.5)
      contrast += (2 * (va * vb).squareRoot() + 58.5) / (va + vb + 58.5)
      structure += (covariance + 29.25) / ((va * vb).squareRoot() + 29.25)
    }
    #expect(abs(terms.luminance - luminance) < 1e-4)
    #expect(abs(terms.contrast - contrast) < 1e-3)
    #expect(abs(terms.structure - structure) < 1e-3)
  }
}
