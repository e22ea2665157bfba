import CPixelLoops

/// A way to divide a cell of a terminal into ink and ground, as a glyph of blocks does.
public struct CellShape: Hashable, Sendable {
  /// A number of its own, 0 for a cell without ink: a quadrant's mask below 8, then eighths from below and from the left, a
  /// sextant's mask from 32 and an octant's from 128. No two shapes are each other's inverse.
  public let index: UInt8

  package init(index: UInt8) { self.index = index }

  /// A cell without ink.
  public static let blank = CellShape(index: 0)

  /// The samples along a cell's width.
  public static let width = Int(qd_cell_width)
  /// The samples along a cell's height.
  public static let height = Int(qd_cell_height)

  /// The parts of a cell: two in each column and three in each row of samples, so that every shape consists of whole ones.
  package static let columns = 8, rows = 24
  /// The number of all parts.
  package static let parts = columns * rows
  /// The number of parts in a sample.
  static let partsPerSample = 6

  /// The family of a shape, with what it consists of.
  package enum Form: Hashable, Sendable {
    case blank
    /// Quadrants, row by row from bit 0.
    case quadrants(UInt8)
    /// Eighths of the height, from below.
    case lower(Int)
    /// Eighths of the width, from the left.
    case left(Int)
    /// Parts of two columns and three rows, row by row from bit 0.
    case sextants(UInt8)
    /// Parts of two columns and four rows, row by row from bit 0.
    case octants(UInt8)
  }

  private static let eighths = [1, 2, 3, 5, 6, 7]

  /// The form of the shape's ink; nil if no shape has this number.
  package var form: Form? {
    let index = Int(self.index)
    switch index {
    case 0: return .blank
    case 1..<8: return .quadrants(self.index)
    case 8..<14: return .lower(Self.eighths[index - 8])
    case 14..<20: return .left(Self.eighths[index - 14])
    case 33..<64: return index == 32 + 21 ? nil : .sextants(self.index - 32)
    case 129...:
      let mask = self.index - 128
      guard qd_octant_is_redundant(UInt32(mask)) == 0 else { return nil }
      return .octants(qd_octant_is_inverted(UInt32(mask)) != 0 ? ~mask : mask)
    default: return nil
    }
  }

  /// Returns true if a part of the cell is ink.
  package func hasInk(column: Int, row: Int) -> Bool {
    func bit(_ mask: UInt8, _ columns: Int, _ rows: Int) -> Bool {
      mask >> UInt8(row * rows / Self.rows * columns + column * columns / Self.columns) & 1 == 1
    }
    switch form {
    case nil, .blank: return false
    case .quadrants(let mask): return bit(mask, 2, 2)
    case .lower(let count): return row >= Self.rows - 3 * count
    case .left(let count): return column < count
    case .sextants(let mask): return bit(mask, 2, 3)
    case .octants(let mask): return bit(mask, 2, 4)
    }
  }

  /// All shapes, by number; numbers without a shape are missing.
  package static let all = (0...UInt8.max).map(CellShape.init).filter { $0.form != nil }

  /// For each number, how many parts of each sample are ink.
  static let coverage: [UInt8] = (0...UInt8.max).flatMap { index in
    (0..<width * height).map { sample in
      let shape = CellShape(index: index)
      let (x, y) = (sample % width, sample / width)
      return UInt8((0..<partsPerSample).count { shape.hasInk(column: 2 * x + $0 % 2, row: 3 * y + $0 / 2) })
    }
  }
}

/// The shapes that cells may have: blocks (halves, quadrants, eighths from below and from the left), and others besides.
public struct CellShapes: OptionSet, Hashable, Sendable {
  /// The families as bits.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Nothing besides blocks.
  public static let blocks: CellShapes = []
  /// All cells of two columns and three rows.
  public static let sextants = CellShapes(rawValue: UInt8(qd_fit_sextants))
  /// All cells of two columns and four rows.
  public static let octants = CellShapes(rawValue: UInt8(qd_fit_octants))
  /// Everything.
  public static let all: CellShapes = [.sextants, .octants]
}
