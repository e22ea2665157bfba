import CMetricLoops

/// The luma of a frame at one scale, as numbers from 0 to 255.
final class ScaledLuma {
  let width, height: Int

  /// A low-pass filter: that of the biorthogonal 9/7 wavelet.
  private static let filter: [Float] = [
    0.026727, -0.016828, -0.078201, 0.266846, 0.602914, 0.266846, -0.078201, -0.016828, 0.026727,
  ]
  private static let reach = filter.count / 2

  private let samples: ScratchMemory<Float>
  /// One row of the next larger scale, with its mirrored edges.
  private let row: ScratchMemory<Float>

  private init(width: Int, height: Int) {
    self.width = width
    self.height = height
    samples = ScratchMemory(count: width * height, filledWith: 0)
    row = ScratchMemory(count: 2 * width + 2 * Self.reach, filledWith: 0)
  }

  /// Scales, each half as large as the one before. Odd sides are rounded up.
  static func scales(_ size: MetricForm.PlaneSize, count: Int) -> [ScaledLuma] {
    var (width, height) = (size.width, size.height)
    return (0..<count).map { _ in
      defer { (width, height) = ((width + 1) / 2, (height + 1) / 2) }
      return ScaledLuma(width: width, height: height)
    }
  }

  func row(_ y: Int) -> UnsafeMutablePointer<Float> { samples.numbers + y * width }

  /// Takes the samples of a plane.
  func take(_ plane: MetricPlane, _ kernels: MetricKernels) {
    let scale = 1 / Float(1 << (plane.depth - 8))
    for y in 0..<height {
      kernels.widen((plane.bytes + y * plane.stride).assumingMemoryBound(to: UInt8.self), width, scale, row(y))
    }
  }

  /// Takes a scale twice as large.
  func shrink(_ larger: ScaledLuma) {
    let reach = Self.reach, middle = row.numbers + reach
    for y in 0..<height {
      let rows: [UnsafePointer<Float>?] = (2 * y - reach...2 * y + reach).map {
        UnsafePointer(larger.row(Self.mirrored($0, larger.height)))
      }
      qd_blend_rows(rows, larger.width, Self.filter, rows.count, middle)
      for k in 1...reach {
        middle[-k] = middle[Self.mirrored(-k, larger.width)]
        middle[larger.width - 1 + k] = middle[Self.mirrored(larger.width - 1 + k, larger.width)]
      }
      qd_blend_columns(row.numbers, width, Self.filter, Self.filter.count, row(y))
    }
  }

  /// The place of a sample beyond an edge in the picture that is mirrored there.
  private static func mirrored(_ i: Int, _ count: Int) -> Int { i < 0 ? -1 - i : i >= count ? 2 * count - 1 - i : i }
}
