/// A key of the keyboard, without its modifiers.
public enum Key: Hashable, Sendable {
  /// A character as typed: Shift is already in it ("A", "?"), so it never comes with `.shift`.
  case character(Unicode.Scalar)
  case escape, enter, tab, backspace
  case up, down, left, right
  case home, end, pageUp, pageDown, insert, delete
  /// The middle key of the numeric pad without Num Lock.
  case begin
  /// F1…F12. Terminals that number higher (F13 for Shift-F1) come as the lower key with modifiers.
  case function(Int)
}

extension Key {
  /// The keys that are called by a name, with other names accepted for them.
  static let named: [(key: Key, name: String, aliases: [String])] = [
    (.character(" "), "space", []), (.escape, "esc", ["escape"]), (.enter, "enter", ["return"]),
    (.tab, "tab", []), (.backspace, "backspace", ["bs"]), (.up, "up", []), (.down, "down", []),
    (.left, "left", []), (.right, "right", []), (.home, "home", []), (.end, "end", []),
    (.pageUp, "pageup", ["pgup", "page-up"]), (.pageDown, "pagedown", ["pgdn", "page-down"]),
    (.insert, "insert", ["ins"]), (.delete, "delete", ["del"]), (.begin, "begin", []),
  ]
}
