import Terminal

/// The chrome at one moment: a value without panes, players or a terminal.
struct ScreenModel: Sendable {
  /// The visible panes, in order.
  var panes: [PaneModel] = []
  /// Number of all panes, visible or not.
  var paneCount = 0
  /// Text of the status row; nil if that row belongs to a pane and messages appear over the frames instead.
  var status: TerminalText?
  /// The current message.
  var message: TerminalText?
  var prompt: Prompt?
  /// The hint to the help, shown in the label of a single pane.
  var hint: TerminalText = ""
  var panels = Panels()
  /// The list over the focused pane.
  var list: ListPanel?
  /// The probed pixel of the focused pane; nil if none is.
  var probe: ProbeModel?
  /// Text shown if no pane is visible.
  var placeholder: TerminalText?
  /// Statistics of the output to the terminal.
  var link = LinkFigures()

  /// The label of a pane: its number, and the total if some panes are hidden.
  func label(of pane: PaneModel) -> TerminalText {
    panes.count < paneCount ? "\(pane.number)/\(paneCount)" : "\(pane.number)"
  }

  /// True if a message or prompt covers the lowest row of the frames.
  var hasFloatingLine: Bool { status == nil && (prompt != nil || message != nil) }
}
