import CellGraphics
import Playback

/// Thumbnails over a pane's bar, shown while places in the clip are looked for. Screen thread only.
struct ScrubPreview {
  private enum Visibility: Equatable {
    case hidden
    /// Until a host time.
    case shown(until: HostTime)
  }

  /// Made the first time that it is shown, and kept.
  private var strip: ThumbnailStrip?
  private var visibility = Visibility.hidden
  private var lastScrub: HostTime?

  /// Until when it is shown, as host time; nil while it is hidden.
  var deadline: HostTime? {
    if case .shown(let until) = visibility { return until }
    return nil
  }

  var isShown: Bool { visibility != .hidden }

  /// Shows the thumbnails for a second after a drag or the second of two seeks.
  ///
  /// - Parameters:
  ///   - isPossible: whether the clip has thumbnails and the pane has room for them.
  ///   - make: called the first time that they are shown.
  mutating func didScrub(isDrag: Bool, at now: HostTime, isPossible: Bool, make: () -> ThumbnailStrip) {
    let isRepeated = lastScrub.map { now - $0 < ThumbnailStrip.linger } ?? false
    lastScrub = now
    guard isDrag || isRepeated, isPossible else { return }
    if strip == nil { strip = make() }
    visibility = .shown(until: now + ThumbnailStrip.linger)
  }

  /// Takes in thumbnails that have come. Returns whether they are to be drawn.
  func update() -> Bool { (strip?.catchUp() ?? false) && isShown }

  /// Hides the thumbnails when their time is over, unless the bar is still being dragged.
  ///
  /// - Returns: whether they went.
  mutating func expire(at now: HostTime, isDragged: Bool) -> Bool {
    guard let until = deadline, now >= until else { return false }
    visibility = isDragged ? .shown(until: now + ThumbnailStrip.linger) : .hidden
    return !isDragged
  }

  /// The thumbnails that are to be seen; nil while they are hidden.
  var shownStrip: ThumbnailStrip? { isShown ? strip : nil }

  /// Ends what is being loaded.
  mutating func close() { strip = nil }
}
