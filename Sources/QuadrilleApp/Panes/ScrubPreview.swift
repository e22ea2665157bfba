import CellGraphics
import Playback

/// Thumbnails above a pane's bar, shown while seeking. Screen thread only.
struct ScrubPreview {
  private enum Visibility: Equatable {
    case hidden
    /// Until a host time.
    case shown(until: HostTime)
  }

  /// Created when first shown, and kept.
  private var strip: ThumbnailStrip?
  private var visibility = Visibility.hidden
  private var lastScrub: HostTime?

  /// Host time at which it disappears; nil while hidden.
  var deadline: HostTime? {
    if case .shown(let until) = visibility { return until }
    return nil
  }

  var isShown: Bool { visibility != .hidden }

  /// Shows the thumbnails for a second after a drag or the second of two seeks.
  ///
  /// - Parameters:
  ///   - isPossible: True if the clip has thumbnails and the pane has room for them.
  ///   - make: Called the first time they are shown.
  mutating func didScrub(isDrag: Bool, at now: HostTime, isPossible: Bool, make: () -> ThumbnailStrip) {
    let isRepeated = lastScrub.map { now - $0 < ThumbnailStrip.linger } ?? false
    lastScrub = now
    guard isDrag || isRepeated, isPossible else { return }
    if strip == nil { strip = make() }
    visibility = .shown(until: now + ThumbnailStrip.linger)
  }

  /// Handles new thumbnails. Returns true if they must be drawn.
  func update() -> Bool { (strip?.catchUp() ?? false) && isShown }

  /// Hides the thumbnails when their time is over, unless the bar is still being dragged.
  ///
  /// - Returns: True if it hid them.
  mutating func expire(at now: HostTime, isDragged: Bool) -> Bool {
    guard let until = deadline, now >= until else { return false }
    visibility = isDragged ? .shown(until: now + ThumbnailStrip.linger) : .hidden
    return !isDragged
  }

  /// The thumbnails to show; nil while hidden.
  var shownStrip: ThumbnailStrip? { isShown ? strip : nil }

  /// Cancels loading.
  mutating func close() { strip = nil }
}
