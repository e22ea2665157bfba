import DecodePool
import Synchronization
import Terminal

/// What the savers of all panes share: the thread they work on, and what of their work is still to be done.
///
/// Safe from any thread.
final class PendingSaves: Sendable {
  /// Frames that may wait to be saved.
  static let maxPending = 100
  /// Nanoseconds for which the end of the program waits for what is under way, and then for what is being written.
  private static let patience: UInt64 = 900_000_000
  private static let writingPatience: UInt64 = 100_000_000

  /// A save that has begun.
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
    /// Nothing is written any more.
    var isOver = false
  }

  private let state = Monitor(State())
  private let pool = Mutex<DecodePool?>(nil)
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when a save has ended.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Made when it is needed first.
  var sharedPool: DecodePool {
    pool.withLock { pool in
      let made = pool ?? DecodePool(threads: 1)
      pool = made
      return made
    }
  }

  /// Counts a save in; nil when too many wait, which then counts as one that failed.
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

  /// Asks whether the file may be written now; not when the program is about to end.
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

  /// Waits up to a second for what is under way, and ends the rest.
  ///
  /// - Returns: a sentence about what was not saved; nil when all was.
  func finish() -> TerminalText? {
    _ = state.wait(until: monotonicNanoseconds() + Self.patience) { $0.under.isEmpty ? () : nil }
    state.withLock { $0.isOver = true }
    _ = state.wait(until: monotonicNanoseconds() + Self.writingPatience) { state in
      state.under.values.contains(where: \.isWriting) ? nil : ()
    }
    return state.withLock { state in
      let missing = state.failures + state.under.sorted { $0.key.number < $1.key.number }.map(\.value.name)
      guard !missing.isEmpty else { return nil }
      // One frame may have been asked for several times.
      var names: [TerminalText] = []
      for name in missing where !names.contains(name) { names.append(name) }
      let named = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
      return state.asked == 1
        ? "the frame was not saved: \(named)"
        : "\(missing.count) of \(state.asked) frames were not saved: \(named)"
    }
  }
}
