import Glibc

/// Why a terminal cannot be used.
public enum TerminalError: Error, Equatable, Sendable {
  /// None of the standard streams is a terminal, and the process has none of its own.
  case noTerminal
  /// A call of the system failed: what was tried, and `errno`.
  case system(String, code: Int32)
  /// The terminfo database has neither this type nor any that could stand in for it.
  case noTerminfo(String)
  /// An entry of the terminfo database is damaged: its file.
  case damagedTerminfo(String)
  /// A terminal of this type is not steered by ECMA-48 control sequences.
  case notECMA48(String)
  /// Only one terminal session at a time can catch the process's signals.
  case signalsTaken
  /// ncurses could not be started.
  case compositor(String)
}

extension TerminalError {
  /// Whether `errno` says that the process lacks something, so that nothing is known of what it looked for.
  static func tellsWant(_ code: Int32) -> Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }
}

extension TerminalError: CustomStringConvertible {
  public var description: String { message.description }

  /// For people.
  public var message: TerminalText {
    switch self {
    case .noTerminal:
      "no terminal: standard input and output are redirected, and the process has no controlling terminal"
    case .system(let what, let code):
      "\(what): \(String(cString: strerror(code)))"
    case .noTerminfo(let name):
      "terminal type '\(name)' is not in the terminfo database, nor is a similar one: set TERM or install ncurses-base"
    case .damagedTerminfo(let path):
      "terminfo entry \(path) is damaged"
    case .notECMA48(let name):
      "terminal type '\(name)' does not support ECMA-48 control sequences, which are required"
    case .signalsTaken:
      "this process already has an open terminal session"
    case .compositor(let what):
      "ncurses: \(what)"
    }
  }
}
