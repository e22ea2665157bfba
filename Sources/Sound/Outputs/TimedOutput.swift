import DecodePool

/// Makes the output that is used while there is no device.
package typealias SilentOutputMaker = @Sendable (SoundFormat) -> any SoundOutput

/// An output without a device: it takes samples when a device would, by a clock that it is given.
///
/// It keeps the time of players when there is no device, and lets tests see exactly what would be heard. It steps on a thread of
/// its own, or when it is told to.
package final class TimedOutput: SoundOutput {
  package let kind = SoundOutputKind.silent

  private let now: @Sendable () -> Int64
  private let pace: Pace
  private let state: Monitor<State>

  /// The pace at which the output moves on.
  package enum Pace: Sendable {
    /// A thread, which the function starts.
    case thread(ThreadStarter)
    /// Calls of `step`.
    case calls
  }

  private struct State {
    weak var client: (any SoundOutputClient)?
    var isRunning = false
    var rewrites = false
    var isClosed = false
    /// Nil while a step is being made.
    var device: TimedDevice?
  }

  /// - Parameters:
  ///   - now: the clock, in nanoseconds; with a thread, the monotonic one.
  package init(_ timing: DeviceTiming, now: @escaping @Sendable () -> Int64 = SoundEngine.monotonicNow, pace: Pace) {
    (self.now, self.pace) = (now, pace)
    state = Monitor(State(device: TimedDevice(timing)))
  }

  /// Makes the output that is used while there is no device.
  package static let silent: SilentOutputMaker = { format in
    TimedOutput(DeviceTiming(format: format), pace: .thread(detachThread))
  }

  package func open(_ client: any SoundOutputClient) {
    let timing = state.withLock {
      $0.client = client
      return $0.device?.timing
    }
    guard let timing else { return }
    client.output(self, didOpen: SoundDevice(kind: kind, name: "", format: timing.format))
    // Without a thread there is no time, and players go by their own.
    if case .thread(let start) = pace { try? start { [self] in run() } }
  }

  package func setRunning(_ isRunning: Bool) {
    state.withLock { $0.isRunning = isRunning }
    state.signal()
  }

  package func rewrite() {
    state.withLock { $0.rewrites = true }
    state.signal()
  }

  package func setTitle(_ title: String) {}

  package func close() {
    state.withLock { $0.isClosed = true }
    state.signal()
  }

  /// Takes what is due by now, and fills the queue. Not by several threads at once.
  package func step() {
    let work = state.withLock { state -> (device: TimedDevice, client: any SoundOutputClient, runs: Bool, rewrites: Bool)? in
      guard !state.isClosed, let device = state.device, let client = state.client else { return nil }
      state.device = nil
      defer { state.rewrites = false }
      return (device, client, state.isRunning, state.rewrites)
    }
    guard let work else { return }
    var device = work.device
    device.step(to: now(), isRunning: work.runs, rewrites: work.rewrites, self, work.client)
    state.withLock { [device] in $0.device = device }
  }

  private func run() {
    var due = Int64.min
    while true {
      let goesOn = state.wait(until: UInt64(max(0, due))) { state -> Bool? in
        if state.isClosed { return false }
        return state.rewrites || state.device?.isRunning != state.isRunning ? true : nil
      }
      if goesOn == false { return }
      step()
      // Paused, it waits for a call.
      due = state.withLock { $0.device?.nextDue } ?? now() + 3_600_000_000_000
    }
  }
}
