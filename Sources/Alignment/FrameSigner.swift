import CPixelLoops

/// Makes the signatures of frames: their luma, averaged over the cells of a 64 × 36 grid, as 8-bit values of limited range.
///
/// A signer keeps what it has computed for frames of one size, so use one for all frames of a clip.
public struct FrameSigner {
  private struct Layout: Equatable {
    var width = 0
    var height = 0
  }

  private static let grid = SignatureGrid.fine
  private var layout = Layout()
  private var columns = [qd_share](repeating: qd_share(), count: grid.width)
  private var rows = [qd_share](repeating: qd_share(), count: grid.height)
  private var weights: [Float] = []
  private var taps = 0
  private var scratch: [Float] = []
  private var means = [UInt16](repeating: 0, count: grid.count)

  public init() {}

  /// Returns the signature of a frame, or nil if `plane` does not lie within its memory.
  public mutating func signature(of plane: LumaPlane) -> FrameSignature? {
    guard let base = plane.base else { return nil }
    prepare(Layout(width: plane.width, height: plane.height))
    let samples = qd_plane(
      bytes: base, stride: plane.stride, samples: plane.width, step: 1, bits: Int32(plane.bitDepth))
    let shrink = plane.bitDepth > 8 ? qd_shrink_16 : qd_shrink_8
    columns.withUnsafeBufferPointer { columns in
      weights.withUnsafeBufferPointer { weights in
        means.withUnsafeMutableBufferPointer { means in
          var output = means.baseAddress
          let columns = qd_columns(
            shares: columns.baseAddress, weights: weights.baseAddress, count: Self.grid.width, taps: taps)
          shrink(samples, columns, rows, Self.grid.height, &output, &scratch)
        }
      }
    }
    // The means are those of code values of 16 bits: shifted to the left, with zeros behind them.
    let factor: Float, black: Float
    switch plane.range {
    case .full: (factor, black) = (219 / (65535 - Float((1 << (16 - plane.bitDepth)) - 1)), 16)
    case .limited: (factor, black) = (1.0 / 256, 0)
    }
    return FrameSignature(luma: means.map { UInt8(min(255, Float($0) * factor + black + 0.5)) })
  }

  private mutating func prepare(_ layout: Layout) {
    guard layout != self.layout else { return }
    self.layout = layout
    let grid = Self.grid
    qd_divide(qd_axis(samples: layout.width, span: Double(layout.width), parts: grid.width), &columns)
    qd_divide(qd_axis(samples: layout.height, span: Double(layout.height), parts: grid.height), &rows)
    taps = qd_taps(columns, grid.width)
    weights = [Float](repeating: 0, count: grid.width * taps)
    qd_weigh(columns, grid.width, taps, &weights)
    scratch = [Float](repeating: 0, count: 3 * (layout.width + taps))
  }
}
