import CNcurses
import CellGraphics
import Glibc

/// Composes chrome with ncurses, off-screen, and writes it into a grid of cells around the frames.
///
/// Windows, text, widths and line drawing are ncurses'; the bytes to the terminal are `DifferenceEncoder`'s,
/// and ncurses' own update (`doupdate`) is never called. Made and used by one thread, which is checked.
public final class NcursesCompositor {
  let screen: NcursesScreen
  public private(set) var columns: Int
  public private(set) var rows: Int
  private let thread = pthread_self()
  private var styles: StyleTable
  /// Numbers of styles that were given to a window which has not written them yet.
  private var unwritten: Set<Int32> = []
  private var windows: [Weak] = []

  private struct Weak { weak var window: CompositorWindow? }

  private struct Staged: Equatable {
    var window: ObjectIdentifier
    var version: Int
  }

  /// What `composed` was made from.
  private var staged: [Staged]?
  /// The chrome as last read back: cells side by side. What lies between is the frames'.
  private var composed: [(row: Int, column: Int, cells: [Cell])] = []

  /// Starts ncurses for a screen of at least one cell. Throws `TerminalError`.
  public convenience init(columns: Int, rows: Int) throws {
    try self.init(columns: columns, rows: rows, styles: StyleTable())
  }

  init(columns: Int, rows: Int, styles: StyleTable) throws {
    self.columns = NcursesPad.clipped(columns)
    self.rows = NcursesPad.clipped(rows)
    self.styles = styles
    screen = try NcursesScreen.shared.get()
  }

  /// Takes the terminal's new size; windows stay where they are until they are moved.
  public func resize(columns: Int, rows: Int) {
    assertThread()
    let (columns, rows) = (NcursesPad.clipped(columns), NcursesPad.clipped(rows))
    guard columns != self.columns || rows != self.rows else { return }
    (self.columns, self.rows) = (columns, rows)
    staged = nil
  }

  /// Makes an empty, plain window. It belongs to the caller and must not outlive the compositor.
  public func layer(_ rect: CellRect) -> CompositorWindow {
    assertThread()
    let window = CompositorWindow(self, rect: rect)
    windows.removeAll { $0.window == nil }
    windows.append(Weak(window: window))
    return window
  }

  /// Writes the chrome of `windows`, the lowest first, into a grid; costs little when none has changed.
  ///
  /// Cells that no window covers, and those of holes, stay as they are; all others become chrome
  /// (`isImage` false). A grid of another size gets the part that both have.
  public func compose(_ windows: [CompositorWindow], into grid: inout CellGrid) {
    assertThread()
    let wanted = windows.map { Staged(window: ObjectIdentifier($0), version: $0.version) }
    if wanted != staged {
      stage(windows)
      staged = wanted
    }
    let (targetColumns, targetRows) = (grid.columns, grid.rows)
    grid.withMutableCells { target in
      for (row, column, cells) in composed where row < targetRows {
        for (i, cell) in cells.prefix(max(0, targetColumns - column)).enumerated() {
          target[row * targetColumns + column + i] = cell
        }
      }
    }
  }

  private func stage(_ windows: [CompositorWindow]) {
    let (columns, rows) = (columns, rows)
    var composed: [(row: Int, column: Int, cells: [Cell])] = []
    var line = [cchar_t](repeating: cchar_t(), count: columns)
    screen.with(columns: columns, rows: rows) {
      guard let background = qd_stdscr() else { return }
      // All hole, it clears what is left of the last composition.
      qd_touch_window(background)
      qd_stage_window(background)
      for window in windows { window.stage(columns: columns, rows: rows) }
      guard let virtual = qd_newscr() else { return }
      for row in 0..<rows {
        qd_read_row(virtual, Int32(row), &line, Int32(columns))
        var column = 0
        while column < columns {
          // Frames show through most of the screen.
          guard line[column].ext_color != StyleTable.hole else {
            column += 1
            continue
          }
          let end = line[column...].firstIndex { $0.ext_color == StyleTable.hole } ?? columns
          composed.append((row, column, (column..<end).map { cell(line, $0) }))
          column = end
        }
      }
    }
    self.composed = composed
  }

  /// The cell of chrome of one of ncurses' that is no hole.
  private func cell(_ line: [cchar_t], _ column: Int) -> Cell {
    var source = line[column]
    let style = styles.style(qd_cell_pair(&source))
    var glyph = UInt32(bitPattern: qd_cell_character(&source))
    // A window's edge may cut a wide glyph; the half that is left is empty.
    if qd_cell_is_wide_base(&source) {
      var next = column + 1 < line.count ? line[column + 1] : cchar_t()
      if !qd_cell_is_wide_tail(&next) || qd_cell_pair(&next) == StyleTable.hole { glyph = 0x20 }
    } else if qd_cell_is_wide_tail(&source) {
      var previous = column > 0 ? line[column - 1] : cchar_t()
      glyph = qd_cell_is_wide_base(&previous) && qd_cell_pair(&previous) != StyleTable.hole ? 0 : 0x20
    } else if glyph == 0 {
      glyph = 0x20
    }
    let marks = (1...2).compactMap { Unicode.Scalar(UInt32(bitPattern: qd_cell_mark(&source, $0))) }.filter { $0.value > 0 }
    if !marks.isEmpty, let scalar = Unicode.Scalar(glyph) { glyph = GlyphCluster.code(scalar, marks) }
    return Cell(
      glyph: glyph, foreground: style.foreground, background: style.background,
      attributes: style.attributes)
  }

  // MARK: For the windows

  func assertThread() {
    precondition(
      pthread_equal(thread, pthread_self()) != 0, "the compositor belongs to the thread that made it")
  }

  func makePad(columns: Int, rows: Int) -> NcursesPad {
    assertThread()
    guard let pad = NcursesPad(screen, columns: columns, rows: rows) else {
      // newpad fails for want of memory only, and the sides are clipped.
      fatalError("out of memory for a window of \(columns)×\(rows) cells")
    }
    return pad
  }

  func pair(for style: ChromeStyle) -> Int32 {
    if let pair = styles.number(for: style) {
      unwritten.insert(pair)
      return pair
    }
    let used = windows.reduce(into: unwritten) { all, entry in
      if let window = entry.window { all.formUnion(window.usedPairs()) }
    }
    styles.collect(used: used)
    // Thousands of styles on one screen at once: the rest look plain.
    guard let pair = styles.number(for: style) else { return 0 }
    unwritten.insert(pair)
    return pair
  }

  /// A window has written its cells: the numbers it was given can be found in them from now on.
  func didWrite() {
    assertThread()
    unwritten.removeAll(keepingCapacity: true)
  }
}
