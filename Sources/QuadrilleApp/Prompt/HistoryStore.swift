import DecodePool
import Playback

/// Stores prompt history between runs. Reads and writes on its own threads; safe from any thread.
///
/// Concurrent runs share one file: each locks and rereads it before writing.
final class HistoryStore: Sendable {
  private struct State {
    var history = PromptHistory()
    /// True if the file has been or is being read.
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
  /// Maximum bytes read from a history file; more than any has.
  private static let maxBytes = 4 << 20

  /// - Parameters:
  ///   - path: nil for no history file.
  ///   - wake: Called from any thread when the file has been read.
  init(path: String?, wake: @escaping @Sendable () -> Void) {
    self.path = path
    self.wake = wake
  }

  /// The known lines; starts reading the file on the first call.
  func texts(for purpose: Prompt.Purpose) -> [String] {
    let (texts, isFirst) = state.withLock { state in
      defer { state.hasBegun = true }
      return (state.history.texts(for: purpose), !state.hasBegun)
    }
    if isFirst, let path {
      // Without a thread there is no history, but nothing else is lost.
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

  /// Returns true if the file has been read since the last call.
  func takeNews() -> Bool {
    state.withLock { state in
      defer { state.hasNews = false }
      return state.hasNews
    }
  }

  /// Adds a line and starts writing it.
  func add(_ line: PromptHistory.Line) {
    var line = line
    line.text = WebAddress.withoutCredentials(line.text)
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
      // A thread may be available for the next line.
      state.withLock { $0.isWriting = false }
    }
  }

  /// Waits for pending writes until a deadline in nanoseconds of the monotonic clock.
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

  /// A failure to write the history is not worth reporting.
  static func merge(_ lines: [PromptHistory.Line], into path: String) {
    withExtendedLifetime(FileLock(beside: path)) {
      var history = read(path)
      for line in lines { history.add(line) }
      try? OutputFile(path, isPrivate: true).write(history.bytes)
    }
  }
}
