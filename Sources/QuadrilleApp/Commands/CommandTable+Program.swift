extension CommandTable {
  /// Commands not related to panes.
  static let program: [Command.Name: CommandHandler] = [
    .info: .panes { workspace, _ in workspace.panels.showsFigures.toggle() },
    .help: .panes { workspace, _ in workspace.panels.helpPage = 0 },
    .redraw: .effect(.redraw),
    .cells: .effect(.nextCells),
    .suspend: .effect(.suspend),
    .quit: .effect(.quit),
    .none: .effect(nil),
  ]
}
