import CNcurses
import CellGraphics
import Glibc

/// Composes chrome off-screen with ncurses and writes it to a grid of cells around the frames.
///
/// ncurses provides windows, text, widths and line drawing; `DifferenceEncoder` writes the bytes to the terminal,
/// and ncurses' own update (`doupdate`) is never called. Created and used on one thread, which is checked.
public final class NcursesCompositor {
  let screen: NcursesScreen
  public private(set) var columns: Int
  public private(set) var rows: Int
  private let thread = pthread_self()
  private var styles: StyleTable
  /// Numbers of styles given to a window that has not written them yet.
  private var unwritten: Set<Int32> = []
  private var windows: [Weak] = []

  private struct Weak { weak var window: CompositorWindow? }

  private struct Staged: Equatable {
    var window: ObjectIdentifier
    var version: Int
  }

  /// The inputs of `composed`.
  private var staged: [Staged]?
  /// The chrome as last read back, in runs of cells. The gaps belong to the frames.
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

  /// Sets the terminal's new size; windows stay in place until moved.
  public func resize(columns: Int, rows: Int) {
    assertThread()
    let (columns, rows) = (NcursesPad.clipped(columns), NcursesPad.clipped(rows))
    guard columns != self.columns || rows != self.rows else { return }
    (self.columns, self.rows) = (columns, rows)
    staged = nil
  }

  /// Makes an empty, plain window. The caller owns it; it must not outlive the compositor.
  public func layer(_ rect: CellRect) -> CompositorWindow {
    assertThread()
    let window = CompositorWindow(self, rect: rect)
    windows.removeAll { $0.window == nil }
    windows.append(Weak(window: window))
    return window
  }

  /// Writes the chrome of `windows`, the lowest first, to a grid; cheap if nothing has changed.
  ///
  /// Cells that no window covers, and transparent ones, stay unchanged; all others become chrome
  /// (`isImage` false). For a grid of another size, only the common part is written.
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
      // A transparent layer clears the previous composition.
      qd_touch_window(background)
      qd_stage_window(background)
      for window in windows { window.stage(columns: columns, rows: rows) }
      guard let virtual = qd_newscr() else { return }
      for row in 0..<rows {
        qd_read_row(virtual, Int32(row), &line, Int32(columns))
        var column = 0
        while column < columns {
          // Most of the screen is transparent.
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

  /// The chrome cell of an ncurses cell that is not transparent.
  private func cell(_ line: [cchar_t], _ column: Int) -> Cell {
    var source = line[column]
    let style = styles.style(qd_cell_pair(&source))
    var glyph = UInt32(bitPattern: qd_cell_character(&source))
    // A window's edge may clip a wide glyph; the remaining half is empty.
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

  // MARK: Window support

  func assertThread() {
    precondition(
      pthread_equal(thread, pthread_self()) != 0, "the compositor belongs to the thread that made it")
  }

  func makePad(columns: Int, rows: Int) -> NcursesPad {
    assertThread()
    guard let pad = NcursesPad(screen, columns: columns, rows: rows) else {
      // newpad fails only if out of memory; the sides are clamped.
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
    // Thousands of styles on one screen: the excess looks plain.
    guard let pair = styles.number(for: style) else { return 0 }
    unwritten.insert(pair)
    return pair
  }

  /// Records that a window has written its cells, in which its style numbers can now be found.
  func didWrite() {
    assertThread()
    unwritten.removeAll(keepingCapacity: true)
  }
}
