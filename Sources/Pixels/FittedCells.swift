import CPixelLoops

/// A cell of an image: a shape and two colours, in twelve bytes.
public struct FittedCell: Hashable, Sendable {
  /// As `qd_cell`: the shape, then each colour's blue, green and red, then those of a difference.
  private let words: (UInt32, UInt32, UInt32)

  private init() { words = (0, 0, 0) }

  /// A black cell without ink.
  package static let black = FittedCell()

  /// The parts that are ink, and the parts that are ground.
  public var shape: CellShape { CellShape(index: UInt8(truncatingIfNeeded: UInt32(littleEndian: words.0))) }
  /// The colour of the ink, as 0x00RRGGBB; the other one if there is no ink.
  public var foreground: UInt32 { UInt32(littleEndian: words.0) >> 8 }
  /// The colour of the rest, as 0x00RRGGBB.
  public var background: UInt32 { UInt32(littleEndian: words.1) & 0xFF_FFFF }

  /// The mean colours of the upper and the lower half of the samples, as 0x00RRGGBB.
  ///
  /// - Parameter inked: the number of the shape's parts that are ink.
  @inline(__always)
  package func halves(inked: UInt32) -> (upper: UInt32, lower: UInt32) {
    let above = UInt32(littleEndian: words.1) >> 24 | UInt32(littleEndian: words.2) << 8
    let all = UInt32(CellShape.parts)
    var (upper, lower): (UInt32, UInt32) = (0, 0)
    for shift: UInt32 in [0, 8, 16] {
      let ink = foreground >> shift & 0xFF, rest = background >> shift & 0xFF
      let mean = Int32((ink &* inked &+ rest &* (all &- inked) &+ all / 2) / all)
      let more = Int32(Int8(truncatingIfNeeded: above >> shift))
      upper |= UInt32(max(0, min(255, mean &+ more))) << shift
      lower |= UInt32(max(0, min(255, mean &- more))) << shift
    }
    return (upper, lower)
  }

  /// Returns true if both have the same shape, colours and means.
  public static func == (a: FittedCell, b: FittedCell) -> Bool { a.words == b.words }

  /// Adds the cell to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
  }
}

/// An image as cells of two colours, each with the shape that fits its samples best.
public struct FittedCells: Equatable, Sendable {
  /// The shapes that were tried.
  public let shapes: CellShapes
  /// The columns of cells that the image touches.
  public let columns: Int
  /// The rows of cells that the image touches.
  public let rows: Int
  /// The samples of the first column of cells to the left of the image. What cells show beside the image is black.
  public let x: Int
  /// The samples of the first row of cells above the image.
  public let y: Int
  /// Row by row.
  public let cells: [FittedCell]

  /// Memory used by the cells, in bytes.
  var byteCount: Int { cells.count * MemoryLayout<FittedCell>.stride }

  /// Fits cells to an image.
  fileprivate init(_ image: PixelImage, _ shapes: CellShapes, x: Int, y: Int) {
    let (width, height) = (CellShape.width, CellShape.height)
    self.shapes = shapes
    (self.x, self.y) = (x, y)
    let columns = (x + image.width + width - 1) / width, rows = (y + image.height + height - 1) / height
    (self.columns, self.rows) = (columns, rows)
    let rowBytes = 3 * image.width, stride = 3 * width * columns
    let isPadded = stride != rowBytes
    cells = image.withBytes { bytes in
      Array(unsafeUninitializedCapacity: columns * rows) { cells, count in
        count = columns * rows
        guard let source = bytes.baseAddress, let cells = cells.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stride * height) { scratch in
          guard let padded = scratch.baseAddress else { return }
          padded.initialize(repeating: 0, count: stride * height)
          for row in 0..<rows {
            let first = row * height - y
            var samples = UnsafePointer(padded)
            if !isPadded, first >= 0, first + height <= image.height {
              samples = source + first * rowBytes
            } else {
              for line in 0..<height {
                let to = padded + line * stride + 3 * x
                if (0..<image.height).contains(first + line) {
                  to.update(from: source + (first + line) * rowBytes, count: rowBytes)
                } else {
                  to.update(repeating: 0, count: rowBytes)
                }
              }
            }
            (cells + row * columns).withMemoryRebound(to: qd_cell.self, capacity: columns) {
              qd_fit_rgb(samples, stride, columns, UInt32(shapes.rawValue), $0)
            }
          }
        }
      }
    }
  }

  /// Writes what the cells show as packed pixels of an image of this size. A sample that a shape divides gets the mean.
  func draw(_ size: PixelSize, into bytes: UnsafeMutablePointer<UInt8>) {
    let (width, height) = (CellShape.width, CellShape.height)
    CellShape.coverage.withUnsafeBufferPointer { coverage in
      for line in 0..<size.height {
        var to = bytes + 3 * size.width * line
        let row = (y + line) / height, part = (y + line) % height * width
        var column = x / width, sample = x % width
        for _ in 0..<size.width {
          let cell = cells[row * columns + column]
          let ink = UInt32(coverage[Int(cell.shape.index) * width * height + part + sample])
          let color = Self.mix(cell.background, cell.foreground, ink)
          (to[0], to[1], to[2]) = (
            UInt8(truncatingIfNeeded: color >> 16), UInt8(truncatingIfNeeded: color >> 8), UInt8(truncatingIfNeeded: color))
          to += 3
          sample += 1
          if sample == width { (column, sample) = (column + 1, 0) }
        }
      }
    }
  }

  @inline(__always)
  private static func mix(_ ground: UInt32, _ ink: UInt32, _ share: UInt32) -> UInt32 {
    let all = UInt32(CellShape.partsPerSample)
    if share == 0 { return ground }
    if share == all { return ink }
    var color: UInt32 = 0
    for shift: UInt32 in [0, 8, 16] {
      color |= ((ground >> shift & 0xFF) * (all - share) + (ink >> shift & 0xFF) * share + all / 2) / all << shift
    }
    return color
  }

  /// Fits cells to samples side by side.
  ///
  /// - Parameters:
  ///   - samples: eight rows of four pixels for each cell, as 0x00RRGGBB.
  ///   - stride: the distance between rows, in pixels.
  package static func fit(
    _ samples: UnsafePointer<UInt32>, stride: Int, _ shapes: CellShapes, into cells: UnsafeMutableBufferPointer<FittedCell>
  ) {
    guard let base = cells.baseAddress else { return }
    UnsafeRawPointer(samples).withMemoryRebound(to: UInt8.self, capacity: 4 * stride * CellShape.height) { samples in
      base.withMemoryRebound(to: qd_cell.self, capacity: cells.count) {
        qd_fit_bgr0(samples, 4 * stride, cells.count, UInt32(shapes.rawValue), $0)
      }
    }
  }
}

extension PixelImage {
  /// Returns an image of cells that are fitted to this one, which take an eighth of its memory. Reading their pixels takes time.
  ///
  /// - Parameters:
  ///   - shapes: the shapes that cells may have.
  ///   - x, y: where the image begins on the grid of cells, in samples: four across and eight down for each cell.
  public func fitted(to shapes: CellShapes, x: Int, y: Int) -> PixelImage {
    PixelImage(size: size, cells: FittedCells(self, shapes, x: x % CellShape.width, y: y % CellShape.height))
  }
}
