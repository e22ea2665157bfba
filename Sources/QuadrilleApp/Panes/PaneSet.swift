import Playback

/// The panes of a run in order, which one is focused, and which ones keys steer. Screen thread only.
final class PaneSet {
  /// Which panes the keys that are not about one pane steer.
  enum Steering { case all, focused }

  private(set) var panes: [Pane] = []
  private(set) var focusIndex = 0
  var steering: Steering

  init(_ steering: Steering) { self.steering = steering }

  var focused: Pane? { panes.indices.contains(focusIndex) ? panes[focusIndex] : nil }

  /// The panes on the screen.
  var visible: [Pane] { panes.filter { $0.geometry != nil } }

  /// The panes that can be played.
  var playable: [Pane] { panes.filter { $0.error == nil } }

  /// The panes that keys steer, also those that cannot be played.
  var steered: [Pane] { steering == .all ? panes : [focused].compactMap { $0 } }

  /// The panes that a command concerns which is not about one pane.
  var targets: [Pane] { steered.filter { $0.error == nil } }

  /// The panes that go where one of them is taken.
  func linked(to pane: Pane) -> [Pane] { steering == .all ? playable : [pane] }

  func index(of pane: Pane) -> Int? { panes.firstIndex { $0 === pane } }

  /// Puts a pane behind the others and focuses it.
  func append(_ pane: Pane) {
    panes.append(pane)
    focusIndex = panes.count - 1
  }

  /// Takes a pane out; another one is focused where it was.
  func remove(at index: Int) -> Pane {
    let pane = panes.remove(at: index)
    focusIndex = min(focusIndex, max(0, panes.count - 1))
    return pane
  }

  /// - Returns: whether another pane is focused than before.
  func focus(_ index: Int) -> Bool {
    guard panes.indices.contains(index), index != focusIndex else { return false }
    focusIndex = index
    return true
  }

  /// Gives panes titles that tell them apart.
  func updateTitles() {
    for (pane, title) in zip(panes, PaneTitles.titles(of: panes.map(\.titleSource))) { pane.title = title }
  }

  /// Divides the memory for frames among the panes: the focused one gets twice as much as each other.
  func shareCache(_ bytes: Int) {
    let share = bytes / (panes.count + 1)
    for (i, pane) in panes.enumerated() { pane.player.cacheBudget = i == focusIndex ? 2 * share : share }
  }
}
