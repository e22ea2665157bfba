/// A key of the keyboard, without its modifiers.
public enum Key: Hashable, Sendable {
  /// A typed character, which includes Shift ("A", "?"), so it never has `.shift`.
  case character(Unicode.Scalar)
  case escape, enter, tab, backspace
  case up, down, left, right
  case home, end, pageUp, pageDown, insert, delete
  /// The middle key of the keypad without Num Lock.
  case begin
  /// F1…F12. Higher numbers (F13 for Shift-F1) are reported as the lower key with modifiers.
  case function(Int)
}

extension Key {
  /// Named keys, with accepted alternative names.
  static let named: [(key: Key, name: String, aliases: [String])] = [
    (.character(" "), "space", []), (.escape, "esc", ["escape"]), (.enter, "enter", ["return"]),
    (.tab, "tab", []), (.backspace, "backspace", ["bs"]), (.up, "up", []), (.down, "down", []),
    (.left, "left", []), (.right, "right", []), (.home, "home", []), (.end, "end", []),
    (.pageUp, "pageup", ["pgup", "page-up"]), (.pageDown, "pagedown", ["pgdn", "page-down"]),
    (.insert, "insert", ["ins"]), (.delete, "delete", ["del"]), (.begin, "begin", []),
  ]
}
