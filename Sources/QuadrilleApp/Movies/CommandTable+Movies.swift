extension CommandTable {
  /// Making a movie of pieces.
  static let movies: [Command.Name: CommandHandler] = [
    .markIn: .panes { workspace, _ in workspace.request(.mark(.start)) },
    .markOut: .panes { workspace, _ in workspace.request(.mark(.end)) },
    .addPiece: .panes { workspace, _ in workspace.request(.add) },
    .undoPiece: .panes { workspace, _ in workspace.undoPiece() },
    .movie: .panes { workspace, _ in workspace.toggleMovie() },
    .writeMovie: .panes { workspace, _ in workspace.askForMovieName() },
  ]
}
