import Libav
import Synchronization

/// One user's reading of an input: opens it as often as is needed, and ends all of that when it is interrupted.
///
/// Safe from any thread.
final class InputSession: Sendable {
  private struct State {
    var interrupters: [Interrupter] = []
    /// Of clips that are read along, as long as they are.
    var parts: [Part] = []
    var isInterrupted = false
  }

  private struct Part {
    weak var session: InputSession?
  }

  private let input: MediaInput
  private let state = Mutex(State())

  init(_ input: MediaInput) { self.input = input }

  /// Opens the input, from its beginning; blocks until done or interrupted.
  ///
  /// - Throws: as `MediaInput.open`.
  func open() throws -> OpenedInput {
    let interrupter = Interrupter()
    add(interrupter)
    return try input.open(interrupter)
  }

  /// Lets another reading end with this one, as long as somebody keeps it.
  func add(_ part: InputSession) {
    let isInterrupted = state.withLock { state in
      state.parts.removeAll { $0.session == nil }
      state.parts.append(Part(session: part))
      return state.isInterrupted
    }
    if isInterrupted { part.interrupt() }
  }

  /// Readings that end with this one.
  var partCount: Int { state.withLock { $0.parts.count { $0.session != nil } } }

  /// Takes over what somebody else has opened.
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

  /// Lets every read fail from now on.
  func interrupt() {
    let (interrupters, parts) = state.withLock { state in
      state.isInterrupted = true
      return (state.interrupters, state.parts.compactMap(\.session))
    }
    for interrupter in interrupters { interrupter.interrupt() }
    for part in parts { part.interrupt() }
  }
}
