import Terminal

/// The part of an edited line that a row of cells shows: as much as fits, with the cursor in it.
struct LineView: Equatable {
  /// What stands in the row before the cursor.
  private(set) var before: TerminalText
  /// What the cursor stands on; a space at the line's end.
  private(set) var cursor: TerminalText = " "
  private(set) var after: TerminalText
  /// Whether there is more on the left, and on the right.
  private(set) var isCut = (left: false, right: false)

  /// - Parameter room: columns of the row, with the cursor; at least 2 show any character.
  init(_ editor: LineEditor, room: Int) {
    var left = room
    if let under = editor.afterCursor.first { cursor = Self.glyphs(of: under) }
    left -= cursor.columns
    // What comes next is worth seeing too, as far as it leaves the most to what has been typed.
    let ahead = Self.fitting(editor.afterCursor.dropFirst(), columns: left / 4)
    let behind = Self.fitting(editor.beforeCursor.reversed(), columns: left - ahead.columns)
    let rest = Self.fitting(editor.afterCursor.dropFirst(), columns: left - behind.columns)
    before = behind.glyphs.reversed().joined()
    after = rest.glyphs.joined()
    isCut = (behind.isCut, rest.isCut)
  }

  static func == (a: LineView, b: LineView) -> Bool {
    a.before == b.before && a.cursor == b.cursor && a.after == b.after && a.isCut == b.isCut
  }

  /// As many characters as fit into `columns`, as they are shown.
  private static func fitting(
    _ characters: some Sequence<Character>, columns: Int
  ) -> (glyphs: [TerminalText], columns: Int, isCut: Bool) {
    var result: [TerminalText] = []
    var used = 0
    for character in characters {
      let glyphs = glyphs(of: character)
      guard used + glyphs.columns <= columns else { return (result, used, true) }
      result.append(glyphs)
      used += glyphs.columns
    }
    return (result, used, false)
  }

  /// A character as it is shown; one of which nothing can be seen as a sign that stands for it.
  private static func glyphs(of character: Character) -> TerminalText {
    let shown = TerminalText(String(character))
    return shown.isEmpty ? "\u{FFFD}" : shown
  }
}
