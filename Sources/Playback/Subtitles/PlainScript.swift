import Pixels

/// Cues as lines of an SSA script in a plain style: white letters with an outline.
package struct PlainScript {
  private let writer: SSAWriter
  private let fontSize: Int

  /// - Parameters:
  ///   - size: the size of the picture in pixels.
  ///   - minFontSize: the lowest height of a row of text, in pixels.
  package init(size: PixelSize, minFontSize: Int) {
    writer = SSAWriter(size: size, format: .ass)
    fontSize = max(1, size.height / 16, min(minFontSize, size.height / 4))
  }

  /// The script before its lines.
  package var header: String { writer.header(fontSize: fontSize, outline: max(1, Double(fontSize) / 18)) }

  /// Returns the line for a cue.
  package func line(_ cue: SubtitleCue, number: Int) -> String {
    var placement = cue.placement
    if case .row(let row) = placement.height {
      let down = Double(fontSize) * Double(row >= 0 ? row : row + 1)
      placement.height = .fraction(min(max((row >= 0 ? 0 : 1) + down / Double(writer.size.height), 0), 1))
      placement.vertical = row >= 0 ? .top : .bottom
    }
    var placed = SubtitleCue(timeRange: cue.timeRange, lines: cue.lines, placement: placement)
    placed.fade = cue.fade
    return writer.line([placed], number: number)
  }
}

extension SubtitleCue {
  /// True if the cue fades in or out.
  package var fades: Bool { fade.fadeIn > .zero || fade.fadeOut > .zero }
}
