import Alignment
import DecodePool
import Playback

/// Aligns clips with a reference on a thread of its own, at a low priority, one after the other. Safe from any thread.
///
/// Ends early when it is released.
package final class AlignmentJob: Sendable {
  /// The state of one candidate.
  package enum Progress: Sendable {
    /// - Parameter fraction: the share that is done, 0…1.
    case underway(fraction: Double)
    case done(AlignedClip)
    /// - Parameter path: the clip that cannot be read.
    case failed(path: String, PlaybackError)
  }

  private struct State {
    var progress: [Progress]
    var isCancelled = false
  }

  /// The share of an alignment that is spent on reading the clips.
  private static let readingShare = 0.9
  /// Frames between two reports.
  private static let reportInterval = 32

  private let state: Monitor<State>

  /// - Parameters:
  ///   - reference: the path of the reference.
  ///   - candidates: the paths of the others.
  ///   - frameCounts: the expected number of frames of each, the reference first; 0 if unknown.
  ///   - store: the signatures made earlier, and to come.
  ///   - syncPoints: the points that the alignments have to go through.
  ///   - edits: changes to the points, by the indexes of the candidates.
  ///   - wake: called from any thread when there is news.
  package init(
    reference: String, candidates: [String], frameCounts: [Int], store: SignatureStore?, syncPoints: SyncPointStore? = nil,
    edits: [Int: SyncEdit] = [:], network: Network?, startThread: ThreadStarter = detachThread,
    wake: @escaping @Sendable () -> Void
  ) {
    let state = Monitor(State(progress: candidates.map { _ in .underway(fraction: 0) }))
    self.state = state
    do throws(ThreadError) {
      try startThread {
        lowerThreadPriority()
        Worker(state: state, store: store, sync: (syncPoints, edits), network: network, wake: wake).run(
          reference, candidates, frameCounts)
      }
    } catch {
      let failure = PlaybackError(.system, "cannot start a thread: \(error.reason)")
      state.withLock { $0.progress = $0.progress.map { _ in .failed(path: reference, failure) } }
      wake()
    }
  }

  deinit { state.withLock { $0.isCancelled = true } }

  /// The state of each candidate, in their order.
  package var progress: [Progress] { state.withLock { $0.progress } }

  /// The thread's part of the job.
  private struct Worker {
    let state: Monitor<State>
    let store: SignatureStore?
    let sync: (store: SyncPointStore?, edits: [Int: SyncEdit])
    let network: Network?
    let wake: @Sendable () -> Void

    private struct Cancelled: Error {}

    func run(_ reference: String, _ candidates: [String], _ frameCounts: [Int]) {
      let share = AlignmentJob.readingShare / 2
      do {
        let first = try signatures(of: reference, frameCounts.first ?? 0) { fraction in
          for index in candidates.indices { try report(.underway(fraction: share * fraction), of: index) }
        }
        for (index, candidate) in candidates.enumerated() {
          do {
            let second = try signatures(of: candidate, frameCounts.dropFirst(index + 1).first ?? 0) {
              try report(.underway(fraction: share + share * $0), of: index)
            }
            let named = syncPoints(of: (reference, candidate), edit: sync.edits[index], times: (first.times, second.times))
            let map = try Aligner.align(
              reference: first, candidate: second, priors: AlignmentPriors(syncPoints: named.points),
              progress: { fraction in
                try? report(.underway(fraction: 2 * share + (1 - 2 * share) * fraction), of: index)
              }, isCancelled: { state.withLock { $0.isCancelled } })
            if map.verdict == .unrelated, case .add = sync.edits[index] { forget(named.points, of: (reference, candidate)) }
            let clip = AlignedClip(
              map: map, referenceTimes: first.times, candidateTimes: second.times, syncFailure: named.failure)
            try report(.done(clip), of: index)
          } catch {
            try report(.failed(path: candidate, Self.failure(error)), of: index)
          }
        }
      } catch {
        // If the job has been cancelled, nobody looks at this.
        for index in candidates.indices { try? report(.failed(path: reference, Self.failure(error)), of: index) }
      }
    }

    /// Changes the points of a pair and returns them. Points that cannot be kept are used all the same.
    private func syncPoints(
      of pair: (reference: String, candidate: String), edit: SyncEdit?, times: (reference: [Int64], candidate: [Int64])
    ) -> (points: [SyncPoint], failure: PlaybackError?) {
      var points: [SyncPoint] = []
      guard let store = sync.store else {
        edit?.apply(to: &points, times: times)
        return (points, edit.map { _ in PlaybackError(.notFound, "sync points are not kept without a home folder") })
      }
      do {
        points = try store.points(reference: pair.reference, candidate: pair.candidate)
        guard let edit else { return (points, nil) }
        points = try store.change(reference: pair.reference, candidate: pair.candidate) { edit.apply(to: &$0, times: times) }
        return (points, nil)
      } catch {
        edit?.apply(to: &points, times: times)
        let failure = Self.failure(error)
        return (points, PlaybackError(failure.reason, failure.message(naming: store.path)))
      }
    }

    /// Forgets points of clips that have nothing in common, since nobody could remove them from a list of what was found.
    private func forget(_ points: [SyncPoint], of pair: (reference: String, candidate: String)) {
      _ = try? sync.store?.change(reference: pair.reference, candidate: pair.candidate) { $0.removeAll(where: points.contains) }
    }

    private static func failure(_ error: any Error) -> PlaybackError {
      error as? PlaybackError ?? PlaybackError(.damaged, "has frames that cannot be compared")
    }

    private func signatures(of path: String, _ count: Int, progress: (Double) throws -> Void) throws -> SignatureSequence {
      let frames = try SequentialFrames(path: path, threads: 1, network: network)
      return try SignaturePass.signatures(of: frames, path: path, store: store) { done in
        guard done % AlignmentJob.reportInterval == 0 else { return }
        try progress(count > 0 ? min(1, Double(done) / Double(count)) : 0)
      }
    }

    /// - Throws: if the job has been cancelled.
    private func report(_ progress: Progress, of index: Int) throws {
      let isCancelled = state.withLock { state in
        state.progress[index] = progress
        return state.isCancelled
      }
      if isCancelled { throw Cancelled() }
      wake()
    }
  }
}
