import Pixels

/// Glyphs of shapes, and how much of their ink two shapes share.
///
/// `@unchecked Sendable`: the memory is written only in `init` and read afterwards; the single instance is never freed.
final class ShapeTable: @unchecked Sendable {
  static let shared = ShapeTable()

  /// For each shape, its glyph; 0 if there is no such shape.
  let glyphs: UnsafePointer<UInt32>
  /// For each shape, the glyph of the rest of the cell; 0 if no common glyph has that.
  let inverses: UnsafePointer<UInt32>
  /// For each shape, how many of a cell's parts are ink.
  let areas: UnsafePointer<UInt8>
  /// For each pair of shapes, how many parts are ink of both.
  private let overlaps: UnsafePointer<UInt8>
  /// The shapes of glyphs from U+2580, U+1FB00 and U+1CD00 on; `none` for other glyphs.
  private let blocks: UnsafePointer<Int16>
  private let sextants: UnsafePointer<Int16>
  private let octants: UnsafePointer<Int16>

  private static let none: Int16 = -1
  private static let (firstBlock, blockCount): (UInt32, UInt32) = (0x2580, 32)
  private static let (firstSextant, sextantCount): (UInt32, UInt32) = (0x1FB00, 60)
  private static let (firstOctant, octantCount): (UInt32, UInt32) = (0x1CD00, 230)

  private init() {
    func allocate<T>(_ count: Int, _ value: T) -> UnsafeMutablePointer<T> {
      let pointer = UnsafeMutablePointer<T>.allocate(capacity: count)
      pointer.initialize(repeating: value, count: count)
      return pointer
    }
    let glyphs = allocate(256, UInt32(0)), inverses = allocate(256, UInt32(0)), areas = allocate(256, UInt8(0))
    let overlaps = allocate(256 * 256, UInt8(0))
    let blocks = allocate(Int(Self.blockCount), Self.none), sextants = allocate(Int(Self.sextantCount), Self.none)
    let octants = allocate(Int(Self.octantCount), Self.none)
    var masks: [Int: [UInt64]] = [:]
    for shape in CellShape.all {
      let index = Int(shape.index)
      let glyph = Self.glyph(of: shape)
      glyphs[index] = glyph ?? 0x20
      inverses[index] = Self.inverseGlyph(of: shape) ?? 0
      if let glyph {
        switch glyph {
        case Self.firstSextant...: sextants[Int(glyph - Self.firstSextant)] = Int16(index)
        case Self.firstOctant...: octants[Int(glyph - Self.firstOctant)] = Int16(index)
        default: blocks[Int(glyph - Self.firstBlock)] = Int16(index)
        }
      }
      masks[index] = Self.mask(of: shape)
      areas[index] = UInt8(Self.mask(of: shape).reduce(0) { $0 + $1.nonzeroBitCount })
    }
    for (a, mask) in masks {
      for (b, other) in masks {
        overlaps[a << 8 | b] = UInt8(zip(mask, other).reduce(0) { $0 + ($1.0 & $1.1).nonzeroBitCount })
      }
    }
    (self.glyphs, self.inverses, self.areas) = (UnsafePointer(glyphs), UnsafePointer(inverses), UnsafePointer(areas))
    self.overlaps = UnsafePointer(overlaps)
    (self.blocks, self.sextants, self.octants) = (UnsafePointer(blocks), UnsafePointer(sextants), UnsafePointer(octants))
  }

  /// The parts that are ink, eight rows in each number.
  private static func mask(of shape: CellShape) -> [UInt64] {
    (0..<CellShape.rows / 8).map { third in
      (0..<64).reduce(0) { $0 | (shape.hasInk(column: $1 % 8, row: 8 * third + $1 / 8) ? 1 << UInt64($1) : 0) }
    }
  }

  // MARK: - Glyphs

  /// Glyphs of two by two parts, by the mask of the parts that are ink.
  private static let quadrants: [UInt32] = [
    0x20, 0x2598, 0x259D, 0x2580, 0x2596, 0x258C, 0x259E, 0x259B, 0x2597, 0x259A, 0x2590, 0x259C, 0x2584, 0x2599, 0x259F, 0x2588,
  ]

  /// Masks of octants that have no glyph among those from U+1CD00 on, which are in the order of all others.
  ///
  /// Source: Unicode 16, Symbols for Legacy Computing Supplement.
  private static let octantsElsewhere: Set<UInt8> = [
    0, 1, 2, 3, 5, 10, 15, 20, 40, 63, 64, 80, 85, 90, 95, 128, 160, 165, 170, 175, 192, 240, 245, 250, 252, 255,
  ]
  private static let octantGlyphs: [UInt8: UInt32] = Dictionary(
    uniqueKeysWithValues: zip((0...UInt8.max).filter { !octantsElsewhere.contains($0) }, firstOctant...))

  /// Sextants that are the left and the right half.
  private static let (leftHalf, rightHalf): (UInt32, UInt32) = (21, 42)

  private static func sextant(_ mask: UInt8) -> UInt32 {
    let mask = UInt32(mask)
    return firstSextant + mask - 1 - (mask > leftHalf ? 1 : 0) - (mask > rightHalf ? 1 : 0)
  }

  private static func glyph(of shape: CellShape) -> UInt32? {
    switch shape.form {
    case nil, .blank: nil
    case .quadrants(let mask): quadrants[Int(mask)]
    case .lower(let count): 0x2580 + UInt32(count)
    case .left(let count): 0x2590 - UInt32(count)
    case .sextants(let mask): sextant(mask)
    case .octants(let mask): octantGlyphs[mask]
    }
  }

  private static func inverseGlyph(of shape: CellShape) -> UInt32? {
    switch shape.form {
    case nil, .lower, .left: nil
    case .blank: 0x2588
    case .quadrants(let mask): quadrants[15 - Int(mask)]
    case .sextants(let mask): sextant(63 - mask)
    case .octants(let mask): octantGlyphs[~mask]
    }
  }

  /// The shape whose glyph it is, not that of its inverse; nil for other glyphs.
  @inline(__always)
  func shape(of glyph: UInt32) -> Int? {
    let found: Int16
    if glyph &- Self.firstBlock < Self.blockCount {
      found = blocks[Int(glyph &- Self.firstBlock)]
    } else if glyph == 0x20 {
      found = 0
    } else if glyph &- Self.firstOctant < Self.octantCount {
      found = octants[Int(glyph &- Self.firstOctant)]
    } else if glyph &- Self.firstSextant < Self.sextantCount {
      found = sextants[Int(glyph &- Self.firstSextant)]
    } else {
      found = Self.none
    }
    return found < 0 ? nil : Int(found)
  }

  /// Returns true for glyphs of sextants and octants: one column wide, where a terminal has them.
  @inline(__always)
  static func isFine(_ glyph: UInt32) -> Bool {
    glyph &- firstSextant < sextantCount || glyph &- firstOctant < octantCount
  }

  /// The number of parts of two shapes where both have ink, the first alone, the second alone, and neither.
  @inline(__always)
  func shares(_ a: Int, _ b: Int) -> (both: Int32, first: Int32, second: Int32, none: Int32) {
    let both = Int32(overlaps[a << 8 | b])
    let (inkOfA, inkOfB) = (Int32(areas[a]), Int32(areas[b]))
    return (both, inkOfA - both, inkOfB - both, Int32(CellShape.parts) - inkOfA - inkOfB + both)
  }

  /// Returns the squared difference of two cells, summed over both halves, in terms of `distance` of two colours; nil unless
  /// both have shapes.
  @inline(__always)
  func difference(
    _ a: Cell, _ b: Cell, colors: (a: (ink: UInt32, rest: UInt32), b: (ink: UInt32, rest: UInt32)),
    by distance: (UInt32, UInt32) -> Int32
  ) -> Int32? {
    guard let first = shape(of: a.glyph), let second = shape(of: b.glyph) else { return nil }
    return difference(first, second, colors: colors, by: distance)
  }

  /// The same of two shapes with their colours.
  @inline(__always)
  func difference(
    _ first: Int, _ second: Int, colors: (a: (ink: UInt32, rest: UInt32), b: (ink: UInt32, rest: UInt32)),
    by distance: (UInt32, UInt32) -> Int32
  ) -> Int32 {
    let shares = shares(first, second)
    let sum = shares.both &* distance(colors.a.ink, colors.b.ink) &+ shares.first &* distance(colors.a.ink, colors.b.rest)
      &+ shares.second &* distance(colors.a.rest, colors.b.ink) &+ shares.none &* distance(colors.a.rest, colors.b.rest)
    return sum / Int32(CellShape.parts / 2)
  }
}

extension Cell {
  /// Creates an image's cell of a shape; colours have 24 bits or are palette entries.
  @inline(__always)
  init(_ shape: CellShape, ink: CellColor, rest: CellColor, _ table: ShapeTable) {
    let isFlat = ink == rest || shape.index == 0
    self.init(
      glyph: isFlat ? 0x20 : table.glyphs[Int(shape.index)], foreground: isFlat ? .default : ink, background: rest, isImage: true)
  }
}
