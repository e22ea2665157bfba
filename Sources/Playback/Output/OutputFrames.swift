import Synchronization

/// The frames of an output as they become due, as an asynchronous sequence: `for await frame in output.frames`.
///
/// A frame that is due before the loop asks for the next one is dropped if a later one is due too. Each frame counts as shown
/// in `Player.statistics` when the loop gets it. The loop ends when its task is cancelled, not at the item's end, since a seek
/// may follow; until then it keeps the output alive. It sets the output's waker, so an output has one loop at a time.
public struct OutputFrames: AsyncSequence, Sendable {
  fileprivate let output: VideoOutput

  /// The frames of one loop.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let output: VideoOutput
    private let alarm = Alarm()

    fileprivate init(_ output: VideoOutput) {
      self.output = output
      output.setWaker { [alarm] in alarm.ring() }
    }

    /// Waits for the next frame; nil once the task is cancelled.
    public mutating func next() async -> RenderedFrame? {
      while !Task.isCancelled {
        let now = output.player.hostTime
        if let (frame, due) = output.copyFrame(at: now) {
          output.didShow(due: due, at: now)
          return frame
        }
        await alarm.wait(nanoseconds: output.nextFrameTime(after: now).map { Swift.max(0, $0 - now) })
      }
      return nil
    }
  }

  /// Starts a loop.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(output) }
}

extension VideoOutput {
  /// The frames of this output as they become due.
  public var frames: OutputFrames { OutputFrames(output: self) }
}

/// Wakes one waiting task, at a time or earlier when it rings.
private final class Alarm: Sendable {
  private enum State {
    case silent
    /// It has rung while nobody waited.
    case rung
    case awaited(CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.silent)

  func ring() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard case .awaited(let waiter) = state else {
        state = .rung
        return nil
      }
      state = .silent
      return waiter
    }
    waiter?.resume()
  }

  /// Waits until it rings, the time has passed or the task is cancelled.
  ///
  /// - Parameter nanoseconds: nil to wait for as long as it takes.
  func wait(nanoseconds: HostTime?) async {
    let timer = nanoseconds.map { nanoseconds in
      Task { [self] in
        try? await Task.sleep(for: .nanoseconds(nanoseconds))
        if !Task.isCancelled { ring() }
      }
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let hasRung = state.withLock { state in
          if case .rung = state {
            state = .silent
            return true
          }
          state = .awaited(waiter)
          return false
        }
        if hasRung { waiter.resume() }
      }
    } onCancel: {
      ring()
    }
    timer?.cancel()
  }
}
