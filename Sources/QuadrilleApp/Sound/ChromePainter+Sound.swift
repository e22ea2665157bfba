import CellGraphics
import Glibc
import Playback
import Terminal

/// The sound of clips that have nothing else.
extension ChromePainter {
  /// Draws the loudness in a corner of the frame, below the mark for silence.
  func drawLoudness(_ pane: PaneModel, _ body: CellRect) {
    guard let words = pane.meter.words, pane.error == nil, body.width >= 2 * words.columns, body.height > 4 else { return }
    base.put(" " + words + " ", row: body.y + 1, column: body.maxX - words.columns - 2, style: theme.notice)
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

  /// Returns the height of the sound in each column of a bar; NaN where it is not known, and nothing before any is.
  func heights(columns: Int, seconds: Double) -> [Double] {
    guard let overview, !overview.parts.isEmpty, columns > 0 else { return [] }
    return (0..<columns).map { column in
      let edges = [column, column + 1].map { MediaTime(seconds: Double($0) / Double(columns) * seconds, preferredTimescale: 1000) }
      guard let part = overview.sound(in: TimeRange(start: edges[0], end: edges[1])) else { return .nan }
      // Quiet sound is raised to be visible.
      return pow(Double(part.power), 1 / 3)
    }
  }
}
