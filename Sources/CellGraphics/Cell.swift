/// A cell of the screen: a glyph, two colours and attributes, in 16 bytes without padding.
public struct Cell: Equatable, Sendable {
  /// The Unicode scalar shown, a letter with marks encoded as by `GlyphCluster`, or 0 in the right half of a wide glyph.
  public var glyph: UInt32
  public var foreground: CellColor
  public var background: CellColor
  /// Attributes in bits 0–7, `isImage` in bit 8, `isHole` in bit 9, the rest 0, so that equal cells are equal bytes.
  @usableFromInline var style: UInt32

  @usableFromInline static let imageBit: UInt32 = 1 << 8
  static let holeBit: UInt32 = 1 << 9

  @inlinable public init(
    glyph: UInt32 = 0x20, foreground: CellColor = .default, background: CellColor = .default,
    attributes: CellAttributes = [], isImage: Bool = false
  ) {
    self.glyph = glyph
    self.foreground = foreground
    self.background = background
    style = UInt32(attributes.rawValue) | (isImage ? Cell.imageBit : 0)
  }

  /// Creates a chrome cell from a scalar that takes one column.
  @inlinable public init(
    _ scalar: Unicode.Scalar, foreground: CellColor = .default, background: CellColor = .default,
    attributes: CellAttributes = []
  ) {
    self.init(
      glyph: scalar.value, foreground: foreground, background: background, attributes: attributes)
  }

  /// An empty cell in the terminal's default colours, as on a cleared screen.
  public static let blank = Cell()

  /// An empty cell in which the terminal shows a part of an image in pixels. It differs from a blank one, because in some
  /// terminals sending any cell removes that part of the image.
  public static let hole: Cell = {
    var cell = Cell.blank
    cell.style = holeBit
    return cell
  }()

  /// True if the cell shows a part of an image in pixels, which is sent beside the cells.
  public var isHole: Bool { style & Cell.holeBit != 0 }

  /// A cell whose content on the terminal is unknown; never sent, and unequal to every real cell.
  public static let unknown = Cell(glyph: .max)

  /// The attributes of the cell, such as bold and underline.
  @inlinable public var attributes: CellAttributes {
    get { CellAttributes(rawValue: UInt8(truncatingIfNeeded: style)) }
    set { style = style & ~0xFF | UInt32(newValue.rawValue) }
  }

  /// True if the cell is part of an image, which may be sent late, rather than of the chrome, which may not.
  @inlinable public var isImage: Bool {
    get { style & Cell.imageBit != 0 }
    set { style = newValue ? style | Cell.imageBit : style & ~Cell.imageBit }
  }

  /// Returns true if two cells differ in nothing but `isImage`, which a terminal cannot show.
  @inlinable public func looksLike(_ other: Cell) -> Bool {
    (glyph ^ other.glyph) | (foreground.rawValue ^ other.foreground.rawValue)
      | (background.rawValue ^ other.background.rawValue)
      | ((style ^ other.style) & ~Cell.imageBit) == 0
  }

  /// Returns true if two cells are bitwise equal; compares without a branch for each part.
  @inlinable public static func == (a: Cell, b: Cell) -> Bool {
    (a.glyph ^ b.glyph) | (a.foreground.rawValue ^ b.foreground.rawValue)
      | (a.background.rawValue ^ b.background.rawValue) | (a.style ^ b.style) == 0
  }

  /// True if only the background is visible: a space that is neither underlined nor reversed.
  @inlinable var showsOnlyBackground: Bool {
    glyph == 0x20 && style & 0b11000 == 0
  }
}
