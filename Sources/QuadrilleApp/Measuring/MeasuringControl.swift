import Measuring
import Playback

/// The comparison of panes with a reference, frame by frame. Screen thread only.
final class MeasuringControl {
  /// Something to do as soon as the clips are aligned.
  enum Wish {
    case none
    case listEvents
  }

  /// The work on a set of panes.
  struct Work {
    let job: AlignmentJob
    let reference: Pane
    let candidates: [Pane]
    var wish: Wish
  }

  /// The stage that the comparison has reached.
  enum Stage {
    case idle
    case aligning(Work)
    case aligned(reference: Pane, candidates: [Pane])
  }

  private(set) var stage = Stage.idle
  /// The metric to show; nil for none.
  var metric: Metric?
  /// The path of an `ffmpeg` that computes VMAF; nil to look for what does.
  private let vmafProgram: String?
  /// The search for an engine of VMAF; nil until VMAF is asked for.
  private var vmaf: VMAFSearch?
  private let store: SignatureStore?
  private let scoreStore: ScoreStore?
  private let syncStore: SyncPointStore?
  private let network: Network?

  /// - Parameters:
  ///   - folder: the place of signatures and scores; nil to keep none.
  ///   - syncPoints: the file of the sync points; nil to keep none.
  ///   - vmafProgram: the path of an `ffmpeg` that computes VMAF; nil to look for what does.
  init(folder: String?, syncPoints: String?, vmafProgram: String?, network: Network?) {
    (store, scoreStore) = (folder.map(SignatureStore.init), folder.map(ScoreStore.init))
    syncStore = syncPoints.map(SyncPointStore.init)
    self.vmafProgram = vmafProgram
    self.network = network
  }

  /// The metric after the one shown, as far as is known of those that can be measured; nil for none.
  var nextMetric: Metric? {
    ([nil] + Metric.allCases.filter { $0 != .vmaf || vmaf?.failure == nil }.map(Optional.some)).next(after: metric)
  }

  /// The reason that the metric shown cannot be measured of any clip; nil if it can, or as long as that is not known.
  var lack: PlaybackError? { metric == .vmaf ? vmaf?.failure : nil }

  /// Finds what computes the metric shown, if that has to be found.
  func prepareMetric(wake: @escaping @Sendable () -> Void) {
    if metric == .vmaf, vmaf == nil { vmaf = VMAFSearch(program: vmafProgram, wake: wake) }
  }

  /// Begins to measure an aligned pane.
  func makeScores(
    _ metric: Metric, of pane: Pane, _ clip: AlignedClip, reference: Pane, wake: @escaping @Sendable () -> Void
  ) -> ScoreJob {
    let clips = ScoreJob.Clips(reference: reference.path, candidate: pane.path, aligned: clip, network: network)
    let playhead = pane.player.currentTime().nanoseconds.flatMap(clip.candidate.frame(at:)) ?? 0
    return ScoreJob(metric, of: clips, from: playhead, store: scoreStore, vmaf: vmaf, wake: wake)
  }

  /// Begins to align panes with a reference, which takes a while.
  ///
  /// - Parameter edits: changes to the sync points, by the indexes of the panes.
  func align(
    _ candidates: [Pane], with reference: Pane, wish: Wish, edits: [Int: SyncEdit], wake: @escaping @Sendable () -> Void
  ) {
    stop()
    let job = AlignmentJob(
      reference: reference.path, candidates: candidates.map(\.path),
      frameCounts: ([reference] + candidates).map { $0.approximateFrameCount(in: $0.length) ?? 0 }, store: store,
      syncPoints: syncStore, edits: edits, network: network, wake: wake)
    stage = .aligning(Work(job: job, reference: reference, candidates: candidates, wish: wish))
  }

  /// Sets what to do once the clips are aligned.
  func wish(_ wish: Wish) {
    guard case .aligning(var work) = stage else { return }
    work.wish = wish
    stage = .aligning(work)
  }

  /// Forgets all findings.
  func stop() {
    if case .aligned(let reference, let candidates) = stage {
      for pane in [reference] + candidates { pane.view.measurement = nil }
    }
    stage = .idle
  }

  /// Notes that the clips are aligned.
  func didAlign(_ candidates: [Pane], with reference: Pane) { stage = .aligned(reference: reference, candidates: candidates) }

  /// The pane that the others are compared with; nil if nothing is compared.
  var reference: Pane? {
    switch stage {
    case .idle: nil
    case .aligning(let work): work.reference
    case .aligned(let reference, _): reference
    }
  }

  /// Returns true if a pane's clip is being compared.
  func concerns(_ pane: Pane) -> Bool {
    switch stage {
    case .idle: false
    case .aligning(let work): work.reference === pane || work.candidates.contains { $0 === pane }
    case .aligned(let reference, let candidates): reference === pane || candidates.contains { $0 === pane }
    }
  }

  /// The share of the alignment of a pane that is done, 0…1; nil if it is not being aligned.
  func progress(of pane: Pane) -> Double? {
    guard case .aligning(let work) = stage, let index = work.candidates.firstIndex(where: { $0 === pane }),
      case .underway(let fraction) = work.job.progress[index]
    else { return nil }
    return fraction
  }
}
