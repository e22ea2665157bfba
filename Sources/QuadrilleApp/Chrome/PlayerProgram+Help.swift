import Terminal

/// Keys while the help is shown.
extension PlayerProgram {
  /// Turns pages or closes the help.
  ///
  /// - Returns: whether that was all that the key is for; else it does what it does elsewhere, too.
  func typeIntoHelp(_ stroke: KeyStroke) -> Bool {
    guard let page = helpPage else { return false }
    chromeChanged()
    let last = chrome.helpPageCount - 1
    let command = options.keys.command(for: stroke)
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
