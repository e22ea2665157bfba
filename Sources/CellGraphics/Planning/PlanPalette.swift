/// The colours of a plan: maps cells to their halves' colours, and pairs of colours to cells.
///
/// Borrows its tables from `PlanMemory.with`.
struct PlanPalette {
  /// The choices for a cell.
  enum Kind {
    /// An image cell of two colours.
    static let free: UInt8 = 0
    /// A cell outside the image: it is already shown and stays.
    static let chrome: UInt8 = 1
    /// An image cell with another glyph or other colours: sent unchanged.
    static let whole: UInt8 = 2
  }

  let colors: PlanColors
  /// Components of the 256 entries.
  let entries: UnsafePointer<SIMD4<Float>>
  /// `PlanColors.nearest`; nil if the entries represent no other colours.
  let nearest: UnsafePointer<UInt8>?
  /// `XtermPalette.rgb`.
  let table: UnsafePointer<UInt32>
  /// `colors.isDirect` and `colors.usable`, which are needed for every cell.
  let isDirect: Bool
  private let usable: Range<UInt32>

  init(
    _ colors: PlanColors, entries: UnsafePointer<SIMD4<Float>>, nearest: UnsafePointer<UInt8>?,
    table: UnsafePointer<UInt32>
  ) {
    self.colors = colors
    self.entries = entries
    self.nearest = nearest
    self.table = table
    isDirect = colors.isDirect
    usable = colors.usable
  }

  /// Represents the default colours at `mono`.
  private static let white = CellColor.indexedKind | 7
  private static let black = CellColor.indexedKind

  private var isMono: Bool { if case .mono = colors { true } else { false } }

  /// Returns a fixed colour.
  @inline(__always)
  func color(_ raw: UInt32) -> PlanColor {
    raw == 0
      ? .unknown
      : PlanColor(
        components: raw >= CellColor.rgbKind ? PlanColor.components(raw) : entries[Int(raw & 0xFF)], weight: PlanColor.fixed)
  }

  // MARK: - Pens

  /// Returns the raw values of a pen's colours.
  func colors(of pen: CellPainter.Pen) -> (foreground: UInt32, background: UInt32) {
    isMono ? (Self.white, Self.black) : (pen.foreground.rawValue, pen.background.rawValue)
  }

  /// Returns the start of a path.
  func start(_ pen: CellPainter.Pen) -> PlanNode {
    let (foreground, background) = colors(of: pen)
    return .start(color(foreground), color(background))
  }

  /// Returns the terminal's drawing state at the end of a row with these colours.
  func pen(_ foreground: UInt32, _ background: UInt32) -> CellPainter.Pen {
    isMono
      ? CellPainter.Pen()
      : CellPainter.Pen(foreground: CellColor(rawValue: foreground), background: CellColor(rawValue: background))
  }

  // MARK: - Cells

  @inline(__always)
  func kind(of cell: Cell) -> UInt8 {
    guard cell.isImage else { return Kind.chrome }
    guard cell.style == Cell.imageBit else { return Kind.whole }
    if isMono {
      return [0x20, Cell.upperHalf, Cell.lowerHalf, Cell.fullBlock].contains(cell.glyph) ? Kind.free : Kind.whole
    }
    guard usable.contains(cell.background.rawValue) else { return Kind.whole }
    if cell.glyph == 0x20 { return Kind.free }
    // Two equal colours have another form, with which a plan would replace this one forever.
    return usable.contains(cell.foreground.rawValue) && cell.foreground != cell.background
      && (cell.glyph == Cell.upperHalf || ShapeTable.shared.shape(of: cell.glyph) != nil)
      ? Kind.free : Kind.whole
  }

  /// Returns the components of a free cell's colour.
  @inline(__always)
  func components(_ raw: UInt32) -> UInt32 { isDirect ? raw & 0xFF_FFFF : table[Int(raw & 0xFF)] }

  /// Returns the colours of a free cell's halves; of its ink and of the rest if its shape is another.
  @inline(__always)
  func halves(of cell: Cell) -> (upper: UInt32, lower: UInt32) {
    guard isMono else {
      return (cell.glyph == 0x20 ? cell.background.rawValue : cell.foreground.rawValue, cell.background.rawValue)
    }
    return (
      cell.glyph == Cell.upperHalf || cell.glyph == Cell.fullBlock ? Self.white : Self.black,
      cell.glyph == Cell.lowerHalf || cell.glyph == Cell.fullBlock ? Self.white : Self.black
    )
  }

  /// Returns the cell for the two colours that a plan has for its halves.
  func cell(upper: UInt32, lower: UInt32) -> Cell {
    isMono
      ? Cell(isUpperWhite: upper == Self.white, isLowerWhite: lower == Self.white)
      : Cell(upper: CellColor(rawValue: upper), lower: CellColor(rawValue: lower))
  }
}
