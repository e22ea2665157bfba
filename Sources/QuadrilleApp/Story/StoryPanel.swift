import CellGraphics
import Terminal

/// The choices of a story over a pane, and the time left: a value without a player.
struct StoryPanel: Equatable, Sendable {
  struct Row: Equatable, Sendable {
    /// Its key.
    var number: Int
    var label: TerminalText
    var isChosen = false
    /// True if enter would choose it.
    var isPointed = false
  }

  var rows: [Row]
  var secondsLeft: Double
  /// Fraction of the time left, 0…1.
  var share: Double
  var isFocused: Bool

  /// Placement of the panel.
  struct Place: Equatable {
    var rect: CellRect
    /// Number of visible choices.
    var rowCount: Int
    var hasTime: Bool
    var hasKeys: Bool

    /// The index of the choice at a cell of the screen; nil if there is none.
    func row(x: Int, y: Int) -> Int? {
      guard rect.contains(x: x, y: y), y - rect.y < rowCount else { return nil }
      return y - rect.y
    }
  }

  /// A place in the lowest rows of an area, centred; nil if there is no room.
  func place(in area: CellRect) -> Place? {
    guard !rows.isEmpty, area.width >= 8, area.height >= 1 else { return nil }
    let rowCount = min(rows.count, area.height)
    let hasTime = area.height > rowCount
    let keys = keys(.ascii).columns + 2
    let hasKeys = isFocused && area.height > rowCount + 2 && area.width >= keys
    let labels = (rows.map(\.label.columns).max() ?? 0) + 7
    let width = min(area.width, max(labels, hasKeys ? keys : 0, 24))
    let height = rowCount + (hasTime ? 1 : 0) + (hasKeys ? 1 : 0)
    // Keep a row of the frame visible below, if there are enough.
    let margin = area.height > height + 3 ? 1 : 0
    return Place(
      rect: CellRect(x: area.x + (area.width - width) / 2, y: area.maxY - height - margin, width: width, height: height),
      rowCount: rowCount, hasTime: hasTime, hasKeys: hasKeys)
  }

  /// The keys, as text; omitted if the pane is not focused or there is no room.
  fileprivate func keys(_ glyphs: GlyphSet) -> TerminalText {
    let numbers = rows.map(\.number)
    let digits: TerminalText = numbers.count > 1 ? "\(numbers.min() ?? 1)-\(numbers.max() ?? 9)" : "\(numbers.first ?? 1)"
    return "\(digits) or \(glyphs == .ascii ? "up, down," : "↑↓") enter: choose   u: back"
  }
}

extension PaneModel {
  /// The area for choices: the frame if it is high enough, otherwise the whole body.
  func storyArea(blitter: Blitter) -> CellRect {
    guard let geometry = view.geometry else { return CellRect(x: 0, y: 0, width: 0, height: 0) }
    guard let frame else { return geometry.body }
    let rows = frame.shownSize.height / blitter.blockHeight
    guard rows >= (story?.rows.count ?? 0) + 8, rows < geometry.box.height else { return geometry.body }
    let top = geometry.box.y + (geometry.box.height - rows) / 2
    return CellRect(x: geometry.body.x, y: top, width: geometry.body.width, height: rows).intersection(geometry.body)
  }
}

extension ChromePainter {
  /// Draws choices over an area of the screen.
  func draw(_ panel: StoryPanel, over area: CellRect) {
    guard let place = panel.place(in: area) else { return }
    let window = compositor.layer(place.rect)
    let width = place.rect.width
    window.erase(theme.panel)
    for (y, row) in panel.rows.prefix(place.rowCount).enumerated() {
      let isPointed = row.isPointed && panel.isFocused
      let style = isPointed ? theme.focusedTitle : row.isChosen ? theme.panelHeading : theme.panel
      window.fill(CellRect(x: 0, y: y, width: width, height: 1), style)
      let key = row.isPointed || row.isChosen ? style : theme.panelKey
      var column = window.put("\(theme.pointer(isPointed))\(row.number) ", row: y, column: 0, maxColumns: width, style: key)
      column += window.put(theme.mark(row.isChosen) + " ", row: y, column: column, maxColumns: max(0, width - column), style: style)
      window.put(row.label, row: y, column: column, maxColumns: max(0, width - column - 1), style: style)
    }
    if place.hasTime { drawTime(panel, in: window, row: place.rowCount, width: width) }
    if place.hasKeys {
      window.put(
        panel.keys(theme.glyphSet), row: place.rowCount + 1, column: 1, maxColumns: width - 2,
        style: theme.status(on: theme.panel))
    }
    floating.append(window)
  }

  private func drawTime(_ panel: StoryPanel, in window: CompositorWindow, row: Int, width: Int) {
    let words: TerminalText = "\(Int(panel.secondsLeft.rounded(.up))) s"
    let room = max(0, width - words.columns - 4)
    let filled = Int((Double(room) * panel.share).rounded(.up))
    let (full, rest) = theme.glyphSet == .ascii ? ("=", "-") : ("━", "─")
    let bar = String(repeating: full, count: min(filled, room)) + String(repeating: rest, count: max(0, room - filled))
    window.put(TerminalText(bar), row: row, column: 1, maxColumns: room, style: theme.panelHeading)
    window.put(words, row: row, column: width - words.columns - 1, maxColumns: words.columns, style: theme.panel)
  }
}
