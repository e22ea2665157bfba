extension CommandTable {
  /// Commands for editing a movie. In a pane that plays a story, two of the keys control the story.
  static let movies: [Command.Name: CommandHandler] = [
    .markIn: .panes { workspace, _ in workspace.request(.mark(.start)) },
    .markOut: .panes { workspace, _ in workspace.request(.mark(.end)) },
    .addPiece: .panes { workspace, _ in workspace.request(.add) },
    .undoPiece: .panes { workspace, _ in
      if let story = workspace.panes.focused?.story { workspace.stepBack(story) } else { workspace.undoPiece() }
    },
    .movie: .panes { workspace, _ in workspace.toggleMovie() },
    .writeMovie: .panes { workspace, _ in
      if let story = workspace.panes.focused?.story { workspace.askForStoryName(story) } else { workspace.askForMovieName() }
    },
  ]
}
