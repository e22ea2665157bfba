import CellGraphics
import Pixels
import Playback
import Terminal

/// Facts, measurements and pixels of frames.
extension Workspace {
  /// Shows facts of the displayed frames, then also the packets around, then neither.
  func cycleFacts() {
    evaluation.inspection.nextFacts()
    chrome.invalidateAtOnce()
  }

  /// Shows the next measurement in each pane, or none.
  func cycleScope() {
    evaluation.inspection.nextScope()
    say(evaluation.inspection.scope?.words ?? "scopes off")
    updateScopes()
  }

  /// Gives each pane the current measurement.
  private func updateScopes() {
    for pane in panes.panes {
      pane.view.scope = evaluation.inspection.scope.map { scope in PaneScope(scope, pane.player) { [wakeup = resources.wakeup] in wakeup.signal() } }
    }
    updateLayout()
  }

  /// Shows the values of the pixel under the pointer, or not.
  func toggleProbe() {
    evaluation.inspection.probes.toggle()
    evaluation.inspection.pointer = nil
    chrome.invalidateAtOnce()
  }

  /// Shows another plane of frames, or other fields, in the focused pane and those linked to it.
  func changeLook(_ change: (inout FrameLook) -> Void) {
    guard let pane = panes.focused else { return }
    change(&pane.view.look)
    for other in panes.linked(to: pane) { other.view.look = pane.view.look }
    updateLayout()
  }

  /// The cell whose pixel is probed: under the pointer, or in the middle of the focused pane's frame.
  var probedCell: Inspection.Cell? {
    guard evaluation.inspection.probes, let pane = panes.focused else { return nil }
    let blitter = screen.metrics.blitter
    if let pointer = evaluation.inspection.pointer, pane.point(column: pointer.column, row: pointer.row, blitter: blitter) != nil { return pointer }
    return pane.layer(blitter: blitter).map { layer in
      let cells = layer.imageCells(blitter)
      return .init(column: cells.x + cells.width / 2, row: cells.y + cells.height / 2)
    }
  }

  /// The values of the probed pixel in the focused pane and those linked to it.
  var probeModel: ProbeModel? {
    guard let cell = probedCell, let pane = panes.focused,
      let point = pane.point(column: cell.column, row: cell.row, blitter: screen.metrics.blitter)?.frame
    else { return nil }
    let others = panes.linked(to: pane).filter { $0 !== pane && $0.geometry != nil || $0 === pane.view.comparison?.reference }
    // In the order in which differences are taken.
    let reference = pane.view.comparison?.reference
    let all = ([pane] + others).sorted { one, other in
      reference != nil ? one === reference : (panes.index(of: one) ?? 0) < (panes.index(of: other) ?? 0)
    }
    let probed = all.map { ($0, $0.player.probe(x: point.x, y: point.y)) }
    var lines: [TerminalText] = probed.map { pane, pixel in
      let number: TerminalText = panes.panes.count > 1 ? "\((panes.index(of: pane) ?? 0) + 1)  " : ""
      let absence: TerminalText = pane.player.rate != 0 ? "paused clips only" : "no pixel"
      return number + (pixel?.words ?? absence)
    }
    if probed.count == 2, let own = probed[0].1, let other = probed[1].1 { lines.append("difference  \(own.difference(from: other))") }
    return ProbeModel(cell: cell, lines: lines)
  }
}

/// The probed pixel, for drawing.
struct ProbeModel: Equatable, Sendable {
  var cell: Inspection.Cell
  var lines: [TerminalText]
}

/// The sizes of the packets of the frames around the displayed one, for drawing.
struct PacketStrip: Equatable, Sendable {
  struct Bar: Equatable, Sendable {
    /// 0…1, of the largest.
    var height: Double
    var type: FrameFacts.PictureType?
    var isCurrent: Bool
  }

  var bars: [Bar]

  /// - Parameters:
  ///   - number: The number of the displayed frame.
  init?(_ packets: [PacketFacts], number: Int?) {
    guard let largest = packets.map(\.byteCount).max(), largest > 0 else { return nil }
    bars = packets.map { packet in
      // Keyframes are so much larger that others would all look alike.
      Bar(
        height: (Double(packet.byteCount) / Double(largest)).squareRoot(),
        type: packet.isKeyframe ? .intra : packet.pictureType, isCurrent: packet.number == number)
    }
  }
}

extension ChromePainter {
  private static let eighths: [TerminalText] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Draws the facts of a frame at the bottom of a pane, and the packets around above them.
  func drawFacts(_ pane: PaneModel, _ body: CellRect, above: Int) {
    guard let facts = pane.inspected.facts, body.height > above + 3 else { return }
    let row = body.maxY - above - 1
    let text = facts.truncated(to: body.width - 2)
    base.fill(CellRect(x: body.x, y: row, width: text.columns + 2, height: 1), theme.panel)
    base.put(text, row: row, column: body.x + 1, style: theme.panel)
    guard let strip = pane.inspected.packets else { return }
    for (i, bar) in strip.bars.prefix(body.width).enumerated() {
      let step = min(7, max(0, Int((bar.height * 8).rounded(.up)) - 1))
      let glyph: TerminalText = theme.glyphSet == .ascii ? (bar.type.map { "\($0.rawValue)" } ?? ".") : Self.eighths[step]
      base.put(glyph, row: row - 1, column: body.x + i, style: style(of: bar))
    }
  }

  private func style(of bar: PacketStrip.Bar) -> ChromeStyle {
    var style = bar.isCurrent ? theme.focusedTitle : theme.panel
    let color: (rgb: CellColor, indexed: UInt8) = switch bar.type {
    case .intra: (.rgb(255, 120, 90), 209)
    case .predicted: (.rgb(110, 170, 255), 75)
    case .bidirectional: (.rgb(120, 220, 130), 114)
    case .other, nil: (.rgb(170, 176, 186), 249)
    }
    switch theme.depth {
    case .trueColor: style.foreground = color.rgb
    case .palette256: style.foreground = .indexed(color.indexed)
    case .ansi16, .ansi8, .mono: break
    }
    return style
  }

  /// Draws the values of the probed pixel, and a mark on it.
  func draw(_ probe: ProbeModel, over body: CellRect, above: Int) {
    let width = min(body.width, (probe.lines.map(\.columns).max() ?? 0) + 2)
    let height = min(probe.lines.count, body.height - above)
    guard width > 2, height > 0 else { return }
    base.put(theme.glyphSet == .ascii ? "+" : "┼", row: probe.cell.row, column: probe.cell.column, style: theme.notice)
    // Not over the pixel.
    let isBelow = probe.cell.row < body.y + body.height / 2
    let top = isBelow ? body.maxY - above - height : body.y
    let window = compositor.layer(CellRect(x: body.x, y: top, width: width, height: height))
    window.erase(theme.panel)
    for (i, line) in probe.lines.prefix(height).enumerated() {
      window.put(line, row: i, column: 1, maxColumns: width - 2, style: theme.panel)
    }
    floating.append(window)
  }
}
