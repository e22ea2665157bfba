import CellGraphics
import Playback
import Terminal

/// Draws titles, bars, panels and the status line into ncurses windows. Screen thread only.
final class ChromePainter {
  let compositor: NcursesCompositor
  let theme: ChromeTheme
  let help: HelpText
  var base: CompositorWindow
  var floating: [CompositorWindow] = []

  init(columns: Int, rows: Int, theme: ChromeTheme, keys: KeyMap) throws {
    compositor = try NcursesCompositor(columns: columns, rows: rows)
    self.theme = theme
    help = HelpText(keys, theme: theme)
    base = compositor.layer(CellRect(x: 0, y: 0, width: columns, height: rows))
  }

  var columns: Int { compositor.columns }
  var rows: Int { compositor.rows }

  func resize(columns: Int, rows: Int) {
    compositor.resize(columns: columns, rows: rows)
    base.move(to: CellRect(x: 0, y: 0, width: columns, height: rows))
  }

  /// Composes the last drawing over the frames in `grid`.
  func compose(into grid: inout CellGrid) { compositor.compose([base] + floating, into: &grid) }

  func draw(_ screen: ScreenModel) {
    floating = []
    base.erase(theme.ground)
    if let placeholder = screen.placeholder {
      drawPlaceholder(placeholder)
    } else {
      for pane in screen.panes { draw(pane, screen) }
    }
    drawFooter(screen)
    if let probe = screen.probe, let area = screen.panes.first(where: \.view.isFocused)?.view.geometry?.body {
      draw(probe, over: area, above: screen.hasFloatingLine ? 1 : 0)
    }
    if let list = screen.list, let area = screen.panes.first(where: \.view.isFocused)?.view.geometry?.body {
      draw(list, over: area)
    }
    if let page = screen.panels.helpPage { drawHelp(page: page) }
    for pane in screen.panes { drawLoudness(pane) }
  }

  private func drawPlaceholder(_ text: TerminalText) {
    let lines = Self.wrapped(text, width: columns).prefix(max(1, rows - 1))
    let top = max(0, (rows - lines.count) / 2)
    for (i, line) in lines.enumerated() {
      let left = max(0, (columns - line.columns) / 2)
      base.put(line, row: top + i, column: left, style: theme.ground)
    }
  }

  // MARK: - Panes

  private func draw(_ pane: PaneModel, _ screen: ScreenModel) {
    guard let geometry = pane.view.geometry else { return }
    let text = PaneText(pane: pane, theme: theme)
    if pane.frame != nil && pane.error == nil { base.hole(geometry.box) }
    if let thumbnails = pane.view.thumbnails { base.hole(thumbnails) }
    if let scope = pane.view.scope, pane.error == nil { base.hole(scope) }
    drawTitle(geometry.title, "\(screen.label(of: pane)) \(pane.heading)", pane.view.isFocused, text)
    drawBar(pane, text, screen.hint)
    drawSilence(pane, geometry)
    if let sides = pane.comparison?.sides, pane.frame != nil { drawSides(sides, geometry.box) }
    for block in pane.subtitles { draw(block) }
    drawAbsence(pane, geometry.box)
    let floating = screen.hasFloatingLine ? 1 : 0
    let above = floating + drawScores(pane, geometry.body, above: floating)
    drawFacts(pane, geometry.body, above: above)
    if let story = pane.story { draw(story, over: pane.storyArea(blitter: theme.blitter)) }
    if screen.panels.showsFigures { drawFigures(geometry.body, text, screen) }
    if let notice = pane.notice { drawNotice(geometry.body, notice, above: above) }
  }

  private func drawTitle(
    _ rect: CellRect, _ title: TerminalText, _ isFocused: Bool, _ text: PaneText
  ) {
    guard !rect.isEmpty else { return }
    let style = isFocused ? theme.focusedTitle : theme.title
    base.fill(rect, style)
    let marks = text.marks(columns: rect.width - 9)
    let marksWidth = marks.columns
    let room = rect.width - 1 - (marksWidth > 0 && marksWidth + 8 < rect.width ? marksWidth + 2 : 0)
    // Without colours, the focus needs its own sign.
    let lead: TerminalText = theme.depth <= .ansi8 ? (isFocused ? ">" : " ") : " "
    base.put(lead + title, row: rect.y, column: rect.x, maxColumns: room, style: style)
    if room < rect.width - 1 {
      base.put(marks, row: rect.y, column: rect.maxX - marksWidth - 1, maxColumns: marksWidth, style: style)
    }
  }

  private func drawBar(_ pane: PaneModel, _ text: PaneText, _ hint: TerminalText) {
    guard let rect = pane.view.geometry?.bar, let bar = pane.bar else { return }
    let row = bar.row
    base.fill(rect, theme.time)
    guard pane.error == nil else {
      base.put("\(text.sign) cannot be played", row: rect.y, column: rect.x, maxColumns: rect.width, style: theme.time)
      return
    }
    base.put(
      bar.field.text(text.reading), row: rect.y, column: row.field.x, maxColumns: row.field.width, style: theme.time)
    let label = hidesTrack(pane, row, text) ? CellRect(x: row.track.x, y: row.track.y, width: row.label.maxX - row.track.x, height: 1) : row.label
    drawLabel(label, pane.clip.part ?? pane.heading, marks: text.marks(columns: label.width), hint)
    guard row.track.width > 0, label == row.label else { return }
    base.put(
      cells: progress(pane, width: row.track.width).cells(
        style: .standard(depth: theme.depth, glyphSet: theme.glyphSet, isFocused: pane.view.isFocused)),
      row: row.track.y, column: row.track.x)
  }

  /// Returns true if the text beside the bar takes its place: it says what is being waited for, and the bar has nothing to show.
  private func hidesTrack(_ pane: PaneModel, _ row: BarRow, _ text: PaneText) -> Bool {
    guard !row.label.isEmpty, row.label.x > row.track.x, !pane.clip.length.isNumeric else { return false }
    return text.marks(columns: .max).columns + 12 > row.label.width
  }

  /// Draws what a title row would show if there is none: the marks of the pane, otherwise the help hint, and as much of its name
  /// as fits.
  private func drawLabel(_ rect: CellRect, _ title: TerminalText, marks: TerminalText, _ hint: TerminalText) {
    guard !rect.isEmpty else { return }
    let hintFits = hint.columns + 8 <= rect.width
    let right = !marks.isEmpty ? marks.truncated(to: rect.width) : hintFits ? hint : ""
    let room = rect.width - (right.isEmpty ? 0 : right.columns + 2)
    base.put(title, row: rect.y, column: rect.x, maxColumns: max(0, room), style: theme.time)
    base.put(right, row: rect.y, column: rect.maxX - right.columns, style: theme.status(on: theme.time))
  }

  /// Draws the mark for silence in a corner of the frame, if no row has room for it.
  private func drawSilence(_ pane: PaneModel, _ geometry: PaneGeometry) {
    let text = " \(PaneText.silence) " as TerminalText
    guard pane.playback.sound == .silent, pane.error == nil, geometry.title.isEmpty, let bar = pane.bar, bar.row.label.isEmpty,
      geometry.body.width >= text.columns, geometry.body.height > 1
    else { return }
    base.put(text, row: geometry.body.y, column: geometry.body.maxX - text.columns, style: theme.notice)
  }

  /// Draws the names of two clips in the corners of the frame.
  private func drawSides(_ sides: PaneModel.Comparison.Sides, _ box: CellRect) {
    let room = sides.areBeside ? box.width / 2 - 1 : box.width
    guard room > 4, box.height > 2 else { return }
    let leading = (" " + sides.leading + " ").truncated(to: room), trailing = (" " + sides.trailing + " ").truncated(to: room)
    base.put(leading, row: box.y, column: box.x, style: theme.notice)
    if sides.areBeside {
      base.put(trailing, row: box.y, column: box.maxX - trailing.columns, style: theme.notice)
    } else {
      base.put(trailing, row: box.maxY - 1, column: box.x, style: theme.notice)
    }
  }

  private func progress(_ pane: PaneModel, width: Int) -> ProgressBar {
    let total = pane.clip.length.seconds
    guard total.isFinite, total > 0 else { return ProgressBar(width: width, played: 0) }
    func fraction(_ time: MediaTime) -> Double {
      let seconds = time.seconds
      return seconds.isNaN ? 0 : min(max(seconds / total, 0), 1)
    }
    func range(_ range: TimeRange) -> ClosedRange<Double>? {
      let low = fraction(range.start), high = fraction(range.end)
      return low <= high ? low...high : nil
    }
    var loop: ClosedRange<Double>?
    if case .on(let times) = pane.playback.loop { loop = range(times) }
    return ProgressBar(
      width: width, played: fraction(pane.time), cached: pane.cachedRanges.compactMap(range),
      loaded: pane.loading?.loadedTimeRanges.compactMap(range) ?? [],
      marks: (pane.clip.media?.chapters ?? []).map(fraction), markers: (pane.clip.media?.markers ?? []).map(fraction),
      events: pane.inspected.measurement.events.map(fraction), levels: pane.meter.heights(columns: width, seconds: total),
      loop: loop, inPoint: pane.playback.inPoint.map(fraction), outPoint: pane.playback.outPoint.map(fraction))
  }

  /// - Parameter above: Occupied rows at the bottom.
  private func drawNotice(_ body: CellRect, _ notice: Notice, above: Int) {
    let lines = notice.lines(in: body, above: above)
    guard !lines.isEmpty else { return }
    let style = notice.isError ? theme.error : theme.notice
    let top = notice.isError ? body.y + max(0, (body.height - lines.count) / 2) : body.maxY - above - lines.count
    let window = compositor.layer(CellRect(x: body.x, y: top, width: body.width, height: lines.count))
    window.erase(style)
    for (i, line) in lines.enumerated() {
      window.put(line.visualInLine, row: i, column: 1, maxColumns: body.width - 2, style: style, isVisual: true)
    }
    floating.append(window)
  }

  /// Breaks text at spaces into lines of at most `width` columns; longer words break anywhere.
  static func wrapped(_ text: TerminalText, width: Int) -> [TerminalText] {
    lines(of: text.words.flatMap { $0.pieces(columns: width) }, width: width)
  }

  /// Breaks text between its fields, which two spaces divide, into lines of at most `width` columns; longer fields break at
  /// spaces.
  private static func wrapped(fields text: TerminalText, width: Int) -> [TerminalText] {
    let fields = text.split(by: "  ").filter { !$0.isBlank }
    return lines(of: fields.flatMap { $0.columns <= width ? [$0] : wrapped($0, width: width) }, width: width)
  }

  /// Joins words into lines of at most `width` columns, at least one word per line.
  static func lines(of words: [TerminalText], gap: TerminalText = " ", width: Int) -> [TerminalText] {
    var lines: [TerminalText] = []
    var line = TerminalText()
    for word in words {
      let longer = line.isEmpty ? word : line + gap + word
      if longer.columns <= width || line.isEmpty {
        line = longer
      } else {
        lines.append(line)
        line = word
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  // MARK: - Panels

  private func drawFigures(_ body: CellRect, _ text: PaneText, _ screen: ScreenModel) {
    let room = min(body.width, max(body.width / 2, 44)) - 2
    guard room > 2, body.height > 0 else { return }
    let lines = text.figures(link: screen.link, width: room).flatMap { Self.wrapped(fields: $0, width: room) }.prefix(body.height)
    let width = (lines.map(\.columns).max() ?? 0) + 2
    let window = compositor.layer(CellRect(x: body.x, y: body.y, width: width, height: lines.count))
    window.erase(theme.panel)
    for (i, line) in lines.enumerated() {
      window.put(line, row: i, column: 1, maxColumns: width - 2, style: theme.panel)
    }
    floating.append(window)
  }

  // MARK: - Footer

  /// Draws the status row, or a message or prompt over the frames if there is no status row.
  private func drawFooter(_ screen: ScreenModel) {
    guard let window = footer(screen) else { return }
    if let prompt = screen.prompt {
      draw(prompt, in: window)
    } else {
      let text = screen.message ?? screen.status ?? ""
      let style = screen.status == nil ? theme.notice : theme.status
      window.put(text.truncated(to: window.rect.width - 2).visualInLine, row: 0, column: 1, style: style, isVisual: true)
    }
  }

  private func footer(_ screen: ScreenModel) -> CompositorWindow? {
    let style: ChromeStyle, rect: CellRect
    if screen.status != nil {
      guard rows > 1 else { return nil }
      (style, rect) = (theme.status, CellRect(x: 0, y: rows - 1, width: columns, height: 1))
    } else {
      guard screen.hasFloatingLine else { return nil }
      // Over the frame, above the bar of the only pane.
      let bar = screen.panes.first?.view.geometry?.bar.height ?? 0
      let text = screen.message?.columns ?? 0
      let width = screen.prompt == nil ? min(columns, text + 2) : columns
      (style, rect) = (
        screen.prompt == nil ? theme.notice : theme.status, CellRect(x: 0, y: max(0, rows - 1 - bar), width: width, height: 1)
      )
    }
    let window = compositor.layer(rect)
    window.erase(style)
    floating.append(window)
    return window
  }
}
