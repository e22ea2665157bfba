import Terminal

/// The open panels.
struct Panels: Equatable, Sendable {
  /// Current help page, from 0; nil while the help is closed.
  var helpPage: Int?
  var showsFigures = false
  /// The list over the focused pane; nil if none is open.
  var list: OpenList?

  struct OpenList: Equatable, Sendable {
    var kind: PaneList
    /// Index of the selected row.
    var selected: Int
  }

  /// Turns the pages of the help or closes it.
  ///
  /// - Parameters:
  ///   - command: The key's command outside the help.
  ///   - pageCount: Number of help pages.
  /// - Returns: True if the key was only for the help; otherwise it takes its normal effect too.
  mutating func turnHelp(_ stroke: KeyStroke, _ command: Command?, pageCount: Int) -> Bool {
    guard let page = helpPage else { return false }
    let last = pageCount - 1
    // Ctrl-C always quits.
    let closes = stroke.key == .escape || (command == .quit && stroke.modifiers.isDisjoint(with: .ctrl))
    if closes {
      helpPage = nil
    } else if command == .help {
      helpPage = page < last ? page + 1 : nil
    } else if last > 0, stroke.modifiers.isEmpty, [.pageDown, .down, .right, .character(" ")].contains(stroke.key) {
      helpPage = min(page + 1, last)
    } else if last > 0, stroke.modifiers.isEmpty, [.pageUp, .up, .left].contains(stroke.key) {
      helpPage = max(min(page, last) - 1, 0)
    } else {
      helpPage = nil
      return false
    }
    return true
  }
}
