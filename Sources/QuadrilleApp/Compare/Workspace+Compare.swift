import Pixels
import Playback
import Terminal

/// Two clips in one pane.
extension Workspace {
  /// The share of the frame by which keys move the edge of a wipe.
  private static let edgeStep = 0.05

  /// Shows the focused pane's clip and the reference in a mode; the same mode again shows the clip alone.
  func compare(_ mode: CompareSettings.Mode) {
    guard let pane = panes.focused else { return }
    if let comparison = pane.view.comparison {
      guard comparison.settings.mode != mode else {
        if mode == .flicker { return alternate(comparison) }
        return endComparison(of: pane)
      }
      comparison.settings.mode = mode
      shareCache()
      return sayComparison(comparison)
    }
    guard let reference = reference(for: pane) else { return }
    var settings = evaluation.compareSettings
    settings.mode = mode
    // Both are in the order of their panes, but flicker begins with the other clip.
    let isBefore = (panes.index(of: pane) ?? 0) < (panes.index(of: reference) ?? 0)
    settings.leading = isBefore && mode != .flicker ? .clip : .reference
    begin(settings, in: pane, with: reference)
  }

  /// Compares a pane with another one.
  func begin(_ settings: CompareSettings, in pane: Pane, with reference: Pane) {
    let comparison = Comparison(pane, with: reference, settings) { [wakeup = resources.wakeup] in wakeup.signal() }
    pane.view.comparison = comparison
    updatePartners()
    updateLayout()
    sayComparison(comparison)
  }

  /// The panes that a pane can be compared with.
  private func comparable(with pane: Pane) -> [Pane] {
    panes.playable.filter { $0 !== pane && $0.story == nil && $0.videoTrack != nil }
  }

  /// The pane to compare a pane with; says so if there is none.
  private func reference(for pane: Pane) -> Pane? {
    let others = comparable(with: pane)
    guard pane.error == nil else {
      say("this clip cannot be played")
      return nil
    }
    guard pane.story == nil, !others.isEmpty else {
      say(panes.panes.count < 2 ? "two clips are needed to compare; \(key(.open) ?? "quadrille") opens another" : "no other clip to compare with")
      return nil
    }
    guard pane.videoTrack != nil else {
      say("this clip has no video")
      return nil
    }
    return others.first { $0 === evaluation.reference } ?? others.first
  }

  /// Shows the clip alone.
  func endComparison(of pane: Pane) {
    guard let comparison = pane.view.comparison else { return }
    evaluation.compareSettings = comparison.settings
    pane.view.comparison = nil
    updateLayout()
    say("comparison off")
  }

  /// Makes the focused pane the reference for others.
  func makeReference() {
    guard let pane = panes.focused, let index = panes.index(of: pane) else { return }
    evaluation.reference = pane
    for other in panes.panes { if let comparison = other.view.comparison, other !== pane { replace(comparison, in: other, with: pane) } }
    if let comparison = pane.view.comparison, comparison.reference === pane { endComparison(of: pane) }
    realignFrames()
    say("pane \(index + 1) is the reference")
  }

  /// Compares with the next of the other clips.
  func compareWithNext() {
    guard let pane = panes.focused, let comparison = pane.view.comparison else { return say("nothing is compared here") }
    let others = comparable(with: pane)
    guard let index = others.firstIndex(where: { $0 === comparison.reference }), others.count > 1 else { return say("no other clip to compare with") }
    replace(comparison, in: pane, with: others[(index + 1) % others.count])
  }

  private func replace(_ comparison: Comparison, in pane: Pane, with reference: Pane) {
    guard comparison.reference !== reference else { return }
    begin(comparison.settings, in: pane, with: reference)
  }

  /// Exchanges the sides.
  func swapCompared() {
    guard let comparison = panes.focused?.view.comparison else { return say("nothing is compared here") }
    alternate(comparison)
  }

  private func alternate(_ comparison: Comparison) { comparison.settings.swapSides() }

  /// Alternates on its own, faster each time.
  func flickerFaster() {
    guard let pane = panes.focused else { return }
    if pane.view.comparison?.settings.mode != .flicker { compare(.flicker) }
    guard let comparison = pane.view.comparison else { return }
    comparison.settings.change(.alternations)
    sayComparison(comparison)
  }

  /// Performs a change chosen from the list.
  func change(_ action: CompareAction) {
    guard let pane = panes.focused else { return }
    switch action {
    case .off: endComparison(of: pane)
    case .mode(let mode): if pane.view.comparison?.settings.mode != mode { compare(mode) }
    case .nextClip: compareWithNext()
    case .plane: changeLook { $0.plane = FramePlane.allCases.next(after: $0.plane) }
    case .fields: changeLook { $0.fields = FrameFields.allCases.next(after: $0.fields) }
    case .filmGrain: say(pane.toggleFilmGrain())
    case .facts: cycleFacts()
    case .scope: cycleScope()
    default: pane.view.comparison?.settings.change(action)
    }
  }

  private func sayComparison(_ comparison: Comparison) {
    switch comparison.settings.mode {
    case .wipe:
      // While magnified, arrows move the part shown.
      let isMagnified = panes.focused.map { !$0.view.magnification.isFit } ?? false
      say(isMagnified ? "wipe: drag the edge" : "wipe: drag the edge, or move it with shift-arrows")
    default: say(comparison.settings.words)
    }
  }

  /// Ends what refers to a pane that has been removed.
  func endComparisons(with pane: Pane) {
    if evaluation.reference === pane { evaluation.reference = nil }
    pane.view.comparison = nil
    for other in panes.panes where other.view.comparison?.reference === pane { other.view.comparison = nil }
  }

  // MARK: - Input

  /// Moves the edge of a wipe with shift and an arrow. Returns true if the key was for that.
  func steerComparison(_ stroke: KeyStroke) -> Bool {
    guard stroke.modifiers == .shift, let comparison = panes.focused?.view.comparison, comparison.settings.mode == .wipe else { return false }
    switch stroke.key {
    case .left, .up: comparison.settings.moveEdge(by: -Self.edgeStep)
    case .right, .down: comparison.settings.moveEdge(by: Self.edgeStep)
    default: return false
    }
    chrome.invalidateAtOnce()
    return true
  }

  /// Moves the edge of a wipe to the pointer. Returns true if the pane has one.
  func dragEdge(of pane: Pane, column: Int, row: Int) -> Bool {
    guard let comparison = pane.view.comparison, comparison.settings.mode == .wipe,
      let point = pane.point(column: column, row: row, blitter: screen.metrics.blitter)
    else { return false }
    comparison.settings.edge = comparison.settings.axis == .columns ? point.part.x : point.part.y
    chrome.invalidateAtOnce()
    return true
  }
}
