import DecodePool
import Libav
import Playback

/// Measures the matched frames of a pair of clips on a thread of its own, at a low priority, from the playhead on. Safe from any
/// thread.
///
/// Earlier scores are taken from a store. The job ends when it is released, and saves its scores there.
package final class ScoreJob: Sendable {
  /// The results at one moment.
  package struct Snapshot: Sendable {
    package var table: ScoreTable
    package var figures: ScoreFigures?
    /// The reason that nothing more is measured; nil if there is none.
    package var failure: PlaybackError?
    /// Changes with everything else.
    package var revision = 0
  }

  /// A pair of clips.
  package struct Clips: Sendable {
    let reference: String
    let candidate: String
    let aligned: AlignedClip
    let network: Network?

    package init(reference: String, candidate: String, aligned: AlignedClip, network: Network?) {
      (self.reference, self.candidate, self.aligned, self.network) = (reference, candidate, aligned, network)
    }
  }

  private struct State {
    var snapshot: Snapshot
    var playhead: Int
    var isCancelled = false
  }

  private let state: Monitor<State>

  /// - Parameters:
  ///   - playhead: the candidate's frame to begin with.
  ///   - vmaf: what computes VMAF, which is not measured without it.
  ///   - wake: called from any thread when there is news.
  package init(
    _ metric: Metric, of clips: Clips, from playhead: Int, store: ScoreStore?, vmaf: VMAFSearch? = nil,
    startThread: ThreadStarter = detachThread, wake: @escaping @Sendable () -> Void
  ) {
    let state = Monitor(State(snapshot: Snapshot(table: ScoreTable(metric, clips.aligned)), playhead: playhead))
    self.state = state
    do throws(ThreadError) {
      try startThread {
        lowerThreadPriority()
        Worker(state: state, clips: clips, store: store, vmaf: vmaf, wake: wake).run()
      }
    } catch {
      let failure = PlaybackError(.system, "cannot start a thread: \(error.reason)")
      state.withLock { $0.snapshot.failure = failure }
      wake()
    }
  }

  deinit { state.withLock { $0.isCancelled = true } }

  /// The current results.
  package var snapshot: Snapshot { state.withLock { $0.snapshot } }

  /// Changes with the snapshot.
  package var revision: Int { state.withLock { $0.snapshot.revision } }

  /// Measures from a frame of the candidate on, and what is left of the others afterwards.
  package func go(to playhead: Int) { state.withLock { $0.playhead = playhead } }

  /// The thread's part of the job.
  private struct Worker {
    let state: Monitor<State>
    let clips: Clips
    let store: ScoreStore?
    let vmaf: VMAFSearch?
    let wake: @Sendable () -> Void

    /// Frames measured between two reports.
    private static let reportInterval = 16
    /// The time between two computations of the clip's figures, at least and as a multiple of what one takes.
    private static let figuresInterval = Duration.milliseconds(300)
    private static let figuresFactor = 20.0

    func run() {
      let (metric, count) = state.withLock { ($0.snapshot.table.metric, $0.snapshot.table.values.count) }
      let key = store == nil ? nil : ScoreStore.Key(
        reference: clips.reference, candidate: clips.candidate, metric: metric, partners: clips.aligned.candidate.numbers)
      let values = key.flatMap { store?.load($0, count: count) }
      var table = ScoreTable(metric, clips.aligned, values: values)
      let known = table.measuredCount
      var failure: PlaybackError?
      do {
        try measure(&table)
      } catch {
        failure = error as? PlaybackError ?? PlaybackError(.damaged, "has frames that cannot be measured")
      }
      if let store, let key, table.measuredCount > known { store.save(table.values, key) }
      report(table, failure: failure)
    }

    private func measure(_ table: inout ScoreTable) throws {
      var schedule = (next: ContinuousClock.now, unreported: 0)
      report(table)
      guard table.next(from: 0) != nil else { return }
      let steps = try steps(table.metric)
      while let frame = nextFrame(table) {
        let former = table.measuredCount
        for (index, value) in try steps.values(from: frame, in: table).enumerated() { table.set(value, ofFrame: frame + index) }
        // A frame that has no figure would be the next one for ever.
        guard table.measuredCount > former else { break }
        schedule.unreported += table.measuredCount - former
        let now = ContinuousClock.now
        // The whole is reported once it has been saved.
        guard !table.isComplete, schedule.unreported >= Self.reportInterval || now >= schedule.next else { continue }
        report(table, withFigures: now >= schedule.next)
        schedule.unreported = 0
        if now >= schedule.next {
          schedule.next = .now + max(Self.figuresInterval, (ContinuousClock.now - now) * Self.figuresFactor)
        }
      }
    }

    /// The next frame to measure; nil if none is left, or the job has ended.
    private func nextFrame(_ table: ScoreTable) -> Int? {
      let playhead = state.withLock { $0.isCancelled ? nil : $0.playhead }
      return playhead.flatMap { table.next(from: $0) }
    }

    private func steps(_ metric: Metric) throws -> any ScoreSteps {
      let reference = try cursor(clips.reference, clips.aligned.reference)
      let candidate = try cursor(clips.candidate, clips.aligned.candidate)
      guard metric == .vmaf, let vmaf else { return FrameSteps(reference, candidate) }
      return RunSteps(try vmaf.engine(), reference, candidate) { [state] in state.withLock { $0.isCancelled } }
    }

    private func cursor(_ path: String, _ frames: FrameNumbering) throws -> FrameCursor {
      try FrameCursor(times: frames.times) { [network = clips.network] in
        try SequentialFrames(path: path, threads: 1, network: network)
      }
    }

    private func report(_ table: ScoreTable, withFigures: Bool = true, failure: PlaybackError? = nil) {
      let figures = withFigures ? table.figures : nil
      state.withLock { state in
        state.snapshot.table = table
        state.snapshot.figures = figures ?? state.snapshot.figures
        state.snapshot.failure = failure
        state.snapshot.revision += 1
      }
      wake()
    }
  }
}
