import Playback

/// The panes of a run in order, which one is focused or dragged, and which ones keys steer. Screen thread only.
final class PaneSet {
  /// Which panes the keys that are not about one pane steer.
  enum Steering { case all, focused }

  private(set) var panes: [Pane] = []
  private(set) var focusIndex = 0
  var steering: Steering
  /// The pane whose bar is being dragged.
  var dragged: Pane?

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

  /// Puts a pane behind the others and focuses it, if it is to be; the first one always is.
  func append(_ pane: Pane, takesFocus: Bool = true) {
    panes.append(pane)
    if takesFocus { focusIndex = panes.count - 1 }
  }

  /// Puts a pane before another; the focus stays on the pane that has it.
  func insert(_ pane: Pane, at index: Int) {
    panes.insert(pane, at: index)
    if index <= focusIndex { focusIndex += 1 }
  }

  /// Gives a pane the place of another.
  func replace(at index: Int, with pane: Pane) { panes[index] = pane }

  /// Takes a pane out; where it was focused, another one is in its place.
  func remove(at index: Int) {
    panes.remove(at: index)
    if index < focusIndex { focusIndex -= 1 }
    focusIndex = min(focusIndex, max(0, panes.count - 1))
  }

  /// - Returns: whether another pane is focused than before.
  func focus(_ index: Int) -> Bool {
    guard panes.indices.contains(index), index != focusIndex else { return false }
    focusIndex = index
    return true
  }

  /// Gives panes titles that tell them apart.
  ///
  /// - Parameter given: what a pane is to be called, rather than by its clip. Not trusted text.
  func updateTitles(given: (Pane) -> String?) {
    let sources = panes.map { $0.titleSource(given: given($0)) }
    for (pane, title) in zip(panes, PaneTitles.titles(of: sources)) { pane.title = title }
  }

  /// Divides the memory for frames among the panes: the focused one gets twice as much as each other.
  func shareCache(_ bytes: Int) {
    let share = bytes / (panes.count + 1)
    for (i, pane) in panes.enumerated() { pane.player.cacheBudget = i == focusIndex ? 2 * share : share }
  }
}
