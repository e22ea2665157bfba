import Terminal

/// The panels that lie over the panes.
struct Panels: Equatable, Sendable {
  /// Page of the help that is shown, from 0; nil while the help is closed.
  var helpPage: Int?
  var showsFigures = false
  /// The list over the focused pane; nil while none is open.
  var list: OpenList?

  struct OpenList: Equatable, Sendable {
    var kind: PaneList
    /// Among the list's rows.
    var selected: Int
  }

  /// Turns pages of the help or closes it.
  ///
  /// - Parameters:
  ///   - command: what the key does while there is no help.
  ///   - pageCount: pages that the help has.
  /// - Returns: whether that was all that the key is for; else it does what it does elsewhere, too.
  mutating func turnHelp(_ stroke: KeyStroke, _ command: Command?, pageCount: Int) -> Bool {
    guard let page = helpPage else { return false }
    let last = pageCount - 1
    // Ctrl-C always ends the program.
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
