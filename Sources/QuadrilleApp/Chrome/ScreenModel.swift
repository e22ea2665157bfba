import Terminal

/// Everything around the frames, as it is at one moment: a value without panes, players or a terminal.
struct ScreenModel: Equatable, Sendable {
  /// The panes on the screen, in order.
  var panes: [PaneModel] = []
  /// All panes, shown or not.
  var paneCount = 0
  /// What stands in the screen's lowest row. nil where that row is the panes', and words lie over the frames instead.
  var status: TerminalText?
  /// What is said for a while.
  var message: TerminalText?
  var prompt: Prompt?
  /// Where all keys are told; stands in the label of a single pane.
  var hint: TerminalText = ""
  var panels = Panels()
  /// Over the focused pane.
  var list: ListPanel?
  /// Shown instead of panes, where there are none or none fits.
  var placeholder: TerminalText?
  /// What frames take on their way to the terminal, and what they lose.
  var link = LinkFigures()

  /// Which pane it is; where others are hidden, of how many.
  func label(of pane: PaneModel) -> TerminalText {
    panes.count < paneCount ? "\(pane.number)/\(paneCount)" : "\(pane.number)"
  }

  /// Whether words lie over the lowest row of the frames.
  var hasFloatingLine: Bool { status == nil && (prompt != nil || message != nil) }
}
