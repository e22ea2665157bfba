import CellGraphics
import Playback
import Terminal

/// A cue ready for drawing: rows of text with a background. Independent of the player.
struct SubtitleBlock: Equatable, Sendable {
  /// Text of one style, with glyphs in visual order.
  struct Run: Equatable, Sendable {
    var text: TerminalText
    var style: SubtitleStyle
  }

  /// The covered cells, with an empty column on either side.
  var rect: CellRect
  var rows: [[Run]]
  var alignment: SubtitlePlacement.Horizontal
  /// Opacity of the block, 0…1.
  var opacity = 1.0
  /// Background colour; nil if there are too few colours for one.
  var ground: SubtitleStyle.Color?
}

/// Breaks styled text into rows.
struct SubtitleText {
  private struct Glyph {
    var text: TerminalText
    var columns: Int
    var style: SubtitleStyle
  }

  /// An unbreakable unit: a word, or a part of one in a script without spaces.
  private struct Unit {
    let glyphs: ArraySlice<Glyph>
    /// True if it follows the previous unit without a space.
    let isGlued: Bool
    let columns: Int

    init(_ glyphs: ArraySlice<Glyph>, isGlued: Bool) {
      self.glyphs = glyphs
      self.isGlued = isGlued
      columns = glyphs.reduce(0) { $0 + $1.columns }
    }
  }

  /// A line of the cue.
  private struct Line {
    let units: [Unit]
    /// Direction of the line, which its rows share whatever they start with; nil if it does not matter.
    let direction: TerminalText.Direction?
  }

  private let lines: [Line]

  /// Maximum scalars of a cue to lay out: more than any pane shows, and few enough to process between two frames.
  private static let maxScalars = 8192

  init(_ cue: SubtitleCue) {
    var room = Self.maxScalars
    lines = cue.lines.prefix(Self.maxScalars).map { line in
      let glyphs = line.spans.prefix(Self.maxScalars).flatMap { span in
        let text = span.text.unicodeScalars.prefix(room)
        room -= text.count
        return TerminalText(String(text)).pieces(columns: 1).map { Glyph(text: $0, columns: $0.columns, style: span.style) }
      }
      return Line(
        units: glyphs.split { $0.text == " " }.flatMap { Self.units(of: $0) }, direction: glyphs.map(\.text).joined().direction)
    }.filter { !$0.units.isEmpty }
  }

  /// Its rows, of about equal length, broken between words if a line is longer than `width`; longer words break anywhere.
  ///
  /// - Parameter maxRows: More rows are cut, with "…" at the end.
  func rows(width: Int, maxRows: Int) -> [[SubtitleBlock.Run]] {
    guard width > 0, maxRows > 0 else { return [] }
    let rows = lines.flatMap { line in
      Self.balanced(line.units.flatMap { Self.pieces(of: $0, width: width) }, width: width).map { (glyphs: $0, direction: line.direction) }
    }
    var kept = Array(rows.prefix(maxRows))
    if rows.count > maxRows, let last = kept.popLast() {
      kept.append((Self.ellipsized(last.glyphs, width: width), last.direction))
    }
    return kept.map { Self.runs($0.glyphs, running: $0.direction) }
  }

  /// Characters that must not start a row, and those that must not end one, in scripts without spaces. Source: JIS X 4051.
  private static let closing = signs(
    "。、，．！？：；」』）】〕〉》〗…ー々ゝゞヽヾっゃゅょぁぃぅぇぉッャュョァィゥェォ.,!?:;)]}”’")
  private static let opening = signs("「『（【〔〈《〖([{“‘")

  private static func signs(_ all: String) -> Set<TerminalText> { Set(all.map { "\($0)" }) }

  /// The parts of a word between which a row may end.
  private static func units(of word: ArraySlice<Glyph>) -> [Unit] {
    var units: [Unit] = [], start = word.startIndex
    for place in word.indices.dropFirst() {
      let (before, after) = (word[place - 1], word[place])
      guard isUnspaced(before) || isUnspaced(after), !opening.contains(before.text), !closing.contains(after.text) else { continue }
      units.append(Unit(word[start..<place], isGlued: !units.isEmpty))
      start = place
    }
    return units + [Unit(word[start...], isGlued: !units.isEmpty)]
  }

  /// True for scripts without spaces: wide, and not a Korean syllable.
  private static func isUnspaced(_ glyph: Glyph) -> Bool {
    glyph.columns == 2 && !(glyph.text.description.unicodeScalars.first.map { (0xAC00...0xD7A3).contains($0.value) } ?? false)
  }

  /// The fewest rows, and among these the ones with the shortest longest row.
  private static func balanced(_ units: [Unit], width: Int) -> [[Glyph]] {
    let count = greedy(units, width: width).count
    guard count > 1 else { return greedy(units, width: width) }
    var low = units.map(\.columns).max() ?? 1, high = width
    while low < high {
      let middle = (low + high) / 2
      if greedy(units, width: middle).count <= count { high = middle } else { low = middle + 1 }
    }
    return greedy(units, width: high)
  }

  private static func greedy(_ units: [Unit], width: Int) -> [[Glyph]] {
    var rows: [[Glyph]] = [], used = 0
    for unit in units {
      let gap = unit.isGlued ? 0 : 1
      guard let last = rows.last?.last, used + gap + unit.columns <= width else {
        rows.append(Array(unit.glyphs))
        used = unit.columns
        continue
      }
      // A space has the style of its neighbours if both agree.
      let style = last.style == unit.glyphs.first?.style ? last.style : SubtitleStyle()
      if gap > 0 { rows[rows.count - 1].append(Glyph(text: " ", columns: 1, style: style)) }
      rows[rows.count - 1] += unit.glyphs
      used += gap + unit.columns
    }
    return rows
  }

  /// The unit, or its parts if it is too long for a row.
  private static func pieces(of unit: Unit, width: Int) -> [Unit] {
    guard unit.columns > width else { return [unit] }
    var pieces: [Unit] = [], start = unit.glyphs.startIndex, used = 0
    for place in unit.glyphs.indices {
      let columns = unit.glyphs[place].columns
      if place > start, used + columns > width {
        pieces.append(Unit(unit.glyphs[start..<place], isGlued: unit.isGlued || !pieces.isEmpty))
        (start, used) = (place, 0)
      }
      used += columns
    }
    return pieces + [Unit(unit.glyphs[start...], isGlued: unit.isGlued || !pieces.isEmpty)]
  }

  private static func ellipsized(_ row: [Glyph], width: Int) -> [Glyph] {
    var row = row
    while !row.isEmpty, columns(row) + 1 > width || row.last?.text == " " { row.removeLast() }
    return row + [Glyph(text: "…", columns: 1, style: row.last?.style ?? SubtitleStyle())]
  }

  private static func columns(_ row: [Glyph]) -> Int { row.reduce(0) { $0 + $1.columns } }

  private static func runs(_ row: [Glyph], running direction: TerminalText.Direction?) -> [SubtitleBlock.Run] {
    var runs: [SubtitleBlock.Run] = []
    for glyph in row.map(\.text).joined().visualGlyphs(running: direction) {
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
