import CellGraphics
import Terminal

/// A list over a pane with one selected row: a value independent of the meaning of the rows and of the terminal.
struct ListPanel: Sendable {
  struct Row: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
      /// A heading for the rows below.
      case heading
      case choice
      /// The current choice.
      case current
      /// Not selectable.
      case note
    }

    var text: TerminalText
    var kind = Kind.choice

    var canBeChosen: Bool { kind == .choice || kind == .current }
  }

  var title: TerminalText
  var rows: ListRows<Row>
  /// Index in `rows`.
  var selected: Int

  /// Number of rows above and below the visible ones that determine the width, so that it rarely changes.
  private static let measuredRows = 200

  init(title: TerminalText, rows: ListRows<Row>, selected: Int) {
    self.title = title
    self.rows = rows
    self.selected = selected
  }

  init(title: TerminalText, rows: [Row], selected: Int) {
    self.init(title: title, rows: ListRows(rows), selected: selected)
  }

  /// Position of the panel and its visible rows.
  struct Place: Equatable {
    var rect: CellRect
    var rows: Range<Int>
    /// True if there is a border.
    var hasFrame: Bool

    /// The row at a cell of the screen; nil outside.
    func row(x: Int, y: Int) -> Int? {
      guard rect.contains(x: x, y: y) else { return nil }
      let row = rows.lowerBound + y - rect.y - (hasFrame ? 1 : 0)
      return rows.contains(row) ? row : nil
    }
  }

  /// A place in the middle of an area, as large as needed; nil if there is no room.
  func place(in area: CellRect) -> Place? {
    guard !rows.isEmpty, area.width >= 4, area.height >= 1 else { return nil }
    let hasFrame = area.height >= 5 && area.width >= 12
    let margin = hasFrame ? 2 : 0
    let height = min(rows.count + margin, area.height)
    let count = height - margin
    // Keep the selected row in view, centred if possible.
    let first = min(max(0, selected - count / 2), rows.count - count)
    let measured = max(0, first - Self.measuredRows)..<min(rows.count, first + count + Self.measuredRows)
    let needed = max((measured.map { rows[$0].text.columns }.max() ?? 0) + 3, title.columns + 6)
    let width = min(needed + margin, area.width)
    return Place(
      rect: CellRect(
        x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width: width, height: height),
      rows: first..<first + count, hasFrame: hasFrame)
  }

  /// The selectable row reached from the selected one; the selected one if there is none.
  func selection(movedBy count: Int) -> Int {
    let step = count.signum()
    if abs(count) >= rows.count {
      // The row that can be selected nearest to that end.
      let end = step > 0 ? rows.lastIndex(where: \.canBeChosen) : rows.firstIndex(where: \.canBeChosen)
      return end ?? selected
    }
    var (index, left, reached) = (selected, abs(count), selected)
    while left > 0 {
      index += step
      guard rows.indices.contains(index) else { break }
      if rows[index].canBeChosen { (reached, left) = (index, left - 1) }
    }
    return reached
  }
}

extension ChromePainter {
  /// Draws a list over an area of the screen.
  func draw(_ panel: ListPanel, over area: CellRect) {
    guard let place = panel.place(in: area) else { return }
    let window = compositor.layer(place.rect)
    window.erase(theme.panel)
    if place.hasFrame { window.box(theme.panel, title: panel.title) }
    let margin = place.hasFrame ? 1 : 0
    let width = place.rect.width - 2 * margin
    for (y, index) in place.rows.enumerated() {
      let row = panel.rows[index]
      let style = row.kind == .heading ? theme.panelHeading : index == panel.selected ? theme.focusedTitle : theme.panel
      window.fill(CellRect(x: margin, y: margin + y, width: width, height: 1), style)
      let (pointer, mark) = (theme.pointer(index == panel.selected), theme.mark(row.kind == .current))
      window.put(
        row.kind == .heading ? row.text : pointer + mark + row.text, row: margin + y, column: margin,
        maxColumns: width, style: style)
    }
    floating.append(window)
  }
}
