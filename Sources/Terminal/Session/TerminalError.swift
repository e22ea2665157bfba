import Glibc

/// An error that prevents the use of a terminal.
public enum TerminalError: Error, Equatable, Sendable {
  /// No standard stream is a terminal, and the process has no controlling terminal.
  ///
  /// - Parameter isRemote: True if the process was started through ssh.
  case noTerminal(isRemote: Bool)
  /// A system call failed: the attempted action, and `errno`.
  case system(String, code: Int32)
  /// The terminfo database has neither this type nor a substitute.
  case noTerminfo(String)
  /// A terminfo entry is damaged: the path of its file.
  case damagedTerminfo(String)
  /// A terminal of this type does not use ECMA-48 control sequences.
  case notECMA48(String)
  /// Another terminal session already handles the process's signals.
  case signalsTaken
  /// ncurses could not be started.
  case compositor(String)
}

extension TerminalError {
  /// Returns true if `errno` means a lack of resources, which says nothing about the object looked up.
  static func tellsWant(_ code: Int32) -> Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }
}

extension TerminalError: CustomStringConvertible {
  public var description: String { message.description }

  /// The message for the user.
  public var message: TerminalText {
    switch self {
    case .noTerminal(isRemote: false):
      "no terminal: standard input and output are redirected, and the process has no controlling terminal"
    case .noTerminal(isRemote: true):
      "no terminal: ssh provides none for a command; use ssh -t"
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
