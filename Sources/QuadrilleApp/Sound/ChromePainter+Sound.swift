import CellGraphics
import Glibc
import Playback
import Terminal

/// The sound of clips that have nothing else.
extension ChromePainter {
  /// Draws the loudness in a corner of the frame, below the mark for silence and below panels; these have to be drawn before.
  func drawLoudness(_ pane: PaneModel) {
    guard let body = pane.view.geometry?.body, let words = pane.meter.words, pane.error == nil, body.width >= 2 * words.columns,
      body.height > 4
    else { return }
    func place(row: Int) -> CellRect { CellRect(x: body.maxX - words.columns - 2, y: row, width: words.columns + 2, height: 1) }
    func covering(_ rect: CellRect) -> [CellRect] { floating.map(\.rect).filter { !$0.intersection(rect).isEmpty } }
    var rect = place(row: body.y + 1)
    if let below = covering(rect).map(\.maxY).max() { rect = place(row: below) }
    // Of a number that is covered in part, another one would remain.
    guard rect.y < body.maxY - 1, covering(rect).isEmpty else { return }
    base.put(" " + words + " ", row: rect.y, column: rect.x, style: theme.notice)
  }
}

extension PaneModel.Meter {
  /// Momentary and short-term loudness; nil if unknown.
  var words: TerminalText? {
    loudness.map { "M \(Self.figure($0.momentary))  S \(Self.figure($0.shortTerm)) LUFS" }
  }

  /// The same width for all values, so that nothing moves.
  private static func figure(_ units: Double) -> TerminalText {
    guard units > -99.95 else { return " --.-" }
    let text = PaneText.signedDecibels(units)
    return TerminalText(String(repeating: " ", count: max(0, 5 - text.count)) + text)
  }

  /// The power of the loudest part from which a clip is drawn in full height; a quieter one is nearly silent and looks so.
  private static let minReference: Float = 0.001

  /// Returns the height of the sound in each column of a bar, as a share of the clip's loudest part; NaN where it is not known,
  /// and nothing before any is.
  func heights(columns: Int, seconds: Double) -> [Double] {
    guard let overview, !overview.parts.isEmpty, columns > 0 else { return [] }
    let loudest = Double(overview.parts.lazy.map(\.power).max().map { max($0, Self.minReference) } ?? 1)
    return (0..<columns).map { column in
      let edges = [column, column + 1].map { MediaTime(seconds: Double($0) / Double(columns) * seconds, preferredTimescale: 1000) }
      guard let part = overview.sound(in: TimeRange(start: edges[0], end: edges[1])) else { return .nan }
      // Quiet sound is raised to be visible.
      return pow(Double(part.power) / loudest, 1 / 3)
    }
  }
}
