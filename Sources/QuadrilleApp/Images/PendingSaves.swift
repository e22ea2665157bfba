import DecodePool
import Synchronization
import Terminal

/// State shared by the frame savers of all panes: their thread and their pending work.
///
/// Safe from any thread.
final class PendingSaves: Sendable {
  /// Maximum number of pending frames.
  static let maxPending = 100
  /// Time, in nanoseconds, that program exit waits for saves in progress, and then for files being written.
  private static let patience: UInt64 = 900_000_000
  private static let writingPatience: UInt64 = 100_000_000

  /// A save in progress.
  struct Ticket: Hashable, Sendable {
    fileprivate let number: Int
  }

  private struct Save {
    var name: TerminalText
    var isWriting = false
  }

  private struct State {
    var asked = 0
    var under: [Ticket: Save] = [:]
    var failures: [TerminalText] = []
    /// True when nothing may be written any more.
    var isOver = false
  }

  private let state = Monitor(State())
  private let pool = Mutex<DecodePool?>(nil)
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called from any thread when a save has ended.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// The worker pool, created on first use.
  var sharedPool: DecodePool {
    pool.withLock { pool in
      let made = pool ?? DecodePool(threads: 1)
      pool = made
      return made
    }
  }

  /// Registers a save; nil if too many are pending, which counts as a failure.
  func begin(_ name: TerminalText) -> Ticket? {
    state.withLock { state in
      state.asked += 1
      guard state.under.count < Self.maxPending else {
        state.failures.append(name)
        return nil
      }
      let ticket = Ticket(number: state.asked)
      state.under[ticket] = Save(name: name)
      return ticket
    }
  }

  /// Returns true if the file may be written now; false if the program is about to exit.
  func mayWrite(_ ticket: Ticket) -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      state.under[ticket]?.isWriting = true
      return true
    }
  }

  func end(_ ticket: Ticket, hasFailed: Bool) {
    state.withLock { state in
      guard let save = state.under.removeValue(forKey: ticket) else { return }
      if hasFailed { state.failures.append(save.name) }
    }
    state.broadcast()
    wake()
  }

  /// Waits up to a second for saves in progress and cancels the rest.
  ///
  /// - Returns: A message about frames that were not saved; nil if all were.
  func finish() -> TerminalText? {
    _ = state.wait(until: monotonicNanoseconds() + Self.patience) { $0.under.isEmpty ? () : nil }
    state.withLock { $0.isOver = true }
    _ = state.wait(until: monotonicNanoseconds() + Self.writingPatience) { state in
      state.under.values.contains(where: \.isWriting) ? nil : ()
    }
    return state.withLock { state in
      let missing = state.failures + state.under.sorted { $0.key.number < $1.key.number }.map(\.value.name)
      guard !missing.isEmpty else { return nil }
      // The same frame may have been requested several times.
      var names: [TerminalText] = []
      for name in missing where !names.contains(name) { names.append(name) }
      let named = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
      return state.asked == 1
        ? "the frame was not saved: \(named)"
        : "\(missing.count) of \(state.asked) frames were not saved: \(named)"
    }
  }
}
