import CMetricLoops

/// The loops over samples of one size, in C. Each has a plain counterpart in the tests.
struct MetricKernels: Sendable {
  typealias PairSum = @Sendable (qd_plane_pair, _ width: Int, _ height: Int) -> UInt64
  typealias PlaneSum = @Sendable (qd_metric_plane, _ width: Int, _ height: Int) -> UInt64
  typealias RunSum = @Sendable (UnsafePointer<qd_metric_plane>, _ width: Int, _ height: Int) -> UInt64

  let squaredError: PairSum
  let texture, halvedTexture: PlaneSum
  let change, halvedChange: RunSum
  let acceleration, halvedAcceleration: RunSum
  let widen: @Sendable (UnsafePointer<UInt8>, Int, Float, UnsafeMutablePointer<Float>) -> Void

  static func of(depth: Int) -> MetricKernels { depth > 8 ? words : bytes }

  /// Samples of 8 bits.
  static let bytes = MetricKernels(
    squaredError: { qd_squared_error_8($0, $1, $2) },
    texture: { qd_texture_8($0, $1, $2) }, halvedTexture: { qd_halved_texture_8($0, $1, $2) },
    change: { qd_change_8($0, $1, $2) }, halvedChange: { qd_halved_change_8($0, $1, $2) },
    acceleration: { qd_acceleration_8($0, $1, $2) }, halvedAcceleration: { qd_halved_acceleration_8($0, $1, $2) },
    widen: { qd_widen_8($0, $1, $2, $3) })

  /// Samples of 9 to 16 bits.
  static let words = MetricKernels(
    squaredError: { qd_squared_error_16($0, $1, $2) },
    texture: { qd_texture_16($0, $1, $2) }, halvedTexture: { qd_halved_texture_16($0, $1, $2) },
    change: { qd_change_16($0, $1, $2) }, halvedChange: { qd_halved_change_16($0, $1, $2) },
    acceleration: { qd_acceleration_16($0, $1, $2) }, halvedAcceleration: { qd_halved_acceleration_16($0, $1, $2) },
    widen: { qd_widen_16($0, $1, $2, $3) })
}

extension qd_plane_pair {
  init(_ a: MetricPlane, _ b: MetricPlane) {
    self.init(
      a: a.bytes.assumingMemoryBound(to: UInt8.self), b: b.bytes.assumingMemoryBound(to: UInt8.self), a_stride: a.stride,
      b_stride: b.stride)
  }
}
