import CellGraphics
import Pixels
import Testing

@Suite(.timeLimit(.minutes(20))) struct EncoderBudgetTests {
  let columns = 60, rows = 20

  func show(_ image: PixelImage, _ grid: inout CellGrid, _ palette: Palette) {
    Blitter.halfBlocks.blit(
      FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)),
      into: &grid, palette: palette)
  }

  @Test(arguments: ColorDepth.allCases)
  func nothingStarvesUnderEverChangingImages(depth: ColorDepth) {
    var random = TestRandom(3)
    let palette = Palette(depth: depth)
    var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: depth))
    var grid = CellGrid(columns: columns, rows: rows)
    let images = (0..<7).map { _ in
      // The left part changes wildly, the right part by a shade: it must get its turn all the same.
      PixelImage(size: PixelSize(width: columns, height: 2 * rows)) { bytes in
        for n in 0..<(bytes.count / 3) {
          let isWild = n % columns < columns * 3 / 4
          for c in 0..<3 { bytes[3 * n + c] = isWild ? random.byte() : 120 + random.byte() % 16 }
        }
      }
    }
    var waiting = [Int](repeating: 0, count: columns * rows)
    var longest = 0
    for update in 0..<400 {
      show(images[update % 7], &grid, palette)
      var bytes: [UInt8] = []
      let result = encoder.encode(grid, imageBudget: 700, into: &bytes)
      #expect(result.imageBytes <= 700)
      let shown = encoder.shown
      // What is approximated need not be equal, nor need dithered cells: near is what counts, and the mean around them.
      for n in waiting.indices where n % columns >= columns * 3 / 4 {
        let (x, y) = (n % columns, n / columns)
        let isShown =
          shown[column: x, row: y].looksLike(grid[column: x, row: y])
          || (depth == .trueColor
            ? squaredError(shown[column: x, row: y], grid[column: x, row: y]) < 6 * 24 * 24
            : meansAreNear(shown, grid, x, y, within: depth == .palette256 ? 16 : 48))
        waiting[n] = isShown ? 0 : waiting[n] + 1
        longest = max(longest, waiting[n])
      }
    }
    #expect(longest < 260)
  }

  /// Returns true if the means of each component around a cell are near to each other.
  private func meansAreNear(_ a: CellGrid, _ b: CellGrid, _ x: Int, _ y: Int, within limit: Int) -> Bool {
    var sums = [0, 0, 0]
    var count = 0
    for row in max(0, y - 2)...min(rows - 1, y + 2) {
      for column in max(columns * 3 / 4, x - 4)...min(columns - 1, x + 4) {
        let (first, second) = (halves(of: a[column: column, row: row]), halves(of: b[column: column, row: row]))
        for (one, other) in zip(first, second) {
          for c in 0..<3 { sums[c] += one[c] - other[c] }
          count += 1
        }
      }
    }
    return sums.allSatisfy { abs($0) <= limit * count }
  }

  @Test func whatDiffersMostGoesFirst() {
    let palette = Palette(depth: .trueColor)
    var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: .trueColor))
    var grid = CellGrid(columns: columns, rows: rows)
    func image(_ value: (Int, Int) -> UInt8) -> PixelImage {
      PixelImage(size: PixelSize(width: columns, height: 2 * rows)) { bytes in
        for n in 0..<(bytes.count / 3) {
          let v = value(n % columns, n / columns)
          (bytes[3 * n], bytes[3 * n + 1], bytes[3 * n + 2]) = (v, v, v)
        }
      }
    }
    show(image { _, _ in 100 }, &grid, palette)
    var bytes: [UInt8] = []
    _ = encoder.encode(grid, imageBudget: nil, into: &bytes)
    // Everything changes a little; a square in the bottom right corner changes much.
    func inSquare(_ x: Int, _ y: Int) -> Bool { x >= 50 && y >= 30 }
    show(image { x, y in inSquare(x, y) ? UInt8(150 + x + y) : UInt8(101 + (x * 7 + y) % 5) }, &grid, palette)
    func errors() -> (square: Int, rest: Int) {
      var sums = (square: 0, rest: 0)
      for x in 0..<columns {
        for y in 0..<rows {
          let error = squaredError(encoder.shown[column: x, row: y], grid[column: x, row: y])
          if inSquare(x, 2 * y) { sums.square += error } else { sums.rest += error }
        }
      }
      return sums
    }
    let before = errors()
    bytes = []
    let result = encoder.encode(grid, imageBudget: 1500, into: &bytes)
    #expect(bytes.count <= 1500 && bytes.count > 1200)
    #expect(!result.isExact)
    let after = errors()
    #expect(after.square < before.square / 6, "\(before) \(after)")
    #expect(after.rest <= before.rest)
  }

  /// Shades, which are not planned, share the bytes as half blocks do.
  @Test func theFocusedImageHasMoreOfTheShades() {
    let halves = (
      CellRect(x: 0, y: 0, width: columns / 2, height: rows), CellRect(x: columns / 2, y: 0, width: columns / 2, height: rows)
    )
    func stale(_ emphasis: (Float, Float)) -> (left: Int, right: Int) {
      var random = TestRandom(8)
      var encoder = DifferenceEncoder(
        columns: columns, rows: rows, profile: .init(colorDepth: .palette256, glyphSet: .ascii))
      encoder.regions = [
        ImageRegion(cells: halves.0, emphasis: emphasis.0), ImageRegion(cells: halves.1, emphasis: emphasis.1),
      ]
      var grid = CellGrid(columns: columns, rows: rows)
      var counts = (left: 0, right: 0)
      for update in 0..<40 {
        Blitter.asciiShades.blit(
          FrameLayer(
            image: random.softImage(columns, rows, at: Double(update) / 4, grain: 30), cells: grid.bounds,
            imageRect: PixelRect(size: PixelSize(width: columns, height: 2 * rows))), into: &grid,
          palette: Palette(depth: .palette256))
        var bytes: [UInt8] = []
        _ = encoder.encode(grid, imageBudget: 2000, into: &bytes)
        guard update >= 10 else { continue }
        for row in 0..<rows {
          for column in 0..<columns {
            let shown = encoder.shown[column: column, row: row]
            guard !shown.looksLike(encoder.expressed(grid[column: column, row: row])) else { continue }
            if column < columns / 2 { counts.left += 1 } else { counts.right += 1 }
          }
        }
      }
      return counts
    }
    let (left, right) = (stale((2, 1)), stale((1, 2)))
    #expect(left.left * 10 < left.right * 9 && right.right * 10 < right.left * 9, "\(left) \(right)")
  }

  @Test func chromeIsSentWhateverTheBudget() {
    var random = TestRandom(11)
    for seed in 0..<50 {
      let profile = EncoderProfile(colorDepth: .trueColor, synchronizedUpdates: seed % 2 == 0)
      var encoder = DifferenceEncoder(columns: 30, rows: 6, profile: profile)
      let target = random.grid(30, 6, .trueColor)
      var bytes: [UInt8] = []
      let result = encoder.encode(target, imageBudget: 0, into: &bytes)
      #expect(result.imageBytes == 0)
      var checked = CheckedEncoder(columns: 30, rows: 6, profile: profile)
      // All of the chrome has to be there.
      #expect(checked.update(target, budget: 0) == nil)
      for row in 0..<6 {
        for column in 0..<30 where target[column: column, row: row].isImage {
          // Not sent: still the cleared screen, unless it had to go with a wide glyph or looks like that.
          let shown = encoder.shown[column: column, row: row]
          #expect(shown.looksLike(.blank) || shown.looksLike(target[column: column, row: row]))
        }
      }
    }
  }

  @Test func theBudgetIsSpent() {
    let palette = Palette(depth: .palette256)
    var random = TestRandom(5)
    var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: .init(colorDepth: .palette256))
    var grid = CellGrid(columns: columns, rows: rows)
    for update in 0..<30 {
      show(random.image(columns, 2 * rows), &grid, palette)
      var bytes: [UInt8] = []
      let result = encoder.encode(grid, imageBudget: 3000, into: &bytes)
      #expect(result.imageBytes <= 3000)
      if update > 2 { #expect(result.imageBytes > 2100) }
    }
  }
}

/// Squared differences of components of both halves of two cells.
func squaredError(_ a: Cell, _ b: Cell) -> Int {
  if let error = shapeError(a, b) { return error }
  return zip(halves(of: a), halves(of: b)).reduce(0) { sum, pair in
    zip(pair.0, pair.1).reduce(sum) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }
}

/// The same of cells with other shapes, part by part; nil for halves and for glyphs that are no shapes.
private func shapeError(_ a: Cell, _ b: Cell) -> Int? {
  func isHalf(_ glyph: UInt32) -> Bool { glyph == 0x20 || glyph == 0x2580 }
  guard !isHalf(a.glyph) || !isHalf(b.glyph), let inkOfA = ShapeParts.ink(of: a.glyph),
    let inkOfB = ShapeParts.ink(of: b.glyph)
  else { return nil }
  func colors(_ cell: Cell) -> (ink: [Int], rest: [Int]) {
    let halves = halves(of: Cell(glyph: 0x2580, foreground: cell.foreground, background: cell.background))
    return (halves[0], halves[1])
  }
  let (first, second) = (colors(a), colors(b))
  return zip(inkOfA, inkOfB).reduce(0) { sum, inks in
    zip(inks.0 ? first.ink : first.rest, inks.1 ? second.ink : second.rest).reduce(sum) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  } / 96
}

/// The components of a cell's upper and lower half; the default colours are xterm's.
func halves(of cell: Cell) -> [[Int]] {
  func components(_ color: CellColor, default fallback: Int) -> [Int] {
    switch color.kind {
    case .default: [fallback, fallback, fallback]
    case .rgb(let r, let g, let b): [Int(r), Int(g), Int(b)]
    case .indexed(let index) where index >= 232: [Int](repeating: 8 + 10 * (Int(index) - 232), count: 3)
    case .indexed(let index) where index >= 16:
      [Int(index - 16) / 36, Int(index - 16) / 6 % 6, Int(index - 16) % 6].map { $0 == 0 ? 0 : 55 + 40 * $0 }
    case .indexed(let index):
      [16, 8, 0].map { Int(firstColors[Int(index)] >> $0 & 0xFF) }
    }
  }
  let foreground = components(cell.foreground, default: 0xE5)
  let background = components(cell.background, default: 0)
  return switch cell.glyph {
  case 0x2580: [foreground, background]
  case 0x2584: [background, foreground]
  case 0x2588: [foreground, foreground]
  default: [background, background]
  }
}

/// xterm's first 16 colours.
private let firstColors: [UInt32] = [
  0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
  0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
]
