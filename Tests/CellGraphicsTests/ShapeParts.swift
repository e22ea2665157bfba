@testable import CellGraphics

/// The areas that glyphs of blocks, sextants and octants cover, by code point, in eight columns and 24 rows of parts.
enum ShapeParts {
  private static let quadrants: [UInt32: Int] = [
    0x2598: 1, 0x259D: 2, 0x2580: 3, 0x2596: 4, 0x258C: 5, 0x259E: 6, 0x259B: 7, 0x2597: 8, 0x259A: 9, 0x2590: 10, 0x259C: 11,
    0x2584: 12, 0x2599: 13, 0x259F: 14,
  ]

  /// The masks of octants from U+1CD00 on: all that no other character had.
  static let octants: [Int] = (0..<256).filter {
    ![0, 1, 2, 3, 5, 10, 15, 20, 40, 63, 64, 80, 85, 90, 95, 128, 160, 165, 170, 175, 192, 240, 245, 250, 252, 255].contains($0)
  }

  /// The masks of sextants from U+1FB00 on.
  static let sextants: [Int] = (1..<63).filter { $0 != 21 && $0 != 42 }

  /// The parts that are ink, row by row; nil for other glyphs.
  static func ink(of glyph: UInt32) -> [Bool]? {
    func grid(_ columns: Int, _ rows: Int, _ mask: Int) -> [Bool] {
      (0..<24).flatMap { y in (0..<8).map { x in mask >> (y * rows / 24 * columns + x * columns / 8) & 1 == 1 } }
    }
    if let mask = quadrants[glyph] { return grid(2, 2, mask) }
    switch glyph {
    case 0x20: return grid(1, 1, 0)
    case 0x2588: return grid(1, 1, 1)
    case 0x2581...0x2587: return (0..<24).flatMap { y in (0..<8).map { _ in y >= 24 - 3 * Int(glyph - 0x2580) } }
    case 0x2589...0x258F: return (0..<24).flatMap { _ in (0..<8).map { $0 < Int(0x2590 - glyph) } }
    case 0x1FB00...0x1FB3B: return grid(2, 3, sextants[Int(glyph - 0x1FB00)])
    case 0x1CD00...0x1CDE5: return grid(2, 4, octants[Int(glyph - 0x1CD00)])
    default: return nil
    }
  }

  /// Returns true if two cells of two colours each look the same.
  static func lookSame(_ a: Cell, _ b: Cell) -> Bool? {
    guard a.attributes.isEmpty, b.attributes.isEmpty, let first = ink(of: a.glyph), let second = ink(of: b.glyph)
    else { return nil }
    return zip(first, second).allSatisfy { ($0 ? a.foreground : a.background) == ($1 ? b.foreground : b.background) }
  }
}

extension TestRandom {
  /// A screen of cells with all shapes, in a few colours or in many, with something else in between.
  mutating func shapes(_ columns: Int, _ rows: Int, _ depth: ColorDepth) -> CellGrid {
    var grid = CellGrid(columns: columns, rows: rows)
    let glyphs = CellGlyphs.all(.blocks) + CellGlyphs.all(.all)
    // Images have one form of each cell.
    let canonical = glyphs.map(\.value).filter { ShapeTable.shared.shape(of: $0) != nil }
    for row in 0..<rows {
      var ink = imageCell(depth).background, rest = imageCell(depth).background
      for column in 0..<columns {
        if chance(4) { ink = imageCell(depth).background }
        if chance(4) { rest = imageCell(depth).background }
        switch Int.random(in: 0..<12, using: &self) {
        case 0: grid[column: column, row: row] = chromeCell().glyph == 0 ? .blank : Cell("x")
        case 1, 2: grid[column: column, row: row] = imageCell(depth)
        case 3: grid[column: column, row: row] = Cell(background: rest, isImage: true)
        default:
          let glyph = canonical.randomElement(using: &self) ?? 0x2598
          grid[column: column, row: row] = Cell(glyph: glyph, foreground: ink, background: rest, isImage: true)
        }
      }
    }
    return grid
  }
}
