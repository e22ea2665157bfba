import CPixelLoops
import Pixels

/// Makes the signatures of frames: their luma as displayed, averaged over the cells of a 64 × 36 grid, as 8-bit values of limited
/// range.
///
/// A signer keeps what it has computed for frames of one size, so use one for all frames of a clip.
public struct FrameSigner {
  private struct Layout: Equatable {
    var width = 0
    var height = 0
  }

  /// The cells of a stored frame: 36 × 64 of one that is displayed after a quarter turn.
  private let grid: PixelSize
  /// The cell of the stored frame for each cell of the signature.
  private let cells: [Int]
  private var layout = Layout()
  private var columns: [qd_share]
  private var rows: [qd_share]
  private var weights: [Float] = []
  private var taps = 0
  private var scratch: [Float] = []
  private var means: [UInt16]

  /// - Parameter orientation: the orientation in which the clip's frames are displayed.
  public init(orientation: Orientation = .upright) {
    let displayed = PixelSize(width: SignatureGrid.fine.width, height: SignatureGrid.fine.height)
    let grid = orientation.swapsSides ? PixelSize(width: displayed.height, height: displayed.width) : displayed
    self.grid = grid
    cells = (0..<displayed.area).map { cell in
      let place = orientation.sourcePixel(x: cell % displayed.width, y: cell / displayed.width, displayed: displayed)
      return place.y * grid.width + place.x
    }
    columns = [qd_share](repeating: qd_share(), count: grid.width)
    rows = [qd_share](repeating: qd_share(), count: grid.height)
    means = [UInt16](repeating: 0, count: grid.area)
  }

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
            shares: columns.baseAddress, weights: weights.baseAddress, count: grid.width, taps: taps)
          shrink(samples, columns, rows, grid.height, &output, &scratch)
        }
      }
    }
    // The means are those of code values of 16 bits: shifted to the left, with zeros behind them.
    let factor: Float, black: Float
    switch plane.range {
    case .full: (factor, black) = (219 / (65535 - Float((1 << (16 - plane.bitDepth)) - 1)), 16)
    case .limited: (factor, black) = (1.0 / 256, 0)
    }
    return FrameSignature(luma: cells.map { UInt8(min(255, Float(means[$0]) * factor + black + 0.5)) })
  }

  private mutating func prepare(_ layout: Layout) {
    guard layout != self.layout else { return }
    self.layout = layout
    qd_divide(qd_axis(samples: layout.width, span: Double(layout.width), parts: grid.width), &columns)
    qd_divide(qd_axis(samples: layout.height, span: Double(layout.height), parts: grid.height), &rows)
    taps = qd_taps(columns, grid.width)
    weights = [Float](repeating: 0, count: grid.width * taps)
    qd_weigh(columns, grid.width, taps, &weights)
    scratch = [Float](repeating: 0, count: 3 * (layout.width + taps))
  }
}
