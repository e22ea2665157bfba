/// What the run loop has to do for a command, because panes alone cannot.
enum ProgramEffect: Equatable {
  /// Ends the program.
  case quit
  /// Sends all of the screen again.
  case redraw
  /// Stops the process, as Ctrl-Z does elsewhere.
  case suspend
}

/// What one command does.
struct CommandHandler: Sendable {
  /// Called with the command's number.
  let perform: @Sendable (Workspace, Double) -> ProgramEffect?
  /// Whether clips are elsewhere afterwards than they would have been.
  let movesClips: Bool

  /// A command that does all that it does with panes.
  static func panes(_ body: @escaping @Sendable (Workspace, Double) -> Void) -> CommandHandler {
    CommandHandler(
      perform: { workspace, argument in
        body(workspace, argument)
        return nil
      }, movesClips: false)
  }

  /// A command that takes clips elsewhere.
  static func moving(_ body: @escaping @Sendable (Workspace, Double) -> Void) -> CommandHandler {
    CommandHandler(perform: panes(body).perform, movesClips: true)
  }

  /// A command that the run loop carries out.
  static func effect(_ effect: ProgramEffect?) -> CommandHandler {
    CommandHandler(perform: { _, _ in effect }, movesClips: false)
  }
}

/// The handlers of all commands, found by name.
enum CommandTable {
  private static let handlers = [transport, places, panes, movies, program].reduce(into: [:]) { all, part in
    all.merge(part) { first, _ in first }
  }

  /// The handler of a command; nil would be a command that does nothing, which a test looks for.
  static func handler(_ name: Command.Name) -> CommandHandler? { handlers[name] }
}
