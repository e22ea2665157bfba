/// A command's effect that the run loop must carry out.
enum ProgramEffect: Equatable {
  /// Quits the program.
  case quit
  /// Redraws the whole screen.
  case redraw
  /// Draws frames with the next kind of cells.
  case nextCells
  /// Suspends the process, like Ctrl-Z elsewhere.
  case suspend
}

/// The implementation of a command.
struct CommandHandler: Sendable {
  /// Called with the command's number.
  let perform: @Sendable (Workspace, Double) -> ProgramEffect?
  /// True if the command moves clips away from where they would have been.
  let movesClips: Bool

  /// A command that affects only panes.
  static func panes(_ body: @escaping @Sendable (Workspace, Double) -> Void) -> CommandHandler {
    CommandHandler(
      perform: { workspace, argument in
        body(workspace, argument)
        return nil
      }, movesClips: false)
  }

  /// A command that moves clips.
  static func moving(_ body: @escaping @Sendable (Workspace, Double) -> Void) -> CommandHandler {
    CommandHandler(perform: panes(body).perform, movesClips: true)
  }

  /// A command that the run loop carries out.
  static func effect(_ effect: ProgramEffect?) -> CommandHandler {
    CommandHandler(perform: { _, _ in effect }, movesClips: false)
  }
}

/// The handlers of all commands, by name.
enum CommandTable {
  private static let handlers = [transport, places, panes, movies, program].reduce(into: [:]) { all, part in
    all.merge(part) { first, _ in first }
  }

  /// The handler of a command; a test checks that it is never nil.
  static func handler(_ name: Command.Name) -> CommandHandler? { handlers[name] }
}
