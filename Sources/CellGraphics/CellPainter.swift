/// Converts marked cells to bytes: the inner loop of the encoder.
///
/// Works on memory lent by `DifferenceEncoder.encode`, for the duration of that call. `out` has room for the worst case of
/// one row, and is emptied after each row.
struct CellPainter {
  let columns: Int
  let rows: Int
  let profile: EncoderProfile
  var wanted: UnsafeMutablePointer<Cell>
  let shown: UnsafeMutablePointer<Cell>
  let marks: UnsafeMutablePointer<CellMark>
  let out: UnsafeMutableRawPointer
  let parameters = ParameterTable.shared.words
  /// The tolerance for differences from the target, where it saves bytes.
  var tolerance = CellTolerance.none
  /// Cells without tolerance; nil if all have it.
  var exact: UnsafePointer<Bool>?

  /// True if images may have cells of other shapes than half blocks.
  var hasShapes = false

  /// The end of the bytes in `out`.
  var end: UnsafeMutableRawPointer
  /// The terminal's current drawing state.
  var pen: Pen
  /// The terminal's cursor position, or `.unknown` if it is not certain.
  var cursor: Cursor
  var cellsSent = 0
  /// Cells that still have to be sent.
  var cellsLeft = 0

  struct Pen: Equatable, Sendable {
    var foreground = CellColor.default
    var background = CellColor.default
    var attributes: CellAttributes = []
  }

  struct Cursor: Equatable, Sendable {
    var column = -1
    var row = -1
    static let unknown = Cursor()
  }

  /// More bytes than any one cell takes: a move, the longest SGR, the glyph, the guard of the last corner.
  static let worstCell = 96

  /// Returns the capacity that `out` needs for a row.
  static func rowCapacity(columns: Int) -> Int { columns * worstCell + 256 }

  var count: Int { end - out }

  // MARK: A row

  /// Sends the cells of a row whose need is `need`, in at most `limit` bytes; returns false if some did not fit.
  mutating func paintRow(_ row: Int, need: UInt8, limit: Int) -> Bool {
    let base = row * columns
    let careful = limit - CellPainter.worstCell
    var x = 0
    while true {
      while x < columns, marks[base + x].need != need { x += 1 }
      guard x < columns else { return true }
      if end - out <= careful {
        reach(x, row, need: need)
        x += paintRun(x, row, need: need)
      } else {
        let before = (end, pen, cursor)
        if cursor.column != x || cursor.row != row { move(to: x, row) }
        let width = paintCell(x, row, note: false)
        if end - out > limit {
          (end, pen, cursor) = before
          return false
        }
        note(base + x)
        if width == 2 { note(base + x + 1) }
        x += width
      }
    }
  }

  /// Sends the image cells of a part of a row, in at most `limit` bytes; returns false if some did not fit.
  mutating func paintPart(_ row: Int, _ columns: Range<Int>, limit: Int) -> Bool {
    let part = (row * self.columns + columns.lowerBound)..<(row * self.columns + columns.upperBound)
    for index in part where marks[index].need == CellMark.Need.image { marks[index].need = CellMark.Need.chosen }
    defer {
      for index in part where marks[index].need == CellMark.Need.chosen { marks[index].need = CellMark.Need.image }
    }
    return paintRow(row, need: CellMark.Need.chosen, limit: limit)
  }

  /// Moves the cursor to a cell, crossing a short gap by sending its cells again if that is no more expensive.
  @inline(__always)
  private mutating func reach(_ x: Int, _ row: Int, need: UInt8) {
    if cursor.row == row {
      if cursor.column == x { return }
      let gap = x - cursor.column
      if cursor.column >= 0, gap > 0, gap <= 4, bridge(to: x, row, need: need) { return }
    }
    move(to: x, row)
  }

  private mutating func bridge(to x: Int, _ row: Int, need: UInt8) -> Bool {
    let base = row * columns
    let start = cursor.column
    var bytes = 0
    for n in start..<x {
      let cell = wanted[base + n]
      guard GlyphWidth.isCertainlyOne(cell.glyph), maySend(base + n, along: need),
        needsNoPenChange(cell)
      else { return false }
      bytes += cell.glyph < 0x80 ? 1 : cell.glyph < 0x800 ? 2 : cell.glyph < 0x1_0000 ? 3 : 4
    }
    guard bytes <= (x - start == 1 ? 3 : 4) else { return false }
    for n in start..<x { _ = paintCell(n, row, note: true) }
    return true
  }

  /// Returns true if a cell that was not requested may be sent; for chrome, only one that is already shown, and never a part of
  /// an image in pixels, which that might remove.
  @inline(__always)
  private func maySend(_ index: Int, along need: UInt8) -> Bool {
    (!marks[index].mustBeSent || need != CellMark.Need.chrome) && (marks[index].mustBeSent || !wanted[index].isHole)
  }

  @inline(__always)
  private func needsNoPenChange(_ cell: Cell) -> Bool {
    if cell.showsOnlyBackground {
      return cell.background == pen.background
        && pen.attributes.isDisjoint(with: .visibleOnBlank)
    }
    return cell.background == pen.background && cell.foreground == pen.foreground
      && cell.attributes == pen.attributes
  }

  /// Sends a cell and, if the terminal can repeat it in fewer bytes, the equal ones after it.
  ///
  /// Returns the number of columns handled.
  @inline(__always)
  private mutating func paintRun(_ x: Int, _ row: Int, need: UInt8) -> Int {
    let index = row * columns + x
    if x + 1 < columns, marks[index + 1].need == need, wanted[index].looksLike(wanted[index + 1]) {
      let done = paintEqualRun(x, row, need: need)
      if done > 0 { return done }
    }
    return paintCell(x, row, note: true)
  }

  private mutating func paintEqualRun(_ x: Int, _ row: Int, need: UInt8) -> Int {
    let base = row * columns
    let cell = wanted[base + x]
    guard GlyphWidth.isCertainlyOne(cell.glyph) else { return 0 }
    var stop = x + 1
    // A cell that is only near must not be repeated into one that must be exact.
    let mayBeExact = exact == nil || isExact(base + x)
    while stop < columns, marks[base + stop].need == need, wanted[base + stop].looksLike(cell),
      mayBeExact || !isExact(base + stop)
    {
      stop += 1
    }
    if cell.showsOnlyBackground, cell.background == .default || profile.backColorErase {
      var rowEnd = stop
      while rowEnd < columns, wanted[base + rowEnd].looksLike(cell), maySend(base + rowEnd, along: need) {
        rowEnd += 1
      }
      if rowEnd == columns, stop - x >= 4 {
        setBlankPen(cell.background)
        put("\u{1B}[K")
        noteRun(base + x, base + columns)
        return columns - x
      }
      if profile.erasesCells, stop - x >= 10 {
        setBlankPen(cell.background)
        put("\u{1B}[")
        putNumber(stop - x)
        putByte(UInt8(ascii: "X"))
        noteRun(base + x, base + stop)
        return stop - x
      }
    }
    // Terminals repeat only the last character, which may be a combining mark.
    guard profile.repeatsGlyphs, !GlyphCluster.isCluster(cell.glyph), !GlyphWidth.isRightToLeft(cell.glyph) else { return 0 }
    // The last corner is left to the guarded path.
    if stop == columns, row == rows - 1 { stop -= 1 }
    let run = stop - x
    let glyphBytes = cell.glyph < 0x80 ? 1 : cell.glyph < 0x800 ? 2 : cell.glyph < 0x1_0000 ? 3 : 4
    guard run > 1, (run - 1) * glyphBytes > 4 + (run > 100 ? 1 : 0) else { return 0 }
    _ = paintCell(x, row, note: true)
    put("\u{1B}[")
    putNumber(run - 1)
    putByte(UInt8(ascii: "b"))
    // The terminal repeats what it was sent, which may be only near.
    for index in (base + x + 1)..<(base + stop) { note(index, as: shown[base + x]) }
    cursor = stop < columns ? Cursor(column: stop, row: row) : .unknown
    return run
  }

  // MARK: A cell

  @inline(__always)
  func isExact(_ index: Int) -> Bool { exact?[index] == true }

  /// Sends a cell at the cursor; returns its width in columns.
  @inline(__always)
  private mutating func paintCell(_ x: Int, _ row: Int, note noting: Bool) -> Int {
    let index = row * columns + x
    let cell = noting && !tolerance.isNone && !isExact(index) ? tolerance.cell(near: wanted[index], pen: pen) : wanted[index]
    if cell.glyph == Cell.upperHalf, x + 1 < columns,
      cell.style == Cell.imageBit, cell.foreground != .default, cell.background != .default
    {
      if hasShapes { paintShape(cell, index) } else { paintHalves(cell) }
      cursor.column = x + 1
      cursor.row = row
      if noting { note(index, as: cell) }
      return 1
    }
    if cell.style == Cell.imageBit, cell.glyph != 0x20, x + 1 < columns, cell.foreground != .default,
      cell.background != .default, ShapeTable.shared.shape(of: cell.glyph) != nil
    {
      paintShape(cell, index)
      cursor.column = x + 1
      cursor.row = row
      if noting { note(index, as: cell) }
      return 1
    }
    return paintOther(cell, x, row, noting)
  }

  /// Sends two colours in a shape, as its glyph or that of the rest, whichever is closer to the pen.
  private mutating func paintShape(_ cell: Cell, _ index: Int) {
    var (foreground, background, glyph) = (cell.foreground, cell.background, cell.glyph)
    let inverse = Self.inverse(of: glyph)
    if inverse != 0, foreground != pen.foreground, background != pen.background,
      foreground == pen.background || background == pen.foreground || isFollowedByInverse(cell, index)
    {
      (foreground, background, glyph) = (background, foreground, inverse)
    }
    if pen.attributes.rawValue != 0 {
      setPen(foreground, background, [])
    } else {
      setColors(foreground, background)
    }
    putGlyph(glyph)
  }

  /// Sends two coloured halves, as the upper or the lower half block, whichever is closer to the pen.
  @inline(__always)
  private mutating func paintHalves(_ cell: Cell) {
    var foreground = cell.foreground
    var background = cell.background
    var glyph = Cell.upperHalfUTF8
    if foreground == pen.background || background == pen.foreground,
      foreground != pen.foreground, background != pen.background
    {
      (foreground, background) = (background, foreground)
      glyph = Cell.lowerHalfUTF8
    }
    if pen.attributes.rawValue != 0 {
      setPen(foreground, background, [])
    } else {
      setColors(foreground, background)
    }
    end.storeBytes(of: glyph.littleEndian, as: UInt32.self)
    end += 3
  }

  private static func inverse(of glyph: UInt32) -> UInt32 {
    let table = ShapeTable.shared
    return table.shape(of: glyph).map { table.inverses[$0] } ?? 0
  }

  /// Returns true if a cell after it has the same colours the other way round, and a glyph without inverse.
  private func isFollowedByInverse(_ cell: Cell, _ index: Int) -> Bool {
    let end = (index / columns + 1) * columns
    for next in (index + 1)..<max(index + 1, end) {
      let other = wanted[next]
      guard other.style == Cell.imageBit, other.glyph != 0x20 else { return false }
      let isSame = other.foreground == cell.foreground && other.background == cell.background
      let isInverse = other.foreground == cell.background && other.background == cell.foreground
      guard isSame || isInverse else { return false }
      if Self.inverse(of: other.glyph) == 0 { return isInverse }
    }
    return false
  }

  private mutating func paintOther(_ cell: Cell, _ x: Int, _ row: Int, _ noting: Bool) -> Int {
    let index = row * columns + x
    let width = x + 1 < columns && wanted[index + 1].glyph == 0 ? 2 : 1
    let touchesEnd = x + width >= columns
    let isCorner = touchesEnd && row == rows - 1
    var glyph = cell.glyph
    if isCorner { put("\u{1B}[?7l") }
    if cell.showsOnlyBackground {
      if cell.isImage, cell.background == pen.foreground, cell.background != pen.background,
        cell.background != .default, pen.attributes == [], profile.glyphSet == .unicode
      {
        glyph = Cell.fullBlock
      } else {
        setBlankPen(cell.background)
      }
    } else if cell.style == Cell.imageBit, glyph == Cell.upperHalf, cell.foreground != .default,
      cell.background != .default, cell.foreground != pen.foreground, cell.background != pen.background,
      cell.foreground == pen.background || cell.background == pen.foreground
    {
      setPen(cell.background, cell.foreground, [])
      glyph = Cell.lowerHalf
    } else {
      setPen(cell.foreground, cell.background, cell.attributes)
    }
    putGlyph(glyph)
    if isCorner { put("\u{1B}[?7h") }
    // Terminals differ in the cursor position after the last column, and in its movement after unusual glyphs.
    cursor =
      touchesEnd || width == 2 || !GlyphWidth.isCertainlyOne(glyph)
      ? .unknown : Cursor(column: x + 1, row: row)
    if noting {
      note(index, as: cell)
      if width == 2 { note(index + 1) }
    }
    return width
  }

  /// Notes that the terminal was sent a cell exactly as intended.
  @inline(__always)
  private mutating func note(_ index: Int) { note(index, as: wanted[index]) }

  /// Notes that the terminal was sent a cell, exactly or approximately as intended.
  @inline(__always)
  private mutating func note(_ index: Int, as cell: Cell) {
    shown[index] = cell
    if marks[index].mustBeSent { cellsLeft -= 1 }
    marks[index] = CellMark(need: !tolerance.isNone && cell != wanted[index] ? CellMark.Need.near : CellMark.Need.none)
    cellsSent += 1
  }

  private mutating func noteRun(_ start: Int, _ stop: Int) {
    for index in start..<stop { note(index) }
  }
}

extension Cell {
  /// Returns the canonical cell for two pixels: an upper half block, or a space if both are equal.
  ///
  /// One form for each pair keeps differences stable. The encoder may send another that looks the same.
  @inline(__always)
  init(upper: CellColor, lower: CellColor) {
    let isFlat = upper == lower
    self.init(
      glyph: isFlat ? 0x20 : Cell.upperHalf, foreground: isFlat ? .default : upper, background: lower, isImage: true)
  }

  /// The same for monochrome.
  @inline(__always)
  init(isUpperWhite: Bool, isLowerWhite: Bool) {
    let glyph = isUpperWhite ? (isLowerWhite ? Cell.fullBlock : Cell.upperHalf) : (isLowerWhite ? Cell.lowerHalf : 0x20)
    self.init(glyph: glyph, isImage: true)
  }

  static let upperHalf: UInt32 = 0x2580
  static let lowerHalf: UInt32 = 0x2584
  static let fullBlock: UInt32 = 0x2588
  /// UTF-8 of the two half blocks as little-endian words; the fourth byte is unused.
  static let upperHalfUTF8: UInt32 = 0x0080_96E2
  static let lowerHalfUTF8: UInt32 = 0x0084_96E2
}
