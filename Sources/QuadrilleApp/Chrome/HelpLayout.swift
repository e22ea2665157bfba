import Terminal

/// The help arranged in columns and pages for a panel size: pure.
struct HelpLayout {
  enum Line: Equatable {
    case heading(TerminalText)
    case entry(keys: TerminalText, meaning: TerminalText)
    case blank
  }

  /// Pages, each with columns of lines.
  let pages: [[[Line]]]
  /// Widths of each column, on all pages.
  let widths: [Widths]
  /// Lines of the longest column.
  let height: Int

  struct Widths: Equatable {
    var keys = 0
    var meanings = 0

    var sum: Int { keys + HelpLayout.keyGap + meanings }

    fileprivate mutating func include(_ line: Line) {
      switch line {
      case .heading(let text): meanings = max(meanings, text.columns - keys - HelpLayout.keyGap)
      case .entry(let keys, let meaning):
        (self.keys, meanings) = (max(self.keys, keys.columns), max(meanings, meaning.columns))
      case .blank: break
      }
    }
  }

  /// Gaps between keys and meanings, and between columns.
  static let keyGap = 2
  static let columnGap = 3
  private static let maxColumns = 4
  /// Wider keys and meanings are wrapped if that saves pages.
  private static let minKeyWidth = 12
  private static let minMeaningWidth = 20

  var width: Int { widths.reduce(0) { $0 + $1.sum } + max(0, widths.count - 1) * Self.columnGap }

  /// Fits the help into at most this many columns and rows: on as few pages as possible, in the panel that leaves the most
  /// space free in its tighter dimension.
  init(_ text: HelpText, columns: Int, rows: Int) {
    let rows = max(1, rows)
    let candidates = (1...Self.maxColumns).compactMap { count in
      HelpLayout(text, count: count, columns: max(1, columns), rows: rows)
    }
    func crowding(_ layout: HelpLayout) -> Double {
      max(Double(layout.width) / Double(max(1, columns)), Double(layout.height) / Double(rows))
    }
    let best = candidates.min { ($0.pages.count, crowding($0)) < ($1.pages.count, crowding($1)) }
    // One column always fits.
    self = best ?? HelpLayout(pages: [], widths: [], height: 0)
  }

  private init(pages: [[[Line]]], widths: [Widths], height: Int) {
    (self.pages, self.widths, self.height) = (pages, widths, height)
  }

  /// Arranges `count` columns side by side; nil if they would be too narrow.
  private init?(_ text: HelpText, count: Int, columns: Int, rows: Int) {
    let entries = text.groups.flatMap(\.entries)
    let widestKeys = entries.map(\.keys.columns).max() ?? 0
    let widestMeaning = entries.flatMap { [$0.meaning.columns] + $0.parts.map(\.meaning.columns) }.max() ?? 0
    let room = (columns - (count - 1) * Self.columnGap) / count - Self.keyGap
    guard count == 1 || room >= Self.minKeyWidth + Self.minMeaningWidth else { return nil }
    let keyWidth = min(widestKeys, max(min(Self.minKeyWidth, max(1, room / 2)), room - widestMeaning))
    let meaningWidth = max(1, min(widestMeaning, room - keyWidth))
    let groups = text.groups.map { group in
      [.heading(group.heading)] + group.entries.flatMap { Self.lines($0, keyWidth, meaningWidth) }
    }
    let most = Self.fill(groups, height: rows)
    // On a single page, balance the heights of the columns.
    var height = rows
    var filled = most
    if most.count <= count {
      while height > 1, case let less = Self.fill(groups, height: height - 1), less.count <= count {
        (height, filled) = (height - 1, less)
      }
    }
    pages = stride(from: 0, to: filled.count, by: count).map { Array(filled[$0..<min($0 + count, filled.count)]) }
    var widths = [Widths](repeating: Widths(), count: min(count, filled.count))
    for (i, column) in filled.enumerated() { for line in column { widths[i % count].include(line) } }
    self.widths = widths
    self.height = filled.map(\.count).max() ?? 0
  }

  /// An entry on one line if its keys fit; otherwise each action gets its own lines.
  private static func lines(_ entry: HelpText.Entry, _ keyWidth: Int, _ meaningWidth: Int) -> [Line] {
    if entry.parts.count > 1, entry.keys.columns <= keyWidth, entry.meaning.columns <= meaningWidth {
      return [.entry(keys: entry.keys, meaning: entry.meaning)]
    }
    return entry.parts.flatMap { part in
      let keys = ChromePainter.lines(of: part.keys.flatMap { $0.pieces(columns: keyWidth) }, width: keyWidth)
      let meaning = ChromePainter.wrapped(part.meaning, width: meaningWidth)
      return (0..<max(keys.count, meaning.count)).map { i in
        Line.entry(keys: i < keys.count ? keys[i] : "", meaning: i < meaning.count ? meaning[i] : "")
      }
    }
  }

  /// Fills columns of at most `height` lines; a group is split only if it is higher than that.
  private static func fill(_ groups: [[Line]], height: Int) -> [[Line]] {
    var columns: [[Line]] = []
    var column: [Line] = []
    for group in groups {
      if !column.isEmpty, column.count + 1 + group.count > height {
        columns.append(column)
        column = []
      }
      if !column.isEmpty { column.append(.blank) }
      for line in group {
        if column.count == height {
          columns.append(column)
          column = []
        }
        column.append(line)
      }
    }
    return column.isEmpty ? columns : columns + [column]
  }
}
