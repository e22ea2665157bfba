/// The choice among outputs: each kind is tried in turn, and silence goes on until one opens. Each transition returns what the
/// caller then does.
struct OutputSelection {
  private enum State {
    /// A device is tried: the first of `Output`s that is left to try.
    case opening(any SoundOutput, rest: ArraySlice<OutputMaker>, failures: [Failure], deadline: Int64)
    case open(any SoundOutput, SoundDevice)
    case waiting(until: Int64)
    case closed
  }

  struct Failure: Hashable {
    let kind: SoundOutputKind
    let reason: String
  }

  /// An action for the caller after a transition, without its lock.
  enum Action {
    case open(any SoundOutput)
    case close(any SoundOutput)
  }

  private let makers: [OutputMaker]
  private var state = State.waiting(until: .min)
  private(set) var status = SoundStatus.opening
  private(set) var losses = 0

  /// Nanoseconds between attempts, and for one.
  static let retryInterval: Int64 = 2_000_000_000
  static let timeout: Int64 = 15_000_000_000

  init(_ makers: [OutputMaker]) {
    self.makers = makers
    if makers.isEmpty { status = .silent(reason: "sound is off") }
  }

  /// Does what is due.
  mutating func advance(to now: Int64) -> [Action] {
    switch state {
    case .waiting(let time) where now >= time && !makers.isEmpty: return tryNext(makers[...], [], now)
    case .opening(let output, let rest, let failures, let deadline) where now >= deadline:
      return [.close(output)] + tryNext(rest, failures + [Failure(kind: output.kind, reason: "no answer")], now)
    default: return []
    }
  }

  private mutating func tryNext(_ makers: ArraySlice<OutputMaker>, _ failures: [Failure], _ now: Int64) -> [Action] {
    guard let maker = makers.first else {
      state = .waiting(until: now + Self.retryInterval)
      status = .silent(reason: Self.reason(failures))
      return []
    }
    let output = maker()
    state = .opening(output, rest: makers.dropFirst(), failures: failures, deadline: now + Self.timeout)
    return [.open(output)]
  }

  /// The reason that helps most: the server's, unless there is no server to speak of.
  private static func reason(_ failures: [Failure]) -> String {
    failures.first?.reason ?? "no device"
  }

  /// Returns true if the output is the one whose opening was awaited.
  mutating func didOpen(_ output: any SoundOutput, _ device: SoundDevice) -> Bool {
    guard case .opening(let expected, _, _, _) = state, expected === output else { return false }
    state = .open(output, device)
    status = .open(device)
    return true
  }

  /// Returns what to do, and whether the output was in use.
  mutating func didClose(_ output: any SoundOutput, reason: String, now: Int64) -> (actions: [Action], wasOpen: Bool) {
    switch state {
    case .opening(let expected, let rest, let failures, _) where expected === output:
      return (tryNext(rest, failures + [Failure(kind: output.kind, reason: reason)], now), false)
    case .open(let expected, _) where expected === output:
      losses += 1
      // A server that restarts is back soon.
      state = .waiting(until: now + Self.retryInterval)
      status = .silent(reason: reason)
      return ([], true)
    default: return ([], false)
    }
  }

  mutating func close() -> [Action] {
    defer { state = .closed }
    switch state {
    case .opening(let output, _, _, _), .open(let output, _): return [.close(output)]
    case .waiting, .closed: return []
    }
  }
}

/// Makes an output that has not been opened.
package typealias OutputMaker = @Sendable () -> any SoundOutput
