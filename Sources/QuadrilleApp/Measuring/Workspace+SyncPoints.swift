import Measuring
import Playback
import Terminal

/// Frames that the user names as belonging together.
extension Workspace {
  /// Takes the frames shown for one of the reference and its partner, keeps that, and aligns the clips again.
  ///
  /// The partner is the focused pane's frame; if the reference is focused, that of each other pane.
  func addSyncPoint() {
    guard let (reference, candidates) = measurable else {
      alignFrames(wish: .none)
      return
    }
    let named = panes.focused === reference ? candidates : candidates.filter { $0 === panes.focused }
    guard !named.isEmpty else { return say("this pane cannot be aligned frame by frame") }
    let isAtRest = ([reference] + named).allSatisfy { $0.player.rate == 0 && !$0.player.isSeeking && !$0.player.isStepping }
    guard isAtRest, let one = reference.place.nanoseconds else { return say("pause on frames that belong together first") }
    let edits = named.compactMap { pane in
      pane.place.nanoseconds.map { (ObjectIdentifier(pane), SyncEdit.add(reference: one, candidate: $0)) }
    }
    if alignFrames(wish: .none, edits: Dictionary(edits) { first, _ in first }) {
      say("these frames belong together; aligning frame by frame\(key(.align).map { ", \($0) stops" } ?? "")")
    }
  }

  /// Removes a sync point, aligns the clips again and lists what is then found.
  func remove(_ named: PaneMeasurement.NamedPoint) {
    guard case .aligned(_, let candidates) = measuring.stage, candidates.indices.contains(named.candidate) else { return }
    closeList()
    alignFrames(wish: .listEvents, edits: [ObjectIdentifier(candidates[named.candidate]): .remove(named.point)])
  }
}
