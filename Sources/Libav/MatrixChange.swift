import CFFmpeg
import CPixelLoops

/// A change from one colour matrix to another without a detour through RGB, in which values out of its gamut would be lost.
struct MatrixChange {
  private let factors: qd_matrix_change

  /// - Parameters:
  ///   - from: libswscale's number of the present matrix.
  ///   - isFullRange: true if Y and chroma span the same numbers of values, rather than 219 and 224.
  init(from: Int32, to: Int32, isFullRange: Bool) {
    let (a, b) = (Self.weights(from), Self.weights(to))
    /// Y, U and V of light that has the given U and V, and no Y, in the present matrix.
    func changed(u: Double, v: Double) -> (y: Double, u: Double, v: Double) {
      let red = 2 * (1 - a.red) * v, blue = 2 * (1 - a.blue) * u
      let green = -(a.red * red + a.blue * blue) / (1 - a.red - a.blue)
      let y = b.red * red + (1 - b.red - b.blue) * green + b.blue * blue
      return (y, (blue - y) / (2 * (1 - b.blue)), (red - y) / (2 * (1 - b.red)))
    }
    let ofU = changed(u: 1, v: 0), ofV = changed(u: 0, v: 1)
    let span = isFullRange ? 1 : 219.0 / 224
    factors = qd_matrix_change(
      y_u: Float(ofU.y * span), y_v: Float(ofV.y * span), u_u: Float(ofU.u), u_v: Float(ofV.u), v_u: Float(ofU.v),
      v_v: Float(ofV.v))
  }

  /// The weights of red and blue in brightness.
  private static func weights(_ matrix: Int32) -> (red: Double, blue: Double) {
    switch matrix {
    case SWS_CS_ITU709: (0.2126, 0.0722)
    case SWS_CS_SMPTE240M: (0.212, 0.087)
    case SWS_CS_FCC: (0.30, 0.11)
    case SWS_CS_BT2020: (0.2627, 0.0593)
    default: (0.299, 0.114)
    }
  }

  /// Changes planes of 16-bit samples, which nobody else may use.
  func apply(to planes: SamplePlanes) {
    guard planes.layout.isPlain, planes.layout.bits == 16, planes.layout.components.count == 3 else { return }
    let shift = planes.layout.components[1].chromaShift
    let width = (planes.size.width + (1 << shift.across) - 1) >> shift.across
    let height = (planes.size.height + (1 << shift.down) - 1) >> shift.down
    func row(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<UInt16>? {
      planes.bytes[plane].map {
        UnsafeMutableRawPointer(mutating: $0 + y * planes.strides[plane]).assumingMemoryBound(to: UInt16.self)
      }
    }
    for y in 0..<planes.size.height {
      let chroma = y >> shift.down
      qd_change_luma(row(0, y), planes.size.width, row(1, chroma), row(2, chroma), width, Int32(shift.across), factors)
    }
    for y in 0..<height { qd_change_chroma(row(1, y), row(2, y), width, factors) }
  }
}
