import Libav
import Synchronization

/// One user's reading of an input: opens it as often as needed, and ends all of it when interrupted.
///
/// Safe to use from any thread.
final class InputSession: Sendable {
  private struct State {
    var interrupters: [Interrupter] = []
    var waitObserver: (@Sendable (Bool) -> Void)?
    var arrivalObserver: Int?
    /// Sessions of further clips, for as long as they exist.
    var parts: [Part] = []
    var isInterrupted = false
  }

  private struct Part {
    weak var session: InputSession?
  }

  private let input: MediaInput
  private let role: ReadingRole
  private let state = Mutex(State())

  /// - Parameter use: the use of what is read.
  init(_ input: MediaInput, as use: ReadingRole.Use = .sampling) { (self.input, role) = (input, ReadingRole(use)) }

  /// Opens the input at its beginning; blocks until done or interrupted.
  ///
  /// - Throws: as `MediaInput.open` does.
  func open() throws -> OpenedInput {
    let interrupter = Interrupter()
    add(interrupter)
    return try input.open(interrupter, role: role)
  }

  /// Opens a rendition of HTTP Live Streaming, which is a track without packets in the input; blocks until done or interrupted.
  ///
  /// Timestamps are on the input's timeline; the stream to read is the first one of its kind.
  ///
  /// - Throws: as `MediaInput.open(rendition:)` does.
  func open(rendition track: AssetTrack) throws -> OpenedInput {
    let interrupter = Interrupter()
    add(interrupter)
    return try input.open(rendition: track, interrupter, role: role)
  }

  /// Makes another session end with this one, for as long as it is retained elsewhere.
  func add(_ part: InputSession) {
    let (isInterrupted, observer) = state.withLock { state in
      state.parts.removeAll { $0.session == nil }
      state.parts.append(Part(session: part))
      return (state.isInterrupted, state.waitObserver)
    }
    if let observer { part.observeWaits(observer) }
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
    let (isInterrupted, observer) = state.withLock { state in
      state.interrupters.append(interrupter)
      return (state.isInterrupted, state.waitObserver)
    }
    interrupter.setWaitObserver(observer)
    if isInterrupted { interrupter.interrupt() }
  }

  // MARK: - Waiting for data

  /// The bytes that arrive over time; nil for a regular file.
  var arrivals: Arrivals? { input.arrivals }

  /// Sets a closure to call on the reading thread with true when a read begins to wait for data, and with false when it
  /// ends.
  func observeWaits(_ body: @escaping @Sendable (_ isWaiting: Bool) -> Void) {
    let (interrupters, parts) = state.withLock { state in
      state.waitObserver = body
      return (state.interrupters, state.parts.compactMap(\.session))
    }
    for interrupter in interrupters { interrupter.setWaitObserver(body) }
    for part in parts { part.observeWaits(body) }
  }

  /// The reason that no more data come; nil if they may.
  var sourceFailure: PlaybackError? { input.failure }

  /// The segments of HTTP Live Streaming; nil for other sources.
  var segments: HLSSource? { input.segments }

  /// The state of fetching from a server; nil for other sources.
  var networkStatus: NetworkStatus? { segments?.loader.status ?? input.networkStatus }

  /// The data that arrive over time; nil for a regular file.
  var arriving: (any ArrivingData)? {
    if let live = input.live { return live }
    return input.segments ?? input.arrivals
  }

  /// The live source; nil for other sources.
  var live: LiveSource? { input.live }

  /// The data that have arrived ahead of playback; nil for a regular file.
  var supply: DataSupply.Report? { arriving?.report }

  /// Sets a closure to call on another thread when data have arrived, until the session is interrupted; must be quick.
  func observeArrivals(_ body: @escaping @Sendable () -> Void) {
    guard let arriving else { return }
    let number = arriving.observe(body)
    let isInterrupted = state.withLock { state in
      state.arrivalObserver = number
      return state.isInterrupted
    }
    if isInterrupted { arriving.endObserving(number) }
  }

  /// Makes reads fail until `resumeReads()`, because what they are for is no longer wanted.
  func abandonReads() { forEach { $0.abandon() } }

  /// Permits reads that were abandoned. Returns true if any were.
  @discardableResult
  func resumeReads() -> Bool {
    var wereAbandoned = false
    forEach { interrupter in
      wereAbandoned = wereAbandoned || interrupter.isAbandoned
      interrupter.resume()
    }
    return wereAbandoned
  }

  private func forEach(_ body: (Interrupter) -> Void) {
    let (interrupters, parts) = state.withLock { ($0.interrupters, $0.parts.compactMap(\.session)) }
    for interrupter in interrupters { body(interrupter) }
    for part in parts { part.forEach(body) }
  }

  /// True if every further read fails.
  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// Makes every further read fail.
  func interrupt() {
    let (interrupters, parts, observer) = state.withLock { state in
      state.isInterrupted = true
      return (state.interrupters, state.parts.compactMap(\.session), state.arrivalObserver)
    }
    if let observer { arriving?.endObserving(observer) }
    for interrupter in interrupters { interrupter.interrupt() }
    for part in parts { part.interrupt() }
  }
}
