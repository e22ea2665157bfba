import CTerminalSignals
import Glibc

/// A signal that concerns the terminal or asks the program to end.
public enum TerminalSignal: CaseIterable, Hashable, Sendable {
  /// SIGINT, SIGTERM and SIGHUP: end now, with the terminal put back.
  case interrupt, terminate, hangUp
  /// SIGTSTP: put the terminal back and stop (`TerminalSession.suspend`).
  case suspend
  /// SIGCONT: what the screen and the modes are is unknown (`TerminalSession.resume`).
  case continued
  /// SIGWINCH: ask for the size again.
  case windowChanged

  var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangUp: SIGHUP
    case .suspend: SIGTSTP
    case .continued: SIGCONT
    case .windowChanged: SIGWINCH
    }
  }
}

/// Owns the process's handlers for the terminal's signals and delivers them through a descriptor.
///
/// There can be one at a time, since dispositions are the process's. Used by one thread.
public final class TerminalSignals {
  /// Readable when signals are pending; for `poll` only, and never to be closed.
  public let descriptor: Int32

  /// Installs the handlers. Throws `TerminalError.signalsTaken` when they are installed already.
  public init() throws {
    descriptor = qd_signals_install()
    guard descriptor >= 0 else {
      throw errno == EBUSY ? TerminalError.signalsTaken : TerminalError.system("eventfd", code: errno)
    }
  }

  deinit { qd_signals_remove() }

  /// The signals that came since the last call; each once, those that end the program first.
  public func take() -> [TerminalSignal] {
    let bits = qd_signals_take()
    return TerminalSignal.allCases.filter { bits & 1 << UInt64($0.number) != 0 }
  }

  /// Stops the process and its group; returns when it was continued, with `.continued` taken off the pending.
  func stopProcessGroup() { qd_stop_process_group() }
}
