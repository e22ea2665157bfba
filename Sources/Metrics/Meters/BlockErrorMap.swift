import CMetricLoops

/// Shows where in a plane the errors are: one number for each block of samples, 0 where nothing differs.
public struct BlockErrorMap: Hashable, Sendable {
  /// The number of blocks in a row.
  public let columns: Int
  /// The number of rows of blocks.
  public let rows: Int
  /// The samples from one block to the next, in both directions.
  public let step: Int
  /// The errors, row by row.
  public let values: [Float]

  /// The mean squared error of each block of `side` × `side` samples. Blocks at the right and at the bottom may be smaller.
  ///
  /// Throws `MetricError.anotherForm` if the frames differ in their form.
  public static func meanSquaredErrors(
    reference: MetricFrame, candidate: MetricFrame, plane: Int = 0, side: Int = 16
  ) throws(MetricError) -> BlockErrorMap {
    precondition(side > 0)
    let form = try MetricForm(of: reference)
    try form.check(reference, candidate)
    let (a, b) = (reference.planes[plane], candidate.planes[plane])
    let kernels = MetricKernels.of(depth: form.depth)
    let columns = (a.width + side - 1) / side, rows = (a.height + side - 1) / side
    let values = (0..<columns * rows).map { i in
      let (x, y) = (i % columns * side, i / columns * side)
      let (width, height) = (min(side, a.width - x), min(side, a.height - y))
      let pair = qd_plane_pair(a.dropping(columns: x, rows: y), b.dropping(columns: x, rows: y))
      return Float(Double(kernels.squaredError(pair, width, height)) / Double(width * height))
    }
    return BlockErrorMap(columns: columns, rows: rows, step: side, values: values)
  }

  /// One minus the SSIM of each window of 8×8 samples, four samples apart. Without values for planes that have no window.
  ///
  /// Throws `MetricError.anotherForm` if the frames differ in their form.
  public static func dissimilarities(
    reference: MetricFrame, candidate: MetricFrame, plane: Int = 0
  ) throws(MetricError) -> BlockErrorMap {
    let form = try MetricForm(of: reference)
    try form.check(reference, candidate)
    let (a, b) = (reference.planes[plane], candidate.planes[plane])
    let columns = max(0, a.width / 4 - 1), rows = columns > 0 ? max(0, a.height / 4 - 1) : 0
    guard rows > 0 else { return BlockErrorMap(columns: 0, rows: 0, step: 4, values: []) }
    let sums = BlockRows(width: a.width, depth: form.depth)
    let values = [Float](unsafeUninitializedCapacity: columns * rows) { buffer, count in
      for line in 0...rows {
        let pair = qd_plane_pair(a.dropping(columns: 0, rows: 4 * line), b.dropping(columns: 0, rows: 4 * line))
        _ = sums.fill(line, pair, count: columns + 1)
        if line > 0 { _ = sums.windows(count: columns, map: buffer.baseAddress.map { $0 + (line - 1) * columns }) }
      }
      for i in buffer.indices { buffer[i] = 1 - buffer[i] }
      count = columns * rows
    }
    return BlockErrorMap(columns: columns, rows: rows, step: 4, values: values)
  }
}
