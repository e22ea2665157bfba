import CPixelLoops
import Pixels

/// The way from a row's differences to its bytes.
struct DifferenceStyle {
  private let style: DifferenceRequest.Style
  private let factor: Float
  /// True if there are three components that keep their colours.
  private let isRGB: Bool
  let measure: qd_measure

  init(_ request: DifferenceRequest, isRGB: Bool) {
    style = request.style
    self.isRGB = isRGB && request.style != .heat
    let range = DifferenceRequest.gains
    let gain = Float(min(max(request.gain, range.lowerBound), range.upperBound))
    factor = request.style == .signed ? gain / 2 : gain
    measure = switch (request.reduction, request.style == .signed) {
    case (.maximum, false): qd_greatest_distance
    case (.maximum, true): qd_greatest_difference
    case (.mean, false): qd_mean_distance
    case (.mean, true): qd_mean_difference
    }
  }

  /// Writes a row of three bytes for each value of a component.
  ///
  /// - Parameter values: one row for each component; the first one is changed if they are combined.
  func write(_ values: inout [[Float]], to bytes: UnsafeMutablePointer<UInt8>) {
    let offset: Int32 = style == .signed ? 128 : 0
    let count = values[0].count
    if isRGB {
      values[0].withUnsafeBufferPointer { red in
        values[1].withUnsafeBufferPointer { green in
          values[2].withUnsafeBufferPointer { blue in
            qd_write_rgb([red.baseAddress, green.baseAddress, blue.baseAddress], count, factor, offset, bytes)
          }
        }
      }
      return
    }
    for other in values.dropFirst() { qd_keep_greater(&values[0], other, count) }
    if style == .heat {
      qd_write_colours(values[0], count, factor, HeatScale.bytes, bytes)
    } else {
      qd_write_grey(values[0], count, factor, offset, bytes)
    }
  }
}
