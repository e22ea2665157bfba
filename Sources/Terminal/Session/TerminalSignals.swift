import CTerminalSignals
import Glibc

/// A signal about the terminal, or a request to end the program.
public enum TerminalSignal: CaseIterable, Hashable, Sendable {
  /// SIGINT, SIGTERM and SIGHUP: exit now, with the terminal restored.
  case interrupt, terminate, hangUp
  /// SIGTSTP: restore the terminal and stop (`TerminalSession.suspend`).
  case suspend
  /// SIGCONT: screen and modes are unknown (`TerminalSession.resume`).
  case continued
  /// SIGWINCH: query the size again.
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

/// Owns the process's handlers for terminal signals and delivers them through a descriptor.
///
/// There can be only one, since signal dispositions are per process. Used on one thread.
public final class TerminalSignals {
  /// Readable when signals are pending; for `poll` only, must not be closed.
  public let descriptor: Int32

  /// Installs the handlers. Throws `TerminalError.signalsTaken` if they are already installed.
  public init() throws {
    descriptor = qd_signals_install()
    guard descriptor >= 0 else {
      throw errno == EBUSY ? TerminalError.signalsTaken : TerminalError.system("eventfd", code: errno)
    }
  }

  deinit { qd_signals_remove() }

  /// The signals since the last call; each once, terminating ones first.
  public func take() -> [TerminalSignal] {
    let bits = qd_signals_take()
    return TerminalSignal.allCases.filter { bits & 1 << UInt64($0.number) != 0 }
  }

  /// Stops the process and its group; returns when continued, with `.continued` removed from the pending signals.
  func stopProcessGroup() { qd_stop_process_group() }
}
