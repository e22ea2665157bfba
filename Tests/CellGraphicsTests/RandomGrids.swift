import CellGraphics
import Pixels

/// Random colours, cells and grids for the encoder's tests.
extension TestRandom {
  mutating func color() -> CellColor {
    switch UInt8.random(in: 0..<8, using: &self) {
    case 0: .default
    case 1, 2: .indexed(.random(in: 0..<16, using: &self))
    case 3: .indexed(.random(in: .min ... .max, using: &self))
    case 4, 5: [.rgb(0, 0, 0), .rgb(255, 255, 255), .rgb(9, 99, 199)].randomElement(using: &self) ?? .default
    default:
      .rgb(
        .random(in: .min ... .max, using: &self), .random(in: .min ... .max, using: &self),
        .random(in: .min ... .max, using: &self))
    }
  }

  mutating func byte() -> UInt8 { .random(in: .min ... .max, using: &self) }

  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }

  mutating func chromeCell() -> Cell {
    let glyphs: [UInt32] = [
      0x20, 0x20, 0x20, 0x41, 0x7E, 0xE9, 0x2500, 0x2502, 0x2588, 0x2580, 0x258C, 0x2592, 0x20AC, 0x28FF,
      0, 0x1B, 0x9B, 0x301, 0xD800, 0x11_0000, 0x4E00, 0x1F600, 0x200B,
    ]
    return Cell(
      glyph: glyphs.randomElement(using: &self) ?? 0x20, foreground: color(), background: color(),
      attributes: chance(3) ? CellAttributes(rawValue: byte() & 31) : [])
  }

  mutating func imageCell(_ depth: ColorDepth) -> Cell {
    func any(_ random: inout TestRandom) -> CellColor {
      switch depth {
      case .mono: .default
      case .ansi8: .indexed(random.byte() & 7)
      case .ansi16: .indexed(random.byte() & 15)
      case .palette256: .indexed(random.byte())
      case .trueColor: .rgb(random.byte() & 0xC0, random.byte(), random.byte() & 0x80)
      }
    }
    let glyph: UInt32 =
      depth == .mono
      ? ([0x20, 0x2580, 0x2584, 0x2588].randomElement(using: &self) ?? 0x20)
      : chance(4) ? 0x20 : 0x2580
    return Cell(
      glyph: glyph, foreground: glyph == 0x20 ? .default : any(&self), background: any(&self),
      isImage: true)
  }

  /// A screen of chrome and images, with whole and broken wide glyphs, runs and single cells.
  mutating func grid(_ columns: Int, _ rows: Int, _ depth: ColorDepth) -> CellGrid {
    var grid = CellGrid(columns: columns, rows: rows)
    change(&grid, depth, cells: columns * rows)
    return grid
  }

  /// Changes about `cells` cells of a grid.
  mutating func change(_ grid: inout CellGrid, _ depth: ColorDepth, cells: Int) {
    var left = cells
    while left > 0, grid.columns > 0, grid.rows > 0 {
      let row = Int.random(in: 0..<grid.rows, using: &self)
      var column = Int.random(in: 0..<grid.columns, using: &self)
      switch Int.random(in: 0..<6, using: &self) {
      case 0:
        let cell = chance(2) ? imageCell(depth) : chance(2) ? .blank : chromeCell()
        let end = min(grid.columns, column + Int.random(in: 1...40, using: &self))
        left -= end - column
        while column < end {
          grid[column: column, row: row] = cell
          column += 1
        }
      case 1 where column + 1 < grid.columns:
        var cell = chromeCell()
        cell.glyph = [0x4E00, 0x3042, 0x1F600].randomElement(using: &self) ?? 0x4E00
        grid[column: column, row: row] = cell
        cell.glyph = 0
        grid[column: column + 1, row: row] = cell
        left -= 2
      case 2:
        grid[column: column, row: row] = chromeCell()
        left -= 1
      default:
        let end = min(grid.columns, column + Int.random(in: 1...20, using: &self))
        left -= end - column
        while column < end {
          grid[column: column, row: row] = imageCell(depth)
          column += 1
        }
      }
    }
  }

  /// None, or two images side by side, of which one or both may rest.
  mutating func regions(_ columns: Int, _ rows: Int) -> [ImageRegion] {
    guard chance(2) else { return [] }
    let middle = Int.random(in: 0...columns, using: &self)
    return [(0, middle), (middle, columns - middle)].map { x, width in
      // Whether it is exact takes no random number, so that the seeds that have found something stay what they were.
      ImageRegion(
        cells: CellRect(x: x, y: 0, width: width, height: rows), emphasis: chance(2) ? 2 : 1, isStill: chance(2),
        isExact: (middle + x / 2) % 2 == 1)
    }
  }

  /// Gives an encoder another quality or other images, now and then.
  mutating func turn(_ encoder: inout DifferenceEncoder, _ columns: Int, _ rows: Int) {
    if chance(4) { encoder.quality = encoder.quality == .exact ? .high : .exact }
    if chance(4) { encoder.regions = regions(columns, rows) }
  }

  /// Turns the colours of some image cells by steps that can hardly be seen.
  mutating func nudge(_ grid: inout CellGrid) {
    func nudged(_ color: CellColor, _ random: inout TestRandom) -> CellColor {
      guard case .rgb(let red, let green, let blue) = color.kind else { return color }
      func turned(_ value: UInt8) -> UInt8 {
        UInt8(max(0, min(255, Int(value) + Int.random(in: -2...2, using: &random))))
      }
      return .rgb(turned(red), turned(green), turned(blue))
    }
    for row in 0..<grid.rows {
      for column in 0..<grid.columns where grid[column: column, row: row].isImage && chance(2) {
        grid[column: column, row: row].foreground = nudged(grid[column: column, row: row].foreground, &self)
        grid[column: column, row: row].background = nudged(grid[column: column, row: row].background, &self)
      }
    }
  }

  mutating func image(_ width: Int, _ height: Int) -> PixelImage {
    PixelImage(size: PixelSize(width: width, height: height)) { bytes in
      var n = 0
      while n < bytes.count {
        bytes[n] = byte()
        n += 1
      }
    }
  }
}
