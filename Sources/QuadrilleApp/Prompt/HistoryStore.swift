import DecodePool
import Playback

/// Keeps what was typed into prompts from run to run. Reads and writes on threads of its own; safe from any thread.
///
/// Runs at the same time add to one file: each reads it again before it writes, holding a lock meanwhile.
final class HistoryStore: Sendable {
  private struct State {
    var history = PromptHistory()
    /// Whether the file has been read, or is being read.
    var hasBegun = false
    var hasNews = false
    /// Typed in this run.
    var added: [PromptHistory.Line] = []
    var unwritten: [PromptHistory.Line] = []
    var isWriting = false
  }

  private let path: String?
  private let state = Monitor(State())
  private let wake: @Sendable () -> Void
  /// Bytes of a history file that are read; more than any has.
  private static let maxBytes = 4 << 20

  /// - Parameters:
  ///   - path: nil keeps nothing.
  ///   - wake: called from any thread when the file has been read.
  init(path: String?, wake: @escaping @Sendable () -> Void) {
    self.path = path
    self.wake = wake
  }

  /// The lines that are known now; begins to read the file the first time.
  func texts(for purpose: Prompt.Purpose) -> [String] {
    let (texts, isFirst) = state.withLock { state in
      defer { state.hasBegun = true }
      return (state.history.texts(for: purpose), !state.hasBegun)
    }
    if isFirst, let path {
      // Without a thread there is no history, and nothing else is lost.
      try? detachThread { [self] in
        var history = Self.read(path)
        state.withLock { state in
          for line in state.added { history.add(line) }
          state.history = history
          state.hasNews = true
        }
        wake()
      }
    }
    return texts
  }

  /// Whether the file has been read since the last call.
  func takeNews() -> Bool {
    state.withLock { state in
      defer { state.hasNews = false }
      return state.hasNews
    }
  }

  /// Adds a line and begins to write it.
  func add(_ line: PromptHistory.Line) {
    let begins = state.withLock { state in
      state.history.add(line)
      state.added.append(line)
      if state.added.count > 2 * PromptHistory.capacity { state.added.removeFirst() }
      guard path != nil else { return false }
      state.unwritten.append(line)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    guard begins else { return }
    do throws(ThreadError) {
      try detachThread { [self] in work() }
    } catch {
      // Perhaps there is one for the next line.
      state.withLock { $0.isWriting = false }
    }
  }

  /// Waits until everything is written, at most until a time of the monotonic clock in nanoseconds.
  func finish(until deadline: UInt64) {
    _ = state.wait(until: deadline) { $0.isWriting ? nil : () }
  }

  private func work() {
    while true {
      let lines = state.withLock { state in
        defer { state.unwritten = [] }
        state.isWriting = !state.unwritten.isEmpty
        return state.unwritten
      }
      guard !lines.isEmpty, let path else { break }
      Self.merge(lines, into: path)
    }
    state.broadcast()
  }

  private static func read(_ path: String) -> PromptHistory {
    PromptHistory(bytes: (try? InputText.read(path, limit: maxBytes)) ?? [])
  }

  /// A history that cannot be written is no reason to disturb anybody.
  static func merge(_ lines: [PromptHistory.Line], into path: String) {
    withExtendedLifetime(FileLock(beside: path)) {
      var history = read(path)
      for line in lines { history.add(line) }
      try? OutputFile(path).write(history.bytes)
    }
  }
}
