import CellGraphics
import Playback
import Terminal

/// The text and marks of a pane that is compared frame by frame: a value without a player.
struct MeasurementModel: Equatable, Sendable {
  /// A metric of the clip.
  struct Scores: Equatable, Sendable {
    /// The figures of the frame and of the clip, the most useful first.
    var words: [TerminalText]
    /// The worst scores along the bar, 0…1 of their range; nil where nothing has been measured.
    var columns: [Double?]
  }

  /// The share of the alignment that is done, 0…1; nil if it is not underway.
  var progress: Double?
  /// Times of the events.
  var events: [MediaTime] = []
  /// True if the frame shown is not that of the other clip, which has no partner here.
  var lacksPartner = false
  /// nil if no metric is shown.
  var scores: Scores?
}

extension Workspace {
  func measurementModel(of pane: Pane) -> MeasurementModel {
    var model = MeasurementModel(progress: measuring.progress(of: pane), lacksPartner: lacksPartner(pane))
    guard let measurement = pane.view.measurement else { return model }
    model.events = measurement.events.map(\.time)
    if let scores = measurement.scores {
      model.scores = .init(
        words: scores.words(at: pane.displayedTiming?.pts ?? pane.player.currentTime()),
        columns: scores.columns(width: pane.bar?.row.track.width ?? 0, length: pane.length))
    }
    return model
  }
}

extension ChromePainter {
  private static let heights: [TerminalText] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let plainHeights: [TerminalText] = ["_", ".", ":", "-", "=", "+", "*", "#"]

  /// Says over the frame that it is not the one that belongs to the others.
  func drawAbsence(_ pane: PaneModel, _ box: CellRect) {
    let text: TerminalText = " no matching frame "
    guard pane.inspected.measurement.lacksPartner, pane.error == nil, box.width >= text.columns, box.height > 0 else { return }
    base.put(text, row: box.y + box.height / 2, column: box.x + (box.width - text.columns) / 2, style: theme.notice)
  }

  /// Draws the metric at the bottom of a pane: a curve along the bar, and the figures above it.
  ///
  /// - Parameter above: Occupied rows at the bottom.
  /// - Returns: The number of rows drawn.
  func drawScores(_ pane: PaneModel, _ body: CellRect, above: Int) -> Int {
    guard let scores = pane.inspected.measurement.scores, pane.error == nil, body.height > above + 4 else { return 0 }
    let bottom = body.maxY - above - 1
    var rows = 0
    if let track = pane.bar?.row.track, track.width == scores.columns.count, track.width > 0 {
      base.fill(CellRect(x: track.x, y: bottom, width: track.width, height: 1), theme.time)
      for (i, height) in scores.columns.enumerated() {
        guard let height else { continue }
        let step = min(7, Int(height * 8))
        let glyph = theme.glyphSet == .ascii ? Self.plainHeights[step] : Self.heights[step]
        base.put(glyph, row: bottom, column: track.x + i, style: style(ofHeight: height))
      }
      rows = 1
    }
    let lines = Self.lines(of: scores.words, gap: "  ", width: body.width - 2).prefix(body.height < 12 ? 1 : 3)
    for (i, line) in lines.enumerated() {
      let row = bottom - rows - (lines.count - 1 - i)
      base.fill(CellRect(x: body.x, y: row, width: line.columns + 2, height: 1), theme.panel)
      base.put(line, row: row, column: body.x + 1, style: theme.panel)
    }
    return rows + lines.count
  }

  /// Low places stand out.
  private func style(ofHeight height: Double) -> ChromeStyle {
    var style = theme.time
    let color: (rgb: CellColor, indexed: UInt8) = switch height {
    case ..<0.25: (.rgb(255, 120, 90), 209)
    case ..<0.6: (.rgb(235, 200, 90), 221)
    default: (.rgb(120, 220, 130), 114)
    }
    switch theme.depth {
    case .trueColor: style.foreground = color.rgb
    case .palette256: style.foreground = .indexed(color.indexed)
    case .ansi16, .ansi8, .mono: break
    }
    return style
  }
}
