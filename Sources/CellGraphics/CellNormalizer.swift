/// Converts cells to the normal form in which the encoder compares them: as a terminal will show them.
struct CellNormalizer {
  let depth: ColorDepth
  let glyphSet: GlyphSet
  /// Bits that are 0 in both colours of a cell in normal form.
  let inexpressibleBits: UInt32
  /// Attributes that terminals of the depth may lack.
  let missingAttributes: CellAttributes

  init(_ profile: EncoderProfile) {
    depth = profile.colorDepth
    glyphSet = profile.glyphSet
    inexpressibleBits = depth.inexpressibleBits
    missingAttributes = depth == .mono ? [.dim, .italic] : []
  }

  /// Returns the normal form, with a fast path for the output of blitters.
  @inline(__always)
  func fastNormal(_ cell: Cell) -> Cell {
    let colors = cell.foreground.rawValue | cell.background.rawValue
    if cell.style & 0xFF == 0, colors & inexpressibleBits == 0 {
      if cell.glyph == Cell.upperHalf, glyphSet == .unicode { return cell }
      if cell.glyph == 0x20 {
        var blank = cell
        blank.foreground = .default
        return blank
      }
      if cell.isImage, glyphSet == .unicode, ShapeTable.shared.shape(of: cell.glyph) != nil { return cell }
    }
    return normal(cell)
  }

  /// Returns the normal form of any cell; glyph 0 is kept.
  func normal(_ cell: Cell) -> Cell {
    var normal = cell
    if normal.glyph != 0 {
      if GlyphWidth.cannotStandAlone(normal.glyph) {
        normal.glyph = normal.glyph < 0x20 ? 0x20 : glyphSet == .unicode ? 0xFFFD : 0x3F
      }
      if glyphSet == .ascii { normal.glyph = GlyphSet.asciiSubstitute(for: normal.glyph) }
    }
    normal.attributes.subtract(missingAttributes)
    normal.background = XtermPalette.nearest(to: cell.background, depth: depth)
    if normal.showsOnlyBackground {
      normal.foreground = .default
      normal.attributes = []
      return normal
    }
    normal.foreground = XtermPalette.nearest(to: cell.foreground, depth: depth)
    if normal.foreground == normal.background, normal.foreground != .default,
      cell.foreground != cell.background, !cell.isImage
    {
      // Text must not vanish because both its colours have the same nearest colour.
      normal.foreground = contrast(to: normal.background)
    }
    return normal
  }

  private func contrast(to color: CellColor) -> CellColor {
    let isBright = Palette.luma(XtermPalette.components(color, default: 0)) > 127
    switch depth {
    case .mono: return .default
    case .ansi8: return .indexed(isBright ? 0 : 7)
    case .ansi16: return .indexed(isBright ? 0 : 15)
    case .palette256, .trueColor: return .indexed(isBright ? 16 : 231)
    }
  }
}
