import CellGraphics
import Playback
import Terminal

/// A cue as it is to be drawn: rows of text on a ground of its own. A value that knows no player.
struct SubtitleBlock: Equatable, Sendable {
  /// Text of one style, its glyphs in the order in which they are seen.
  struct Run: Equatable, Sendable {
    var text: TerminalText
    var style: SubtitleStyle
  }

  /// The cells that it covers, with an empty column at both sides.
  var rect: CellRect
  var rows: [[Run]]
  var alignment: SubtitlePlacement.Horizontal
  /// The colour behind the text; nil where there are too few colours for one.
  var ground: SubtitleStyle.Color?
}

/// Text that is broken into rows, whose parts have styles.
struct SubtitleText {
  private struct Glyph {
    var text: TerminalText
    var columns: Int
    var style: SubtitleStyle
  }

  private typealias Word = [Glyph]

  /// For each line of the cue its words.
  private let lines: [[Word]]

  /// Scalars of a cue that are laid out at the most: more than any pane shows, and little enough to be done between two frames.
  private static let maxScalars = 8192

  init(_ cue: SubtitleCue) {
    var room = Self.maxScalars
    lines = cue.lines.prefix(Self.maxScalars).map { line in
      let glyphs = line.spans.prefix(Self.maxScalars).flatMap { span in
        let text = span.text.unicodeScalars.prefix(room)
        room -= text.count
        return TerminalText(String(text)).pieces(columns: 1).map { Glyph(text: $0, columns: $0.columns, style: span.style) }
      }
      return glyphs.split { $0.text == " " }.map(Array.init)
    }.filter { !$0.isEmpty }
  }

  /// Its rows, broken between words where a line is longer than `width`, about equally long; words that are longer, anywhere.
  ///
  /// - Parameter maxRows: more are cut, with "…" at the end.
  func rows(width: Int, maxRows: Int) -> [[SubtitleBlock.Run]] {
    guard width > 0, maxRows > 0 else { return [] }
    let rows = lines.flatMap { Self.balanced($0.flatMap { Self.pieces(of: $0, width: width) }, width: width) }
    var kept = Array(rows.prefix(maxRows))
    if rows.count > maxRows, let last = kept.popLast() { kept.append(Self.ellipsized(last, width: width)) }
    return kept.map(Self.runs)
  }

  /// The fewest rows, and among these the ones whose longest is shortest.
  private static func balanced(_ words: [Word], width: Int) -> [Word] {
    let count = greedy(words, width: width).count
    guard count > 1 else { return greedy(words, width: width) }
    var low = 1, high = width
    while low < high {
      let middle = (low + high) / 2
      let fits = words.allSatisfy { columns($0) <= middle } && greedy(words, width: middle).count <= count
      if fits { high = middle } else { low = middle + 1 }
    }
    return greedy(words, width: high)
  }

  private static func greedy(_ words: [Word], width: Int) -> [Word] {
    var rows: [Word] = []
    for word in words {
      if let last = rows.last, columns(last) + 1 + columns(word) <= width {
        // The space looks like what it stands between, if both look alike.
        let style = last.last?.style == word.first?.style ? word.first?.style : nil
        rows[rows.count - 1] = last + [Glyph(text: " ", columns: 1, style: style ?? SubtitleStyle())] + word
      } else {
        rows.append(word)
      }
    }
    return rows
  }

  private static func pieces(of word: Word, width: Int) -> [Word] {
    var result: [Word] = [], piece: Word = [], used = 0
    for glyph in word {
      if !piece.isEmpty, used + glyph.columns > width {
        result.append(piece)
        (piece, used) = ([], 0)
      }
      piece.append(glyph)
      used += glyph.columns
    }
    return piece.isEmpty ? result : result + [piece]
  }

  private static func ellipsized(_ row: Word, width: Int) -> Word {
    var row = row
    while !row.isEmpty, columns(row) + 1 > width || row.last?.text == " " { row.removeLast() }
    return row + [Glyph(text: "…", columns: 1, style: row.last?.style ?? SubtitleStyle())]
  }

  private static func columns(_ row: Word) -> Int { row.reduce(0) { $0 + $1.columns } }

  private static func runs(_ row: Word) -> [SubtitleBlock.Run] {
    var runs: [SubtitleBlock.Run] = []
    for glyph in row.map(\.text).joined().visualGlyphs {
      let style = row[glyph.source].style
      if runs.last?.style == style {
        runs[runs.count - 1].text += glyph.text
      } else {
        runs.append(.init(text: glyph.text, style: style))
      }
    }
    return runs
  }
}
