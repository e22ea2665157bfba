import DecodePool
import Libav
import Pixels
import Synchronization

/// Finds the display times of a composition's frames from its clips' own indexes, one clip after another.
///
/// Safe to use from any thread.
final class CompositionIndex: Sendable {
  private struct State {
    var hasBegun = false
    var timeline: CompositionTimeline
    /// The clips whose files have yet to be indexed, one per file.
    var waiting: [CompositionClip] = []
    /// The number of clips indexed.
    var doneCount = 0
    var published = 0
  }

  private let state: Mutex<State>
  private let plan: CompositionPlan
  private let failures: CompositionFailures

  /// - Parameter failures: receives the clips that cannot be opened.
  init(_ plan: CompositionPlan, _ failures: CompositionFailures) {
    state = Mutex(State(timeline: CompositionTimeline(plan)))
    self.plan = plan
    self.failures = failures
  }

  /// Starts filling an index; later calls have no effect.
  func begin(for index: FrameIndex) {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      guard !state.hasBegun else { return false }
      state.waiting = state.timeline.sources
      return true
    }
    if isFirst { goOn(index) }
  }

  private func goOn(_ index: FrameIndex) {
    guard let clip = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else {
      return finish(index)
    }
    // Playing shows sooner or later that a clip is missing; this shows it in advance.
    clip.asset.load(.facts) { [plan, failures] in failures.note($0, of: clip, in: plan) }
    // Weak: the work ends if the index is freed.
    clip.asset.prepareIndex(of: clip.videoTrack) { [weak self, weak index] found in
      guard let found else {
        guard let self, let index else { return }
        return take(nil, of: clip, index)
      }
      found.index.begin()
      found.index.whenEnded { [weak self, weak index] in
        guard let self, let index else { return }
        take(found, of: clip, index)
      }
    }
  }

  private func take(_ found: ClipIndex?, of clip: CompositionClip, _ index: FrameIndex) {
    let isNear = state.withLock { state in
      state.doneCount += 1
      return state.doneCount <= OpenClips.maxIdle
    }
    if !isNear { clip.asset.closeInput() }
    let timeline = state.withLock { state -> PresentationTimeline? in
      state.timeline.add(
        found?.index.timeline, rate: found?.track.nominalFrameRate ?? 0, tolerance: found?.track.stampTolerance ?? .zero, of: clip)
      let count = state.timeline.frameCount
      guard count >= 2 * state.published, !state.waiting.isEmpty else { return nil }
      state.published = count
      return state.timeline.known
    }
    index.publish(timeline, progress: state.withLock { $0.timeline.progress })
    goOn(index)
  }

  private func finish(_ index: FrameIndex) { index.finish(state.withLock { $0.timeline.known }) }
}

/// The index of a track.
struct ClipIndex: Sendable {
  var index: FrameIndex
  var track: AssetTrack
}

extension Asset {
  /// Prepares the index of a video track; calls back once, on another thread or immediately, with nil if there is none.
  func prepareIndex(
    of videoTrack: Int?, _ completion: @escaping @Sendable (ClipIndex?) -> Void
  ) {
    load(.facts) { [self] result in
      guard let facts = try? result.get(), let track = facts.videoTrack(videoTrack) else { return completion(nil) }
      if composition != nil {
        return completion(ClipIndex(index: frameIndex(of: track, facts, mayJump: false), track: track))
      }
      runInBackground(startThread) { [self] in
        guard let opened = try? input.open(Interrupter()), opened.canReopen else { return completion(nil) }
        let index = frameIndex(of: track, facts, mayJump: opened.demuxer.mayBeDiscontinuous)
        completion(ClipIndex(index: index, track: track))
      } refused: { _ in
        completion(nil)
      }
    }
  }
}
