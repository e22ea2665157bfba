import TestSupport
import Testing

@testable import Pixels

/// Cells fitted to samples, against trying everything.
@Suite(.timeLimit(.minutes(20))) struct CellFitTests {
  private let width = CellShape.width
  private let height = CellShape.height

  /// The shapes that may be chosen.
  private func allowed(_ shapes: CellShapes) -> [CellShape] {
    CellShape.all.filter { shape in
      switch shape.form {
      case .sextants: shapes.contains(.sextants)
      case .octants: shapes.contains(.octants)
      default: true
      }
    }
  }

  /// The share of each sample that is ink, 0…1.
  private func coverage(_ shape: CellShape) -> [Double] {
    (0..<width * height).map { sample in
      let (x, y) = (sample % width, sample / width)
      return Double((0..<6).count { shape.hasInk(column: 2 * x + $0 % 2, row: 3 * y + $0 / 2) }) / 6
    }
  }

  /// The error of a shape with its best colours or with given ones: squared differences over the area of each sample.
  private func error(_ samples: [[Double]], _ shape: CellShape, ink: [Double]? = nil, rest: [Double]? = nil) -> Double {
    let inked = coverage(shape)
    let area = inked.reduce(0, +)
    var sum = 0.0
    for k in 0..<3 {
      let lit = zip(samples, inked).reduce(0) { $0 + $1.0[k] * $1.1 }, all = samples.reduce(0) { $0 + $1[k] }
      let own = ink?[k] ?? (area > 0 ? lit / area : 0), other = rest?[k] ?? ((all - lit) / (Double(samples.count) - area))
      for (sample, part) in zip(samples, inked) {
        sum += part * (sample[k] - own) * (sample[k] - own) + (1 - part) * (sample[k] - other) * (sample[k] - other)
      }
    }
    return sum
  }

  private func components(_ color: UInt32) -> [Double] { [16, 8, 0].map { Double(color >> $0 & 0xFF) } }

  /// Images of noise, of edges and of gentle slopes.
  private func image(_ cells: Int, _ random: inout SeededGenerator) -> PixelImage {
    PixelImage(size: PixelSize(width: width * cells, height: height)) { x, y in
      let cell = x / width
      switch cell % 3 {
      case 0:
        func any() -> UInt8 { .random(in: 0...255, using: &random) }
        return (any(), any(), any())
      case 1: return (x * (cell % 7 + 1) + y * 3) % 23 < 11 ? (200, UInt8(cell % 256), 40) : (20, 90, UInt8((cell * 5) % 256))
      default: return (UInt8(100 + x % width * 2), UInt8(100 + y), UInt8(90 + x % width))
      }
    }
  }

  @Test(arguments: [CellShapes.blocks, .sextants, .octants, .all], [1, 7, 8, 9, 45])
  func noShapeIsMuchBetter(shapes: CellShapes, cells: Int) throws {
    var random = SeededGenerator(seed: UInt64(cells))
    let image = image(cells, &random)
    let fitted = try #require(image.fitted(to: shapes, x: 0, y: 0).cells)
    #expect(fitted.columns == cells && fitted.rows == 1 && fitted.shapes == shapes)
    let candidates = allowed(shapes)
    for (n, cell) in fitted.cells.enumerated() {
      let samples = (0..<width * height).map { sample in
        let pixel = image[n * width + sample % width, sample / width]
        return [Double(pixel.red), Double(pixel.green), Double(pixel.blue)]
      }
      #expect(candidates.contains(cell.shape))
      let best = candidates.map { error(samples, $0) }.min() ?? 0
      let own = error(samples, cell.shape, ink: components(cell.foreground), rest: components(cell.background))
      let inked = UInt32((0..<24).reduce(0) { sum, row in sum + (0..<8).count { cell.shape.hasInk(column: $0, row: row) } })
      let halves = cell.halves(inked: inked)
      for (half, part) in [(halves.upper, samples.prefix(16)), (halves.lower, samples.suffix(16))] {
        for (k, value) in components(half).enumerated() { #expect(abs(value - part.reduce(0) { $0 + $1[k] } / 16) <= 1.6) }
      }
      // Colours are rounded, and a shape has to be worth its bytes.
      let rounding = 0.25 * 3 * Double(width * height)
      #expect(own <= best + 24 + rounding + 1e-3 * best, "cell \(n): shape \(cell.shape.index), \(own) instead of \(best)")
    }
  }

  @Test func everyShapeIsFound() throws {
    for shape in CellShape.all where shape.index != 0 {
      let inked = coverage(shape)
      let image = PixelImage(size: PixelSize(width: width, height: height)) { x, y in
        let part = inked[y * width + x]
        return (UInt8(30 + 200 * part), UInt8(220 - 150 * part), 80)
      }
      let cell = try #require(image.fitted(to: .all, x: 0, y: 0).cells?.cells.first)
      // A boundary within a sample is as good as that of another shape at times.
      if inked.allSatisfy({ $0 == 0 || $0 == 1 }) {
        #expect(cell.shape == shape && cell.foreground == 0xE64650 && cell.background == 0x1EDC50, "shape \(shape.index)")
        #expect(image.fitted(to: .all, x: 0, y: 0) == image)
      }
    }
  }

  @Test func whatLiesBesideTheImageIsBlack() throws {
    var random = SeededGenerator(seed: 5)
    let image = PixelImage(size: PixelSize(width: 21, height: 19)) { _, _ in
      (.random(in: 0...255, using: &random), .random(in: 0...255, using: &random), 7)
    }
    for (x, y) in [(0, 0), (3, 0), (1, 7), (2, 5)] {
      let fitted = try #require(image.fitted(to: .all, x: x + 4, y: y + 16).cells)
      #expect((fitted.x, fitted.y) == (x, y))
      #expect((fitted.columns, fitted.rows) == ((x + 24) / 4, (y + 26) / 8))
      let padded = PixelImage(size: PixelSize(width: 4 * fitted.columns, height: 8 * fitted.rows)) { column, row in
        let (u, v) = (column - x, row - y)
        return (0..<21).contains(u) && (0..<19).contains(v) ? image[u, v] : (0, 0, 0)
      }
      #expect(padded.fitted(to: .all, x: 0, y: 0).cells?.cells == fitted.cells)
    }
  }

  @Test func cellsTakeAnEighthOfTheMemory() {
    var random = SeededGenerator(seed: 6)
    let image = image(50, &random)
    let fitted = image.fitted(to: .blocks, x: 0, y: 0)
    #expect(fitted.size == image.size && fitted.byteCount * 8 == image.byteCount)
    #expect(fitted.withBytes { $0.count } == image.byteCount)
  }
}
