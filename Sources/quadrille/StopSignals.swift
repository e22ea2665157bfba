import Dispatch
import Glibc
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into an orderly stop of the current work.
///
/// Signals that were ignored at startup (`nohup`) stay ignored. `@unchecked Sendable`: `sources` is written in `init` and
/// read in `deinit` only.
final class StopSignals: @unchecked Sendable {
  private struct State {
    var number: Int32?
    var body: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private var sources: [any DispatchSourceSignal] = []

  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var former = sigaction()
      guard sigaction(number, nil, &former) == 0, !isIgnored(former) else { continue }
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in self?.stop(number) }
      source.resume()
      sources.append(source)
    }
  }

  deinit { sources.forEach { $0.cancel() } }

  /// Calls a closure on another thread when a signal arrives, or immediately if one already has.
  func whenStopped(_ body: @escaping @Sendable () -> Void) {
    let isStopped = state.withLock { state in
      state.body = body
      return state.number != nil
    }
    if isStopped { body() }
  }

  /// The status a shell reports for a program killed by the signal, or nil if none has arrived.
  var exitCode: Int32? { state.withLock { $0.number }.map { 128 + $0 } }

  private func stop(_ number: Int32) {
    let body = state.withLock { state in
      state.number = state.number ?? number
      return state.body
    }
    body?()
  }
}

private func isIgnored(_ action: sigaction) -> Bool {
  // SIG_IGN is 1; Swift cannot compare function pointers.
  unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
}
