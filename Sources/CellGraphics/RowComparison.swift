import Glibc

/// Compares one row of a target with what is shown, and marks the cells to send.
struct RowComparison {
  let columns: Int
  let target: UnsafePointer<Cell>
  let shown: UnsafeMutablePointer<Cell>
  let wanted: UnsafeMutablePointer<Cell>
  let marks: UnsafeMutablePointer<CellMark>
  let tolerance: CellTolerance
  /// Cells without tolerance; nil if all have it.
  let exact: UnsafePointer<Bool>?

  /// The number of cells that differ.
  var chrome = 0
  var image = 0
  /// The number of cells that differ, but little enough.
  var near = 0
  /// The number of image cells of the target, whether or not they differ.
  var imageCells = 0
  /// True if an image cell's target has changed since the last comparison.
  var hasNewTarget = false
  /// True if there are glyphs, or halves of them, that may be wide.
  var hasOddGlyphs = false

  init(
    columns: Int, target: UnsafePointer<Cell>, shown: UnsafeMutablePointer<Cell>,
    wanted: UnsafeMutablePointer<Cell>, marks: UnsafeMutablePointer<CellMark>, tolerance: CellTolerance,
    exact: UnsafePointer<Bool>?
  ) {
    self.columns = columns
    self.target = target
    self.shown = shown
    self.wanted = wanted
    self.marks = marks
    self.tolerance = tolerance
    self.exact = exact
  }

  /// True if the target is bitwise equal to what is shown, which is in normal form.
  var isShown: Bool { memcmp(target, shown, columns * MemoryLayout<Cell>.stride) == 0 }

  /// True if the target is bitwise equal to the previous one.
  var isWanted: Bool { memcmp(target, wanted, columns * MemoryLayout<Cell>.stride) == 0 }

  /// Fills `wanted` with the normal form of `target` and marks every cell.
  mutating func run(_ normalizer: CellNormalizer) {
    var odd = false
    var changed = false
    var images = 0
    for x in 0..<columns {
      // The shown cells are already in normal form.
      let isThere = target[x] == shown[x]
      let cell = isThere ? target[x] : normalizer.fastNormal(target[x])
      if cell.isImage {
        images += 1
        changed = changed || cell != wanted[x]
      }
      wanted[x] = cell
      odd = odd || !GlyphWidth.isCertainlyOne(cell.glyph)
      if isThere { marks[x] = CellMark() } else { mark(x) }
    }
    hasOddGlyphs = odd
    hasNewTarget = changed
    imageCells = images
  }

  @inline(__always)
  private mutating func mark(_ x: Int) {
    if wanted[x].looksLike(shown[x]) {
      marks[x] = CellMark()
      // Image or chrome: noted, for `isShown`.
      if shown[x].style != wanted[x].style { shown[x].style = wanted[x].style }
    } else if tolerance.allows(shown[x], for: wanted[x]), exact?[x] != true {
      marks[x] = CellMark(need: CellMark.Need.near)
      near += 1
    } else if wanted[x].isImage {
      marks[x].need = CellMark.Need.image
      image += 1
    } else {
      marks[x].need = CellMark.Need.chrome
      chrome += 1
    }
  }

  /// Makes every half in `wanted` part of a whole glyph, and ensures that glyphs are sent whole.
  ///
  /// A terminal that has one half of a wide glyph overwritten blanks the other. So wherever a wide glyph is or will be,
  /// both its cells are sent, as chrome, since they must not be separated. Returns true if the row shows or will show a
  /// wide glyph.
  mutating func settleWideGlyphs() -> Bool {
    var x = 0
    while x < columns {
      let glyph = wanted[x].glyph
      if glyph == 0 {
        wanted[x] = emptied(wanted[x])
      } else if x + 1 < columns, wanted[x + 1].glyph == 0, GlyphWidth.isWide(glyph) {
        let isImage = wanted[x + 1].isImage
        wanted[x + 1] = wanted[x]
        wanted[x + 1].glyph = 0
        wanted[x + 1].isImage = isImage
        x += 1
      } else if GlyphWidth.isWide(glyph) {
        wanted[x] = emptied(wanted[x])
      }
      x += 1
    }
    chrome = 0
    image = 0
    near = 0
    for x in 0..<columns { mark(x) }
    var hasWide = false
    var isSettled = false
    while !isSettled {
      isSettled = true
      for x in 0..<max(0, columns - 1) where wanted[x + 1].glyph == 0 || shown[x + 1].glyph == 0 {
        hasWide = true
        if !marks[x].mustBeSent && !marks[x + 1].mustBeSent { continue }
        if force(x) { isSettled = false }
        if force(x + 1) { isSettled = false }
      }
    }
    return hasWide
  }

  /// Marks a cell to be sent as chrome; returns true if it was not before.
  private mutating func force(_ x: Int) -> Bool {
    if marks[x].need == CellMark.Need.chrome { return false }
    if marks[x].need == CellMark.Need.image { image -= 1 }
    if marks[x].need == CellMark.Need.near { near -= 1 }
    marks[x].need = CellMark.Need.chrome
    chrome += 1
    return true
  }

  /// Returns an empty cell in the colours of another one, in normal form.
  private func emptied(_ cell: Cell) -> Cell {
    var blank = cell
    blank.glyph = 0x20
    if blank.showsOnlyBackground {
      blank.foreground = .default
      blank.attributes = []
    }
    return blank
  }
}
