import CellGraphics
import Foundation
import Pixels
import Testing

/// Edges and what is like text are not smeared first: they keep their bytes before soft colours and their grain do.
@Suite(.timeLimit(.minutes(20))) struct EncoderDetailTests {
  private let columns = 96, rows = 32
  /// Strokes on the left of it, soft colours on the right.
  private let border = 48

  /// Strokes of the width of a pixel or two, as of letters, beside a soft gradient with grain; both move slowly.
  private func image(at turn: Int, grain: Int, _ random: inout TestRandom) -> PixelImage {
    PixelImage(size: PixelSize(width: columns, height: 2 * rows)) { bytes in
      for y in 0..<(2 * rows) {
        for x in 0..<columns {
          var color: [Double]
          if x < border {
            // Letters of four by six pixels, of strokes that are chosen by their place in the text.
            let (column, line) = ((x + turn) / 5, y / 8)
            let (u, v) = ((x + turn) % 5, y % 8)
            let letter = (column &* 7 &+ line &* 13) % 8
            let isStroke =
              v < 6 && u < 4 && (u == letter % 4 || v == letter % 6 || (letter > 4 && u == 3) || (letter % 3 == 0 && v == 5))
            color = isStroke ? [225, 220, 210] : [28, 32, 40]
          } else {
            let (u, v) = (Double(x - border) / Double(columns), Double(y) / Double(2 * rows))
            let time = Double(turn) * 0.05
            color = [128 + 70 * sin(3 * u + time), 120 + 60 * sin(2 * v - time), 130 + 60 * sin(2 * (u + v) + time)]
          }
          for c in 0..<3 {
            let noise = x < border ? 0 : Double(Int.random(in: -grain...grain, using: &random))
            bytes[3 * (y * columns + x) + c] = UInt8(max(0, min(255, color[c] + noise)))
          }
        }
      }
    }
  }

  private func show(_ image: PixelImage, _ grid: inout CellGrid) {
    Blitter.halfBlocks.blit(
      FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)), into: &grid,
      palette: Palette(depth: .trueColor))
  }

  private func halves(_ cell: Cell) -> [SIMD3<Double>] {
    func vector(_ color: CellColor) -> SIMD3<Double> {
      if case .rgb(let red, let green, let blue) = color.kind { SIMD3(Double(red), Double(green), Double(blue)) } else { .zero }
    }
    return cell.glyph == 0x20
      ? [vector(cell.background), vector(cell.background)] : [vector(cell.foreground), vector(cell.background)]
  }

  /// The figures of one part of the screen.
  private struct Part {
    /// Squared differences from the intended image.
    var error = 0.0
    /// The same, if each 8×8 pixels were one colour: the detail there is to lose.
    var detail = 0.0
    /// Intended edges, between the halves of a cell and to the cell before, and those of them that are shown.
    var edges = 0
    var edgesShown = 0
    /// The part of the detail that is lost: 1 if all of it is.
    var loss: Double { error / detail }

    mutating func count(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ seenA: SIMD3<Double>, _ seenB: SIMD3<Double>) {
      guard a != b else { return }
      edges += 1
      if seenA != seenB { edgesShown += 1 }
    }

    var edgeShare: Double { Double(edgesShown) / Double(edges) }
  }

  private func part(_ range: Range<Int>, _ shown: CellGrid, _ grid: CellGrid) -> Part {
    var part = Part()
    for row in stride(from: 0, to: rows, by: 4) {
      for column in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        var meant: [SIMD3<Double>] = []
        for y in row..<row + 4 {
          for x in column..<column + 8 {
            let wanted = halves(grid[column: x, row: y])
            let seen = halves(shown[column: x, row: y])
            meant += wanted
            for (a, b) in zip(wanted, seen) { part.error += ((a - b) * (a - b)).sum() }
            part.count(wanted[0], wanted[1], seen[0], seen[1])
            guard x > range.lowerBound else { continue }
            let (wantedBefore, seenBefore) = (halves(grid[column: x - 1, row: y]), halves(shown[column: x - 1, row: y]))
            for n in 0...1 { part.count(wantedBefore[n], wanted[n], seenBefore[n], seen[n]) }
          }
        }
        let mean = meant.reduce(.zero, +) / Double(meant.count)
        part.detail += meant.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() }
      }
    }
    return part
  }

  /// Where all of it is new, and after some updates. Once nearly all edges are there, grain gets what is left.
  @Test(arguments: [0.1, 0.2, 0.35, 0.5], [4, 12])
  func strokesAreKeptBeforeGrain(budgetShare: Double, grain: Int) {
    var random = TestRandom(3)
    let profile = EncoderProfile(colorDepth: .trueColor, erasesCells: true, backColorErase: true)
    var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: profile)
    var grid = CellGrid(columns: columns, rows: rows)
    show(image(at: 0, grain: grain, &random), &grid)
    var exact = DifferenceEncoder(columns: columns, rows: rows, profile: profile)
    var all: [UInt8] = []
    _ = exact.encode(grid, imageBudget: nil, into: &all)
    let budget = Int(Double(all.count) * budgetShare)
    for turn in 0..<4 {
      if turn > 0 { show(image(at: turn, grain: grain, &random), &grid) }
      var bytes: [UInt8] = []
      _ = encoder.encode(grid, imageBudget: budget, into: &bytes)
      let strokes = part(0..<border, encoder.shown, grid)
      let soft = part(border..<columns, encoder.shown, grid)
      #expect(strokes.loss < soft.loss, "turn \(turn): \(strokes) \(soft)")
      #expect(strokes.edgeShare > min(0.98, 2 * soft.edgeShare), "turn \(turn): \(strokes) \(soft)")
    }
  }

  /// The eye sees light best: the same differences are kept in green before they are in red, and in red before blue.
  @Test(arguments: [0.15, 0.3]) func lightIsKeptBeforeColor(budgetShare: Double) {
    var random = TestRandom(5)
    let texture = PixelImage(size: PixelSize(width: columns, height: 2 * rows)) { bytes in
      for n in 0..<(bytes.count / 3) {
        for c in 0..<3 { bytes[3 * n + c] = 128 }
        // Green, red and blue from left to right.
        let component = [1, 0, 2][n % columns / (columns / 3)]
        bytes[3 * n + component] = UInt8(Int.random(in: 108...148, using: &random))
      }
    }
    var grid = CellGrid(columns: columns, rows: rows)
    show(texture, &grid)
    var exact = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: .trueColor))
    var encoder = exact
    var bytes: [UInt8] = []
    _ = exact.encode(grid, imageBudget: nil, into: &bytes)
    let budget = Int(Double(bytes.count) * budgetShare)
    _ = encoder.encode(grid, imageBudget: budget, into: &bytes)
    let losses = [0, 1, 2].map { part($0 * columns / 3..<($0 + 1) * columns / 3, encoder.shown, grid).loss }
    #expect(losses[0] < losses[1] && losses[1] < losses[2], "\(losses)")
  }

  /// Grain is no reason to send a cell where bytes are few: the more there are, the less of it is left, and exact is exact.
  @Test func grainIsLeftByWhatBytesAreWorth() {
    /// The part of the cells of an image with grain alone that are sent anew, beside one that moves.
    func sentShare(_ budget: Int?) -> Double {
      var random = TestRandom(14)
      var encoder = DifferenceEncoder(
        columns: columns, rows: rows, profile: .init(colorDepth: .trueColor, erasesCells: true, backColorErase: true))
      var grid = CellGrid(columns: columns, rows: rows)
      let right = CellRect(x: border, y: 0, width: columns - border, height: rows)
      var (sent, cells) = (0, 0)
      for n in 0..<12 {
        show(random.softImage(columns, rows, at: 0, grain: 3), &grid)
        let moving = random.softImage(columns, rows, at: Double(n) * 0.1, grain: 3)
        Blitter.halfBlocks.blit(
          FrameLayer(image: moving, cells: right, imageRect: PixelRect(size: moving.size)), into: &grid,
          palette: Palette(depth: .trueColor))
        let former = encoder.shown
        var bytes: [UInt8] = []
        _ = encoder.encode(grid, imageBudget: budget, into: &bytes)
        guard n >= 6 else { continue }
        for row in 0..<rows {
          for column in 0..<border {
            cells += 1
            if !encoder.shown[column: column, row: row].looksLike(former[column: column, row: row]) { sent += 1 }
          }
        }
      }
      return Double(sent) / Double(cells)
    }
    let shares = [4000, 12_000, 30_000, nil].map(sentShare)
    #expect(shares == shares.sorted() && shares[0] < 0.1, "\(shares)")
    #expect(shares[3] > 0.99, "\(shares)")
  }
}
