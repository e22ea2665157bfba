import CellGraphics
import Pixels
import Playback
import Terminal

/// Draws titles, bars, panels and the status line into ncurses windows. Screen thread only.
final class ChromePainter {
  /// What is to be seen besides the panes themselves.
  struct Scene {
    var panes: [(pane: Pane, number: Int, isFocused: Bool)] = []
    var status: TerminalText = ""
    var prompt: Prompt?
    /// Page of the keys that are shown, from 0.
    var helpPage: Int?
    var showsInfo = false
    /// Shown alone when nothing else fits.
    var obstacle: TerminalText?
    var bytesPerSecond = 0.0
  }

  let compositor: NcursesCompositor
  let theme: ChromeTheme
  let help: HelpText
  var base: CompositorWindow
  var floating: [CompositorWindow] = []

  init(columns: Int, rows: Int, theme: ChromeTheme, keys: KeyMap) throws {
    compositor = try NcursesCompositor(columns: columns, rows: rows)
    self.theme = theme
    help = HelpText(keys, theme: theme)
    base = compositor.layer(PixelRect(x: 0, y: 0, width: columns, height: rows))
  }

  var columns: Int { compositor.columns }
  var rows: Int { compositor.rows }

  func resize(columns: Int, rows: Int) {
    compositor.resize(columns: columns, rows: rows)
    base.move(to: PixelRect(x: 0, y: 0, width: columns, height: rows))
  }

  /// Lays what was drawn last over the pictures in `grid`.
  func compose(into grid: inout CellGrid) { compositor.compose([base] + floating, into: &grid) }

  func draw(_ scene: Scene) {
    floating = []
    base.erase(theme.ground)
    if let obstacle = scene.obstacle {
      drawObstacle(obstacle)
    } else {
      for entry in scene.panes { draw(entry.pane, number: entry.number, isFocused: entry.isFocused, scene) }
    }
    drawStatus(scene)
    if let page = scene.helpPage { drawHelp(page: page) }
  }

  private func drawObstacle(_ text: TerminalText) {
    let lines = Self.wrapped(text, width: columns).prefix(max(1, rows - 1))
    let top = max(0, (rows - lines.count) / 2)
    for (i, line) in lines.enumerated() {
      let left = max(0, (columns - line.columns) / 2)
      base.put(line, row: top + i, column: left, style: theme.ground)
    }
  }

  // MARK: - Panes

  private func draw(_ pane: Pane, number: Int, isFocused: Bool, _ scene: Scene) {
    guard let geometry = pane.geometry else { return }
    let text = PaneText(pane: pane, theme: theme)
    if pane.picture != nil && pane.error == nil { base.hole(geometry.box) }
    drawTitle(geometry.title, pane, number, isFocused, text)
    drawBar(geometry.bar, pane, isFocused, text)
    if scene.showsInfo { drawFigures(geometry.body, text.figures(bytesPerSecond: scene.bytesPerSecond)) }
    if let notice = pane.notice { drawNotice(geometry.body, notice) }
  }

  private func drawTitle(
    _ rect: PixelRect, _ pane: Pane, _ number: Int, _ isFocused: Bool, _ text: PaneText
  ) {
    guard !rect.isEmpty else { return }
    let style = isFocused ? theme.focusedTitle : theme.title
    base.fill(rect, style)
    let marks = text.marks
    let marksWidth = marks.columns
    let room = rect.width - 1 - (marksWidth > 0 && marksWidth + 8 < rect.width ? marksWidth + 2 : 0)
    // Without colours the focus needs a sign of its own.
    let lead: TerminalText = theme.depth <= .ansi8 ? (isFocused ? ">" : " ") : " "
    base.put("\(lead)\(number) \(pane.title)", row: rect.y, column: rect.x, maxColumns: room, style: style)
    if room < rect.width - 1 {
      base.put(marks, row: rect.y, column: rect.maxX - marksWidth - 1, maxColumns: marksWidth, style: style)
    }
  }

  private func drawBar(_ rect: PixelRect, _ pane: Pane, _ isFocused: Bool, _ text: PaneText) {
    guard !rect.isEmpty else { return }
    base.fill(rect, theme.time)
    let clock = text.clock(width: rect.width)
    let bar = Self.barRect(rect, clock: clock)
    base.put(clock, row: rect.y, column: rect.x, maxColumns: bar.x - rect.x, style: theme.time)
    guard bar.width > 0 else { return }
    base.put(
      cells: progress(pane, width: bar.width).cells(
        style: .standard(depth: theme.depth, glyphSet: theme.glyphSet, isFocused: isFocused)),
      row: bar.y, column: bar.x)
  }

  /// Where the progress bar itself lies in a pane's lowest row, behind the clock.
  static func barRect(_ rect: PixelRect, clock: TerminalText) -> PixelRect {
    let clockWidth = clock.columns + 1
    let left = min(clockWidth, rect.width * 2 / 3)
    return PixelRect(x: rect.x + left, y: rect.y, width: max(0, rect.width - left), height: rect.height)
  }

  /// The bar's place on the screen, for the mouse.
  func barRect(of pane: Pane) -> PixelRect? {
    guard let bar = pane.geometry?.bar, !bar.isEmpty else { return nil }
    return Self.barRect(bar, clock: PaneText(pane: pane, theme: theme).clock(width: bar.width))
  }

  private func progress(_ pane: Pane, width: Int) -> ProgressBar {
    let total = pane.player.duration.seconds
    guard total.isFinite, total > 0 else { return ProgressBar(width: width, played: 0) }
    func fraction(_ time: MediaTime) -> Double {
      let seconds = time.seconds
      return seconds.isNaN ? 0 : min(max(seconds / total, 0), 1)
    }
    func range(_ range: TimeRange) -> ClosedRange<Double>? {
      let low = fraction(range.start), high = fraction(range.end)
      return low <= high ? low...high : nil
    }
    return ProgressBar(
      width: width, played: fraction(pane.time), held: pane.held.compactMap(range),
      marks: (pane.facts?.chapters ?? []).map(\.timeRange.start).filter { $0 > .zero }.map(fraction),
      loop: pane.player.loopRange.flatMap(range))
  }

  private func drawNotice(_ picture: PixelRect, _ notice: Notice) {
    guard picture.width > 2, picture.height > 0 else { return }
    let style = notice.isError ? theme.error : theme.notice
    let lines = Self.wrapped(notice.text, width: picture.width - 2).suffix(max(1, min(3, picture.height)))
    let top = notice.isError ? picture.y + max(0, (picture.height - lines.count) / 2) : picture.maxY - lines.count
    let window = compositor.layer(PixelRect(x: picture.x, y: top, width: picture.width, height: lines.count))
    window.erase(style)
    for (i, line) in lines.enumerated() {
      window.put(line, row: i, column: 1, maxColumns: picture.width - 2, style: style)
    }
    floating.append(window)
  }

  /// Breaks text at spaces into lines of at most `width` columns; words that are longer, anywhere.
  static func wrapped(_ text: TerminalText, width: Int) -> [TerminalText] {
    lines(of: text.words.flatMap { $0.pieces(columns: width) }, width: width)
  }

  /// Puts as many words into a line as fit into `width` columns, at least one.
  static func lines(of words: [TerminalText], width: Int) -> [TerminalText] {
    var lines: [TerminalText] = []
    var line = TerminalText()
    for word in words {
      let longer = line.isEmpty ? word : "\(line) \(word)"
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

  private func drawFigures(_ picture: PixelRect, _ lines: [TerminalText]) {
    let width = min(picture.width, (lines.map(\.columns).max() ?? 0) + 2)
    let height = min(picture.height, lines.count)
    guard width > 4, height > 0 else { return }
    let window = compositor.layer(PixelRect(x: picture.x, y: picture.y, width: width, height: height))
    window.erase(theme.panel)
    for (i, line) in lines.prefix(height).enumerated() {
      window.put(line, row: i, column: 1, maxColumns: width - 2, style: theme.panel)
    }
    floating.append(window)
  }

  private func drawStatus(_ scene: Scene) {
    let row = rows - 1
    guard rows > 1 else { return }
    base.fill(PixelRect(x: 0, y: row, width: columns, height: 1), theme.status)
    guard let prompt = scene.prompt else {
      base.put(scene.status, row: row, column: 1, maxColumns: columns - 2, style: theme.status)
      return
    }
    drawLine(of: prompt, row: row)
  }
}
