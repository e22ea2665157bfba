import CMetricLoops

/// Measures XPSNR of pairs of frames in the order of display.
///
/// The weight of a block depends on the texture of the reference, and on how it has changed since the frame before. Below 32
/// frames a second this is the difference to the frame before; else that between the latest two differences. Used by one thread
/// at a time.
public final class XPSNRMeter {
  /// The form of the frames.
  public let form: MetricForm

  private let kernels: MetricKernels
  private let blocks: XPSNRBlocks
  /// The luma of the latest references, the newest one first. Those before the first frame are black.
  private var latest: [LumaCopy]

  /// - Parameter framesPerSecond: what is after its point does not count, as in FFmpeg.
  public init(form: MetricForm, framesPerSecond: Double) {
    self.form = form
    kernels = .of(depth: form.depth)
    blocks = XPSNRBlocks(form: form)
    let count = framesPerSecond.rounded(.down) < 32 ? 2 : 3
    latest = (0..<count).map { _ in LumaCopy(form: form) }
  }

  /// Forgets all frames, as before the first one.
  public func reset() {
    for i in latest.indices { latest[i].clear() }
  }

  /// Takes a reference frame that is not measured but comes before one that is.
  public func skip(reference: MetricFrame) throws(MetricError) {
    try form.check(reference, reference)
    remember(reference)
  }

  /// Measures a pair. Throws `MetricError.anotherForm` if a frame has another form.
  public func measure(reference: MetricFrame, candidate: MetricFrame) throws(MetricError) -> XPSNR {
    try form.check(reference, candidate)
    remember(reference)
    guard blocks.side > 0 else {
      // Too small for blocks: all samples weigh the same.
      let sums = zip(reference.planes, candidate.planes).map { kernels.squaredError(qd_plane_pair($0, $1), $0.width, $0.height) }
      return XPSNR(weightedErrors: sums, sampleCounts: form.sampleCounts, peak: form.peak)
    }
    let weights = blocks.weights(activities: blocks.areas[0].map(activity))
    let sums = form.planes.indices.map { plane in
      var sum = 0.0
      for (area, weight) in zip(blocks.areas[plane], weights) {
        let pair = qd_plane_pair(
          reference.planes[plane].dropping(columns: area.x, rows: area.y),
          candidate.planes[plane].dropping(columns: area.x, rows: area.y))
        sum += Double(kernels.squaredError(pair, area.width, area.height)) * weight
      }
      return blocks.rounded(sum)
    }
    return XPSNR(weightedErrors: sums, sampleCounts: form.sampleCounts, peak: form.peak)
  }

  private func remember(_ reference: MetricFrame) {
    latest.insert(latest.removeLast(), at: 0)
    latest[0].take(reference.planes[0])
  }

  /// The activity of a block of luma; nil where the picture's edge leaves nothing of it.
  private func activity(_ area: XPSNRBlocks.Area) -> Double? {
    guard let inner = blocks.inner(area) else { return nil }
    let texture = texture(inner, of: area)
    let planes = latest.map { $0.plane(atColumn: area.x, row: area.y) }
    let sum: UInt64
    switch (blocks.isHalved, latest.count > 2) {
    case (false, false): sum = kernels.change(planes, area.width, area.height)
    case (false, true): sum = kernels.acceleration(planes, area.width, area.height)
    case (true, false): sum = kernels.halvedChange(planes, even(area.width), even(area.height))
    case (true, true): sum = kernels.halvedAcceleration(planes, even(area.width), even(area.height))
    }
    return texture / Double(inner.width * inner.height) + Double(2 * sum) / Double(area.width * area.height)
  }

  private func texture(_ inner: XPSNRBlocks.Area, of area: XPSNRBlocks.Area) -> Double {
    let plane = latest[0].plane(atColumn: inner.x, row: inner.y)
    guard blocks.isHalved else { return Double(kernels.texture(plane, inner.width, inner.height)) }
    // FFmpeg's filter counts narrow blocks at an edge as flat.
    guard inner.x - area.x + inner.width > 12 else { return 0 }
    return Double(kernels.halvedTexture(plane, even(inner.width), even(inner.height)))
  }

  private func even(_ side: Int) -> Int { (side + 1) & ~1 }
}

/// The samples of a luma plane. Odd sides are one sample longer, and repeat the last one.
private struct LumaCopy {
  private let memory: ScratchMemory<UInt8>
  private let stride, bytesPerSample: Int

  init(form: MetricForm) {
    bytesPerSample = form.bytesPerSample
    stride = (form.luma.width + 1) & ~1 * bytesPerSample
    memory = ScratchMemory(count: stride * ((form.luma.height + 1) & ~1), filledWith: 0)
  }

  func clear() { memory.numbers.update(repeating: 0, count: memory.count) }

  func take(_ plane: MetricPlane) {
    let bytes = plane.width * bytesPerSample
    var row = memory.numbers
    for y in 0..<memory.count / stride {
      let from = plane.bytes + min(y, plane.height - 1) * plane.stride
      UnsafeMutableRawPointer(row).copyMemory(from: from, byteCount: bytes)
      if bytes < stride {
        UnsafeMutableRawPointer(row + bytes).copyMemory(from: from + bytes - bytesPerSample, byteCount: bytesPerSample)
      }
      row += stride
    }
  }

  func plane(atColumn x: Int, row y: Int) -> qd_metric_plane {
    qd_metric_plane(samples: memory.numbers + y * stride + x * bytesPerSample, stride: stride)
  }
}
