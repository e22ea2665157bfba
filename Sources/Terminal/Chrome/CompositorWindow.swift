import CNcurses
import CellGraphics

/// A window of chrome: text and cells that `NcursesCompositor` composes over the frames.
///
/// Released with its last reference. Rows and columns count from 0 at its top left; anything outside is
/// clipped. Used only on the thread of its compositor.
public final class CompositorWindow {
  /// Position on the screen, in cells; may extend beyond any edge.
  public private(set) var rect: CellRect
  private unowned let compositor: NcursesCompositor
  private var pad: NcursesPad
  private(set) var columns: Int
  private(set) var rows: Int
  /// Incremented with every change, for the compositor to detect changes.
  private(set) var version = 0

  init(_ compositor: NcursesCompositor, rect: CellRect) {
    self.compositor = compositor
    self.rect = rect
    columns = NcursesPad.clipped(rect.width)
    rows = NcursesPad.clipped(rect.height)
    pad = compositor.makePad(columns: columns, rows: rows)
  }

  /// Moves or resizes the window; resizing clears it.
  public func move(to rect: CellRect) {
    guard rect != self.rect else { return }
    version += 1
    if rect.size != self.rect.size {
      columns = NcursesPad.clipped(rect.width)
      rows = NcursesPad.clipped(rect.height)
      pad = compositor.makePad(columns: columns, rows: rows)
    }
    self.rect = rect
  }

  /// Fills the window with empty cells of a style.
  public func erase(_ style: ChromeStyle = .plain) {
    fill(CellRect(x: 0, y: 0, width: columns, height: rows), style)
  }

  /// Fills a part of the window with empty cells of a style.
  public func fill(_ part: CellRect, _ style: ChromeStyle) {
    blank(part, pair: compositor.pair(for: style))
  }

  /// Makes a part of the window transparent to the frames (and clears it in every window below).
  public func hole(_ part: CellRect) {
    blank(part, pair: StyleTable.hole)
  }

  /// Writes text, truncated to `maxColumns` with `…`, and returns the columns used.
  ///
  /// - Parameter isVisual: True if the glyphs are already in visual order.
  @discardableResult
  public func put(
    _ text: TerminalText, row: Int, column: Int, maxColumns: Int = .max, style: ChromeStyle = .plain,
    isVisual: Bool = false
  ) -> Int {
    guard (0..<rows).contains(row), column < columns, maxColumns > 0 else { return 0 }
    let pair = compositor.pair(for: style)
    let room = min(maxColumns, columns - column)
    var cells: [cchar_t] = []
    var used = 0
    var hidden = max(0, -column)
    let cut = text.truncated(to: room)
    for glyph in (isVisual ? cut : cut.visualInLine).glyphs {
      used += glyph.columns
      guard hidden == 0 else {
        // Left of the window's edge; a wide glyph clipped there leaves its right half empty.
        hidden -= glyph.columns
        if hidden < 0 {
          cells.append(Self.cell(" ", pair))
          hidden = 0
        }
        continue
      }
      cells.append(Self.cell(glyph.scalar, pair, marks: glyph.marks))
    }
    write(cells, row: row, column: max(0, column))
    return used
  }

  /// Writes ready-made cells, such as a progress bar's, one per column; returns the columns used.
  ///
  /// A wide glyph is followed by its right half, a cell with glyph 0, as in `CellGrid`.
  @discardableResult
  public func put(cells: [Cell], row: Int, column: Int) -> Int {
    guard (0..<rows).contains(row), column < columns else { return 0 }
    let skipped = max(0, -column)
    let part = cells.dropFirst(skipped).prefix(columns - max(0, column))
    var result: [cchar_t] = []
    result.reserveCapacity(part.count)
    // Adjacent cells usually share a style.
    var (style, pair) = (ChromeStyle.plain, compositor.pair(for: .plain))
    for (offset, cell) in part.enumerated() {
      let next = ChromeStyle(
        foreground: cell.foreground, background: cell.background, attributes: cell.attributes)
      if next != style { (style, pair) = (next, compositor.pair(for: next)) }
      // ncurses makes the right half of a wide glyph itself; one without its left half is empty.
      if cell.glyph == 0 {
        if offset == 0 { result.append(Self.cell(" ", pair)) }
        continue
      }
      let glyph = TerminalText.glyph(of: cell.glyph)
      let isCut = glyph.columns > 1 && column + skipped + offset == columns - 1
      result.append(Self.cell(isCut ? " " : glyph.scalar, pair))
    }
    write(result, row: row, column: max(0, column))
    return part.count
  }

  /// Draws a border along the window's edge, with a title in its top side.
  public func box(_ style: ChromeStyle = .plain, title: TerminalText? = nil) {
    let pair = compositor.pair(for: style)
    var side = Self.cell("│", pair)
    var line = Self.cell("─", pair)
    var topLeft = Self.cell("┌", pair)
    var topRight = Self.cell("┐", pair)
    var bottomLeft = Self.cell("└", pair)
    var bottomRight = Self.cell("┘", pair)
    change { qd_draw_border($0, &side, &line, &topLeft, &topRight, &bottomLeft, &bottomRight) }
    if let title, columns > 6 {
      put(" \(title.truncated(to: columns - 6)) ", row: 0, column: 2, style: style)
    }
  }

  // MARK: ncurses

  private static func cell(_ scalar: Unicode.Scalar, _ pair: Int32, marks: [Unicode.Scalar] = []) -> cchar_t {
    var cell = cchar_t()
    qd_cell_set(&cell, wchar_t(bitPattern: scalar.value), pair)
    for (place, mark) in marks.enumerated() { qd_cell_add_mark(&cell, Int32(place + 1), wchar_t(bitPattern: mark.value)) }
    return cell
  }

  private func blank(_ part: CellRect, pair: Int32) {
    let part = part.intersection(CellRect(x: 0, y: 0, width: columns, height: rows))
    guard !part.isEmpty else { return compositor.didWrite() }
    // Writing cells in runs costs a fifth of writing them one by one, since ncurses measures each.
    var blank = Self.cell(" ", pair)
    change { pad in
      for row in part.y..<part.maxY { qd_draw_line(pad, Int32(row), Int32(part.x), &blank, Int32(part.width)) }
    }
  }

  private func write(_ cells: [cchar_t], row: Int, column: Int) {
    guard !cells.isEmpty else { return compositor.didWrite() }
    change { qd_write_cells($0, Int32(row), Int32(column), cells, Int32(cells.count)) }
  }

  /// Writes to the pad with ncurses.
  private func change(_ body: (OpaquePointer) -> Void) {
    compositor.assertThread()
    version += 1
    compositor.screen.with { body(pad.pointer) }
    compositor.didWrite()
  }

  /// Composes the pad over ncurses' virtual screen of the given size; called with the screen selected.
  func stage(columns screenColumns: Int, rows screenRows: Int) {
    let seen = CellRect(
      x: rect.x, y: rect.y, width: min(columns, rect.width), height: min(rows, rect.height)
    )
    .intersection(CellRect(x: 0, y: 0, width: screenColumns, height: screenRows))
    guard !seen.isEmpty else { return }
    qd_touch_window(pad.pointer)
    qd_stage_pad(
      pad.pointer, Int32(seen.y - rect.y), Int32(seen.x - rect.x), Int32(seen.y), Int32(seen.x),
      Int32(seen.maxY - 1), Int32(seen.maxX - 1))
  }

  /// The numbers of the styles used in the window.
  func usedPairs() -> Set<Int32> {
    var used: Set<Int32> = []
    var line = [cchar_t](repeating: cchar_t(), count: columns)
    compositor.screen.with {
      for row in 0..<rows {
        qd_read_row(pad.pointer, Int32(row), &line, Int32(columns))
        for column in 0..<columns { used.insert(qd_cell_pair(&line[column])) }
      }
    }
    return used
  }
}
