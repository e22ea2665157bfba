import Dispatch
import Glibc
import Synchronization

/// Lets SIGINT, SIGTERM and SIGHUP end work in an orderly way instead of the program at once.
///
/// Those that the program was started without (`nohup`) stay so. `@unchecked Sendable`: `sources` is written in `init` and
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

  /// Calls something when such a signal comes, or at once when it came; from another thread.
  func whenStopped(_ body: @escaping @Sendable () -> Void) {
    let isStopped = state.withLock { state in
      state.body = body
      return state.number != nil
    }
    if isStopped { body() }
  }

  /// What a shell says of a program that such a signal ended; nil while none has come.
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
  // SIG_IGN is 1; Swift does not compare pointers to functions.
  unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
}
