import Pixels

/// Counts the values of frames whose format `ComponentLayout` can read.
enum ScopeCounts {
  /// The number of values that are counted at most, unless a single line has more.
  static let maxCount = 1 << 18

  /// Returns how many lines of a plane to go on by.
  private static func step(_ width: Int, _ height: Int) -> Int { max(1, (width * height + maxCount - 1) / maxCount) }

  /// Returns how often each value occurs, one number per value.
  static func histogram(_ source: ScalerSource, _ plane: FramePlane) -> [UInt32] {
    guard let layout = ComponentLayout(plane, of: source.format), let start = source.planes[layout.plane] else { return [0] }
    let (width, height) = (layout.count(across: source.size.width), layout.count(down: source.size.height))
    let count = 1 << layout.depth
    // Four tables, lest a processor wait for its own last addition where neighbours are alike.
    var tables = [UInt32](repeating: 0, count: 4 * count)
    tables.withUnsafeMutableBufferPointer { tables in
      guard let base = tables.baseAddress else { return }
      for y in stride(from: 0, to: height, by: step(width, height)) {
        layout.forEach(in: start + y * Int(source.strides[layout.plane]), count: width) { x, value in
          base[(x & 3) &* count &+ value] &+= 1
        }
      }
    }
    return (0..<count).map { tables[$0] + tables[count + $0] + tables[2 * count + $0] + tables[3 * count + $0] }
  }

  /// Returns how many pixels of each displayed column have luma values of each range, one number per pixel of the image, from
  /// the top row.
  static func waveform(_ source: ScalerSource, _ orientation: Orientation, size: PixelSize) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: size.area)
    guard let layout = ComponentLayout(.luma, of: source.format), let start = source.planes[layout.plane] else { return counts }
    let (width, height) = (source.size.width, source.size.height)
    let displayed = orientation.swapsSides ? PixelSize(width: height, height: width) : source.size
    // Whether a displayed column is one of the frame or one of its rows, and in which direction they go.
    let first = orientation.sourcePixel(x: 0, y: 0, displayed: displayed)
    let isRow = orientation.swapsSides
    let isReversed = isRow ? first.y > 0 : first.x > 0
    let columns = (0..<displayed.width).map { i in (isReversed ? displayed.width - 1 - i : i) * size.width / displayed.width }
    let (depth, rows, across) = (layout.depth, size.height, size.width)
    counts.withUnsafeMutableBufferPointer { counts in
      columns.withUnsafeBufferPointer { columns in
        guard let base = counts.baseAddress, let columns = columns.baseAddress else { return }
        for y in stride(from: 0, to: height, by: step(width, height)) {
          let line = start + y * Int(source.strides[layout.plane])
          if isRow {
            let column = base + columns[y]
            layout.forEach(in: line, count: width) { _, value in
              column[(rows &- 1 &- (value &* rows) >> depth) &* across] &+= 1
            }
          } else {
            layout.forEach(in: line, count: width) { x, value in
              base[(rows &- 1 &- (value &* rows) >> depth) &* across &+ columns[x]] &+= 1
            }
          }
        }
      }
    }
    return counts
  }

  /// Returns how many chroma samples have values of each range, one number per pixel of the image, from the top row.
  static func vectorscope(_ source: ScalerSource, size: PixelSize) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: size.area)
    guard let cb = ComponentLayout(.cb, of: source.format), let cr = ComponentLayout(.cr, of: source.format),
      let cbStart = source.planes[cb.plane], let crStart = source.planes[cr.plane]
    else {
      // Grey.
      counts[(size.height - 1 - size.height / 2) * size.width + size.width / 2] = 1
      return counts
    }
    let (width, height) = (cb.count(across: source.size.width), cb.count(down: source.size.height))
    var rows = [Int](repeating: 0, count: width)
    counts.withUnsafeMutableBufferPointer { counts in
      rows.withUnsafeMutableBufferPointer { rows in
        guard let base = counts.baseAddress, let rows = rows.baseAddress else { return }
        for y in stride(from: 0, to: height, by: step(width, height)) {
          cr.forEach(in: crStart + y * Int(source.strides[cr.plane]), count: width) { x, value in
            rows[x] = (size.height &- 1 &- (value &* size.height) >> cr.depth) &* size.width
          }
          cb.forEach(in: cbStart + y * Int(source.strides[cb.plane]), count: width) { x, value in
            base[rows[x] &+ (value &* size.width) >> cb.depth] &+= 1
          }
        }
      }
    }
    return counts
  }
}
