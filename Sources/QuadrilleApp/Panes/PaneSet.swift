import Playback

/// The panes of a run in order, with the focused, dragged and controlled ones. Screen thread only.
final class PaneSet {
  /// The panes that most keys control.
  enum Steering { case all, focused }

  private(set) var panes: [Pane] = []
  private(set) var focusIndex = 0
  var steering: Steering
  var pointer = Pointer()
  /// Which panes are heard, and how loudly.
  var sound: SoundControl

  init(_ steering: Steering, sound: SoundControl = SoundControl(.init())) { (self.steering, self.sound) = (steering, sound) }

  var focused: Pane? { panes.indices.contains(focusIndex) ? panes[focusIndex] : nil }

  /// The visible panes.
  var visible: [Pane] { panes.filter { $0.geometry != nil } }

  /// The panes that can be played.
  var playable: [Pane] { panes.filter { $0.error == nil } }

  /// The controlled panes, including those that cannot be played.
  var steered: [Pane] { steering == .all ? panes : [focused].compactMap { $0 } }

  /// The panes affected by a command that is not specific to one pane.
  var targets: [Pane] { steered.filter { $0.error == nil } }

  /// The panes that move when one of them is moved.
  func linked(to pane: Pane) -> [Pane] { steering == .all ? playable : [pane] }

  func index(of pane: Pane) -> Int? { panes.firstIndex { $0 === pane } }

  /// Appends a pane and optionally focuses it; the first one is always focused.
  func append(_ pane: Pane, takesFocus: Bool = true) {
    panes.append(pane)
    if takesFocus { focusIndex = panes.count - 1 }
  }

  /// Inserts a pane before another; the focus does not move.
  func insert(_ pane: Pane, at index: Int) {
    panes.insert(pane, at: index)
    if index <= focusIndex { focusIndex += 1 }
  }

  /// Replaces a pane.
  func replace(at index: Int, with pane: Pane) { panes[index] = pane }

  /// Removes a pane; if it was focused, another one is.
  func remove(at index: Int) {
    panes.remove(at: index)
    if index < focusIndex { focusIndex -= 1 }
    focusIndex = min(focusIndex, max(0, panes.count - 1))
  }

  /// - Returns: True if the focus has changed.
  func focus(_ index: Int) -> Bool {
    guard panes.indices.contains(index), index != focusIndex else { return false }
    focusIndex = index
    return true
  }

  /// Gives panes distinct titles.
  ///
  /// - Parameter given: A title to use instead of the clip's. Untrusted text.
  func updateTitles(given: (Pane) -> String?) {
    let sources = panes.map { $0.titleSource(given: given($0)) }
    for (pane, title) in zip(panes, PaneTitles.titles(of: sources)) { pane.title = title }
  }

  /// The most memory for frames of a clip that keep their decoded pixels, in bytes: some frames of 1080p around the present one.
  private static let maxPixelCache = 32 << 20

  /// Divides the cache memory among the panes: the focused one gets twice as much as each other.
  func shareCache(_ bytes: Int) {
    let share = bytes / (panes.count + 1)
    let differing = panes.compactMap(\.view.comparison).filter(\.settings.mode.comparesPixels)
    for (i, pane) in panes.enumerated() {
      let keepsPixels = pane.view.comparison?.settings.mode.comparesPixels == true || differing.contains { $0.reference === pane }
      let budget = i == focusIndex ? 2 * share : share
      pane.player.cacheBudget = keepsPixels ? min(budget, Self.maxPixelCache) : budget
    }
  }
}
