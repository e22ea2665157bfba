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

  /// Keys that scroll everywhere, so they do nothing else even where there is only one page.
  private static let forward: Set<Key> = [.pageDown, .down, .character("j")]
  private static let backward: Set<Key> = [.pageUp, .up, .character("k")]
  /// Keys that also turn a page if there are several.
  private static let right: Set<Key> = [.right, .character(" ")]

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
    } else if stroke.modifiers.isEmpty, Self.forward.contains(stroke.key) || last > 0 && Self.right.contains(stroke.key) {
      helpPage = min(page + 1, last)
    } else if stroke.modifiers.isEmpty, Self.backward.contains(stroke.key) || last > 0 && stroke.key == .left {
      helpPage = max(min(page, last) - 1, 0)
    } else {
      helpPage = nil
      return false
    }
    return true
  }
}
