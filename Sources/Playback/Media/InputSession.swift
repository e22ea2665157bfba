import Libav
import Synchronization

/// One user's reading of an input: opens it as often as needed, and ends all of it when interrupted.
///
/// Safe to use from any thread.
final class InputSession: Sendable {
  private struct State {
    var interrupters: [Interrupter] = []
    /// Sessions of further clips, for as long as they exist.
    var parts: [Part] = []
    var isInterrupted = false
  }

  private struct Part {
    weak var session: InputSession?
  }

  private let input: MediaInput
  private let state = Mutex(State())

  init(_ input: MediaInput) { self.input = input }

  /// Opens the input at its beginning; blocks until done or interrupted.
  ///
  /// - Throws: as `MediaInput.open` does.
  func open() throws -> OpenedInput {
    let interrupter = Interrupter()
    add(interrupter)
    return try input.open(interrupter)
  }

  /// Makes another session end with this one, for as long as it is retained elsewhere.
  func add(_ part: InputSession) {
    let isInterrupted = state.withLock { state in
      state.parts.removeAll { $0.session == nil }
      state.parts.append(Part(session: part))
      return state.isInterrupted
    }
    if isInterrupted { part.interrupt() }
  }

  /// The number of sessions that end with this one.
  var partCount: Int { state.withLock { $0.parts.count { $0.session != nil } } }

  /// Takes over an input that was opened elsewhere.
  func adopt(_ opened: OpenedInput) -> OpenedInput {
    add(opened.interrupter)
    return opened
  }

  private func add(_ interrupter: Interrupter) {
    let isInterrupted = state.withLock { state in
      state.interrupters.append(interrupter)
      return state.isInterrupted
    }
    if isInterrupted { interrupter.interrupt() }
  }

  /// Makes every further read fail.
  func interrupt() {
    let (interrupters, parts) = state.withLock { state in
      state.isInterrupted = true
      return (state.interrupters, state.parts.compactMap(\.session))
    }
    for interrupter in interrupters { interrupter.interrupt() }
    for part in parts { part.interrupt() }
  }
}
