import DecodePool
import Glibc
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into an orderly stop of the current work.
///
/// A thread of its own waits for the signals, which needs no file descriptors; all others block them. Signals that were
/// ignored at startup (`nohup`) stay ignored.
public final class StopSignals: Sendable {
  private struct State {
    var number: Int32?
    var body: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Call it before other threads are started, since these take the signals blocked from the one that starts them.
  public init() {
    var awaited = sigset_t()
    sigemptyset(&awaited)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var former = sigaction()
      guard sigaction(number, nil, &former) == 0, !isIgnored(former) else { continue }
      sigaddset(&awaited, number)
    }
    pthread_sigmask(SIG_BLOCK, &awaited, nil)
    do throws(ThreadError) {
      try detachThread { [weak self, awaited] in
        var awaited = awaited
        var number: Int32 = 0
        while sigwait(&awaited, &number) == 0 {
          if self?.stop(number) != true { endProcess(by: number) }
        }
      }
    } catch {
      // Without a thread, they end the process at once.
      pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
    }
  }

  /// Calls a closure on another thread when a signal arrives. Without one, a signal ends the process.
  public func whenStopped(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.body = body } }

  /// The status a shell reports for a program killed by the signal, or nil if none has arrived.
  public var exitCode: Int32? { state.withLock { $0.number }.map { 128 + $0 } }

  /// Returns false if there is no work to stop.
  private func stop(_ number: Int32) -> Bool {
    let body = state.withLock { state in
      if state.body != nil { state.number = state.number ?? number }
      return state.body
    }
    body?()
    return body != nil
  }
}

/// Ends the process as the signal does by default.
private func endProcess(by number: Int32) {
  signal(number, SIG_DFL)
  var set = sigset_t()
  sigemptyset(&set)
  sigaddset(&set, number)
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
  raise(number)
}

private func isIgnored(_ action: sigaction) -> Bool {
  // SIG_IGN is 1; Swift cannot compare function pointers.
  unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
}
