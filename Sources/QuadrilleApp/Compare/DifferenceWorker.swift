import DecodePool
import Playback

/// Makes images of differences on a thread of its own. If pairs come faster, the newest one wins. Safe from any thread.
final class DifferenceWorker: Sendable {
  struct Job: Sendable {
    var pair: FramePair
    var settings: DifferenceRequest
    /// True if the pair has not been shown in any way yet.
    var isNew: Bool
  }

  struct Answer: Sendable {
    var job: Job
    /// nil if the frames cannot be compared.
    var difference: FrameDifference?
  }

  private struct State {
    var job: Job?
    var answer: Answer?
    var isClosed = false
  }

  private let state = Monitor(State())

  /// - Parameter wake: Called from any thread when an answer is available.
  init(wake: @escaping @Sendable () -> Void) {
    do throws(ThreadError) {
      try detachThread { [state] in
        let differencer = PairDifferencer()
        while let job = Self.nextJob(state) {
          let difference = try? differencer.difference(job.pair, job.settings)
          state.withLock { $0.answer = Answer(job: job, difference: difference) }
          wake()
        }
      }
    } catch {
      state.withLock { $0.isClosed = true }
    }
  }

  deinit {
    state.withLock { $0.isClosed = true }
    state.broadcast()
  }

  /// Waits for a job; nil once the worker is gone.
  private static func nextJob(_ state: Monitor<State>) -> Job? {
    state.wait { state -> Job?? in
      if state.isClosed { return .some(nil) }
      guard let job = state.job else { return nil }
      state.job = nil
      return .some(job)
    }
  }

  /// Starts a job, in place of one that has not begun.
  func submit(_ job: Job) {
    state.withLock { state in
      var job = job
      // The pair of the job replaced may be this one.
      if let other = state.job, other.isNew { job.isNew = true }
      state.job = job
    }
    state.broadcast()
  }

  /// The newest answer since the last call.
  func takeAnswer() -> Answer? {
    state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }
}
