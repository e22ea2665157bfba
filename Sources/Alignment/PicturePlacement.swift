import CAlignmentLoops

/// A rectangle in parts of a frame's width and height; it may reach beyond the frame.
public struct PictureRect: Hashable, Codable, Sendable {
  public var left, right, top, bottom: Double

  public init(left: Double, right: Double, top: Double, bottom: Double) {
    self.left = left
    self.right = right
    self.top = top
    self.bottom = bottom
  }

  public static let whole = PictureRect(left: 0, right: 1, top: 0, bottom: 1)

  var width: Double { right - left }
  var height: Double { bottom - top }

  /// The greatest distance between the same edge of two rectangles.
  func distance(_ other: PictureRect) -> Double {
    max(
      max(abs(left - other.left), abs(right - other.right)), max(abs(top - other.top), abs(bottom - other.bottom)))
  }

  /// A part of this rectangle.
  func part(_ inner: PictureRect) -> PictureRect {
    PictureRect(
      left: left + inner.left * width, right: left + inner.right * width, top: top + inner.top * height,
      bottom: top + inner.bottom * height)
  }

  /// The part that the whole frame shows, if `inner` of the frame shows `shown`.
  static func placing(_ inner: PictureRect, on shown: PictureRect) -> PictureRect {
    let across = shown.width / inner.width, down = shown.height / inner.height
    let left = shown.left - inner.left * across, top = shown.top - inner.top * down
    return PictureRect(left: left, right: left + across, top: top, bottom: top + down)
  }
}

/// The division of an axis into cells of a grid: parts of equal size of what lies between two places.
struct AxisParts {
  var parts: [qd_part]
  /// Parts of which more than 60 % lie within the samples.
  var isCovered: [Bool]

  init(count: Int, samples: Int, from begin: Double, to end: Double) {
    parts = []
    isCovered = []
    let size = (end - begin) / Double(count)
    for i in 0..<count {
      let low = begin + size * Double(i), high = low + size
      let first = min(max(0, Int(low.rounded(.down))), samples - 1)
      let last = min(max(first, Int(high.rounded(.up)) - 1), samples - 1, first + Int(qd_most_taps) - 1)
      var weights = (first...last).map { Float(max(0, min(high, Double($0 + 1)) - max(low, Double($0)))) }
      let sum = weights.reduce(0, +)
      isCovered.append(Double(sum) > 0.6 * size)
      weights = sum > 0 ? weights.map { $0 / sum } : [1]
      var part = qd_part()
      part.first = UInt32(first)
      part.count = UInt32(weights.count)
      withUnsafeMutableBytes(of: &part.weights) { bytes in
        let floats = bytes.bindMemory(to: Float.self)
        for (k, weight) in weights.enumerated() { floats[k] = weight }
      }
      parts.append(part)
    }
  }
}

/// The pictures of a clip, to be cut and resampled.
struct Pictures {
  let grid: SignatureGrid
  let count: Int
  let luma: [UInt8]

  init(_ sequence: SignatureSequence) {
    grid = sequence.grid
    count = sequence.count
    luma = sequence.luma
  }

  init(grid: SignatureGrid, luma: [UInt8], count: Int) {
    self.grid = grid
    self.luma = luma
    self.count = count
  }

  /// The pictures of some frames.
  func frames(_ indices: [Int]) -> Pictures {
    let size = grid.count
    var chosen: [UInt8] = []
    chosen.reserveCapacity(indices.count * size)
    for i in indices { chosen += luma[i * size..<(i + 1) * size] }
    return Pictures(grid: grid, luma: chosen, count: indices.count)
  }

  /// The pictures of consecutive frames.
  func frames(_ range: Range<Int>) -> Pictures {
    let size = grid.count
    return Pictures(grid: grid, luma: Array(luma[range.lowerBound * size..<range.upperBound * size]), count: range.count)
  }

  /// The part of each frame in `rect`, on a grid.
  func resampled(_ rect: PictureRect, on target: SignatureGrid) -> (rows: VectorRows, isCovered: [Bool]) {
    var rows = VectorRows(count: count, length: target.count)
    let size = grid.count, width = grid.width
    if rect == .whole, grid == target {
      for i in 0..<luma.count { rows.values[i] = Float(luma[i]) }
      return (rows, [Bool](repeating: true, count: target.count))
    }
    let across = AxisParts(
      count: target.width, samples: width, from: rect.left * Double(width), to: rect.right * Double(width))
    let down = AxisParts(
      count: target.height, samples: grid.height, from: rect.top * Double(grid.height),
      to: rect.bottom * Double(grid.height))
    let halves = rect == .whole && grid == .fine && target == .coarse
    var scratch = [Float](repeating: 0, count: width)
    luma.withUnsafeBufferPointer { luma in
      rows.values.withUnsafeMutableBufferPointer { output in
        guard let from = luma.baseAddress, let to = output.baseAddress else { return }
        for i in 0..<count {
          if halves {
            qd_halve(from + i * size, target.width, target.height, to + i * target.count)
          } else {
            qd_resample(
              from + i * size, width, across.parts, target.width, down.parts, target.height, &scratch,
              to + i * target.count)
          }
        }
      }
    }
    let isCovered = down.isCovered.flatMap { row in across.isCovered.map { row && $0 } }
    return (rows, isCovered)
  }

  /// The pictures mirrored, then turned clockwise by quarters.
  func oriented(isMirrored: Bool, quarterTurns: Int) -> Pictures {
    guard isMirrored || quarterTurns != 0 else { return self }
    let width = grid.width, height = grid.height, size = grid.count
    var turned = luma
    if isMirrored || quarterTurns == 2 {
      for i in 0..<count {
        for y in 0..<height {
          for x in 0..<width {
            let fromX = isMirrored != (quarterTurns == 2) ? width - 1 - x : x
            let fromY = quarterTurns == 2 ? height - 1 - y : y
            turned[i * size + y * width + x] = luma[i * size + fromY * width + fromX]
          }
        }
      }
    }
    guard quarterTurns % 2 == 1 else { return Pictures(grid: grid, luma: turned, count: count) }
    // The grid keeps its shape while the frame does not: each row becomes a column of another number of cells.
    var result = luma
    let across = AxisParts(count: width, samples: height, from: 0, to: Double(height))
    let down = AxisParts(count: height, samples: width, from: 0, to: Double(width))
    var scratch = [Float](repeating: 0, count: height)
    var output = [Float](repeating: 0, count: size)
    var tall = [UInt8](repeating: 0, count: size)
    for i in 0..<count {
      for y in 0..<width {
        for x in 0..<height {
          let fromX = quarterTurns == 1 ? y : width - 1 - y
          let fromY = quarterTurns == 1 ? height - 1 - x : x
          tall[y * height + x] = turned[i * size + fromY * width + fromX]
        }
      }
      qd_resample(tall, height, across.parts, width, down.parts, height, &scratch, &output)
      for p in 0..<size { result[i * size + p] = UInt8(min(255, max(0, output[p] + 0.5))) }
    }
    return Pictures(grid: grid, luma: result, count: count)
  }
}
