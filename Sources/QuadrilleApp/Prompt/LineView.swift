import Terminal

/// The visible part of an edited line in a row of cells, with the cursor in it.
struct LineView: Equatable {
  /// The text before the cursor.
  private(set) var before: TerminalText
  /// The character under the cursor; a space at the line's end.
  private(set) var cursor: TerminalText = " "
  private(set) var after: TerminalText
  /// True if there is more text on the left, and on the right.
  private(set) var isCut = (left: false, right: false)

  /// - Parameter room: Columns of the row, including the cursor; 2 suffice for any character.
  init(_ editor: LineEditor, room: Int) {
    var left = room
    if let under = editor.afterCursor.first { cursor = Self.glyphs(of: under) }
    left -= cursor.columns
    // Show some following text too, while most of the room goes to the typed text.
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

  /// As many characters as fit into `columns`, as displayed.
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

  /// A character as displayed; invisible ones are replaced by a sign.
  private static func glyphs(of character: Character) -> TerminalText {
    let shown = TerminalText(String(character))
    return shown.isEmpty ? "\u{FFFD}" : shown
  }
}
