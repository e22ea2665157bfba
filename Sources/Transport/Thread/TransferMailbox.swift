import DecodePool

/// Carries new transfers and wishes to the transport's thread.
final class TransferMailbox: Sendable {
  /// Transfers that the thread has not seen yet.
  struct Mail {
    var added: [TransferChannel] = []
    /// Transfers whose reader has made room or that are cancelled.
    var touched: [TransferChannel] = []
  }

  private enum Stage {
    /// No thread runs.
    case idle
    case running(CurlMulti)
    case ended
  }

  private struct State {
    var stage = Stage.idle
    var mail = Mail()
  }

  private let state = Monitor(State())

  /// Hands a transfer to the thread, which is started if there is none. A failure of that is the transfer's.
  func add(_ channel: TransferChannel, startThread: (CurlMulti) throws(ThreadError) -> Void) {
    let (multi, isNew): (CurlMulti?, Bool) = state.withLock { state in
      switch state.stage {
      case .idle:
        guard let multi = CurlMulti() else { return (nil, false) }
        state.stage = .running(multi)
        state.mail.added.append(channel)
        return (multi, true)
      case .running(let multi):
        state.mail.added.append(channel)
        return (multi, false)
      case .ended: return (nil, false)
      }
    }
    guard let multi else { return channel.finish(.outOfResources("out of memory")) }
    guard isNew else { return multi.wakeUp() }
    do throws(ThreadError) {
      try startThread(multi)
    } catch {
      for channel in stop(.idle) { channel.finish(.outOfResources(error.reason)) }
    }
  }

  /// Makes the thread look at a transfer.
  func touch(_ channel: TransferChannel) {
    let multi: CurlMulti? = state.withLock { state in
      guard case .running(let multi) = state.stage else { return nil }
      state.mail.touched.append(channel)
      return multi
    }
    multi?.wakeUp()
  }

  /// Ends the thread, which cancels what it has begun; cancels what it has not.
  func end() {
    for channel in stop(.ended) { channel.finish(.cancelled) }
  }

  /// Leaves the running stage, and returns the transfers that the thread has not seen.
  private func stop(_ stage: Stage) -> [TransferChannel] {
    let (multi, added): (CurlMulti?, [TransferChannel]) = state.withLock { state in
      defer { state = State(stage: stage) }
      guard case .running(let multi) = state.stage else { return (nil, []) }
      return (multi, state.mail.added)
    }
    multi?.wakeUp()
    return added
  }

  /// Takes the mail; nil once the thread has to end.
  func take() -> Mail? {
    state.withLock { state in
      guard case .running = state.stage else { return nil }
      defer { state.mail = Mail() }
      return state.mail
    }
  }
}
