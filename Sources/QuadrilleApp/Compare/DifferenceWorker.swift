import DecodePool
import Playback

/// Makes images of differences on a thread of its own. If pairs come faster, the newest one wins. Safe from any thread.
final class DifferenceWorker: Sendable {
  struct Job: Sendable {
    var pair: FramePair
    var settings: DifferenceRequest
    /// True for the errors of blocks over the picture instead of the difference of each pixel.
    var showsBlocks = false
    /// True if the pair has not been shown in any way yet.
    var isNew: Bool
  }

  struct Answer: Sendable {
    var job: Job
    /// nil if the frames were requested without their pixels; a failure is a few words.
    var difference: Result<FrameDifference?, PlaybackError>
  }

  private struct State {
    var job: Job?
    var answer: Answer?
    var isClosed = false
    /// Set if there is no thread to work on.
    var failure: PlaybackError?
  }

  private let state = Monitor(State())
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called from any thread when an answer is available.
  /// - Parameter startThread: Starts the thread.
  init(wake: @escaping @Sendable () -> Void, startThread: ThreadStarter = detachThread) {
    self.wake = wake
    do throws(ThreadError) {
      try startThread { [state] in
        let differencer = PairDifferencer()
        while let job = Self.nextJob(state) {
          let answer = Answer(job: job, difference: Self.difference(for: job, differencer))
          state.withLock { $0.answer = answer }
          wake()
        }
      }
    } catch {
      let failure = PlaybackError(.system, "cannot start a thread: \(error.reason)")
      state.withLock { $0.failure = failure }
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

  private static func difference(for job: Job, _ differencer: PairDifferencer) -> Result<FrameDifference?, PlaybackError> {
    Result { () throws(PlaybackError) in
      job.showsBlocks ? try differencer.errorBlocks(job.pair, job.settings) : try differencer.difference(job.pair, job.settings)
    }
  }

  /// Starts a job, in place of one that has not begun.
  func submit(_ job: Job) {
    let failed = state.withLock { state in
      if let failure = state.failure {
        state.answer = Answer(job: job, difference: .failure(failure))
        return true
      }
      var job = job
      // The pair of the job replaced may be this one.
      if let other = state.job, other.isNew { job.isNew = true }
      state.job = job
      return false
    }
    if failed { wake() } else { state.broadcast() }
  }

  /// The newest answer since the last call.
  func takeAnswer() -> Answer? {
    state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }
}
