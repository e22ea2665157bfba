import CellGraphics
import Playback

/// A frame that has been taken from its player for the screen.
struct FrameArrival {
  fileprivate let output: VideoOutput
  /// Host time at which it was due.
  fileprivate let due: HostTime
  /// Whether it is the one that was displayed before, only scaled again: not one more that was shown.
  fileprivate let isRescaled: Bool
  /// Whether the chrome has to tell of it.
  let changesChrome: Bool

  fileprivate func isOf(_ pane: Pane) -> Bool { output === pane.output }

  /// Counts it as shown. Called when it has been sent.
  func didPresent() {
    if !isRescaled { output.didShow(due: due, at: output.player.hostTime) }
  }
}

/// Frames of a pane: the one place where they are asked for and taken from the player.
extension Pane {
  /// Whether frames have been asked for.
  var wantsFrames: Bool { output.request != nil }

  /// Asks the player for frames that fill the pane's box, or for none when it is hidden.
  func requestFrames(blitter: Blitter, cellAspect: Double) {
    guard let cells = geometry?.box.size, !cells.isEmpty else {
      output.request = nil
      return display.didChangeRequest()
    }
    let pixelAspect = cellAspect * Double(blitter.blockHeight) / Double(blitter.blockWidth)
    let request = RenderRequest(
      box: blitter.pixelSize(ofCells: cells), pixelAspect: pixelAspect, gravity: gravity)
    if request != output.request { display.didChangeRequest() }
    output.request = request
  }

  /// Takes the frame that is due and puts it on display; nil when there is none.
  ///
  /// - Parameter mayBePartial: whether the terminal may get it in parts.
  func takeFrame(at now: HostTime, mayBePartial: Bool) -> FrameArrival? {
    // What comes on the way of a jump is not what it leads to.
    guard story?.player.isFrameHidden != true, let (frame, due) = output.copyFrame(at: now) else { return nil }
    let isStill = player.rate == 0
    let changesChrome = display.frame.map { isStill || $0.isApproximate != frame.isApproximate } ?? true
    let isRescaled = display.show(frame, mayBePartial && isStill ? .partial : .whole, at: now)
    _ = updateOverlay()
    return FrameArrival(output: output, due: due, isRescaled: isRescaled, changesChrome: changesChrome)
  }

  /// Whether the frame that is displayed is not about to be followed by another.
  private func rests(at now: HostTime) -> Bool {
    display.frame != nil && (player.rate == 0 || display.isStanding(at: now))
  }

  /// When the next frame is due, as host time; nil when none is.
  func nextFrameTime(after now: HostTime) -> HostTime? { output.nextFrameTime(after: now) }

  /// Whether the frame on the screen is the clip's, and not still that of the one before.
  var showsClip: Bool { display.frame != nil && player.displayedTiming != nil }

  /// What is known of the frame on the screen: the player learns its number when the clip has been indexed.
  var displayedTiming: FrameTiming? {
    guard let displayed = display.frame?.timing else { return nil }
    guard display.frame?.isApproximate == false, let known = player.displayedTiming, known.pts == displayed.pts
    else { return displayed }
    return known
  }

  /// What lies under the chrome now; nil while the pane is hidden.
  ///
  /// - Parameter arrivals: the frames that have been taken since the last update.
  func image(_ arrivals: [FrameArrival], isFocused: Bool, blitter: Blitter, at now: HostTime) -> PaneImage? {
    guard let geometry else { return nil }
    let thumbnails = thumbnails(blitter: blitter).map { $0.strip.layers($0.arrangement, blitter: blitter) } ?? []
    return PaneImage(
      id: ObjectIdentifier(self), body: geometry.body, layers: [layer(blitter: blitter)].compactMap { $0 } + thumbnails,
      motion: rests(at: now) ? .resting : display.frame == nil ? .none : .moving, isFocused: isFocused,
      isNew: arrivals.contains { $0.isOf(self) })
  }

  /// Where the displayed frame goes on the grid.
  func layer(blitter: Blitter) -> FrameLayer? {
    guard let geometry, let image = composedImage else { return nil }
    return display.layer(of: image, in: geometry.box, gravity: gravity, blitter: blitter)
  }

  // MARK: - Thumbnails

  /// Shows thumbnails for a second after a drag or the second of two seeks.
  ///
  /// - Parameter make: called the first time that they are shown.
  func didScrub(isDrag: Bool, at now: HostTime, make: () -> ThumbnailStrip) {
    preview.didScrub(isDrag: isDrag, at: now, isPossible: canHaveThumbnails, make: make)
  }

  /// Whether the clip can have thumbnails, and there is room for them.
  private var canHaveThumbnails: Bool {
    !player.isUntimed && videoTrack != nil && canBeReadAgain && length.isNumeric && length > .zero
      && geometry.map { ThumbnailStrip.fits($0.body.size) } ?? false
  }

  private func thumbnails(blitter: Blitter) -> (strip: ThumbnailStrip, arrangement: ThumbnailStrip.Arrangement)? {
    guard let strip = preview.shownStrip, display.frame != nil, let body = geometry?.body else { return nil }
    let place = ThumbnailStrip.Place(
      body: body, track: bar?.row.track ?? body, fraction: player.currentTime().seconds / length.seconds)
    return strip.arrangement(in: place, blitter: blitter).map { (strip, $0) }
  }

  /// The cells that thumbnails cover; nil while they are hidden.
  func thumbnailRect(blitter: Blitter) -> CellRect? { thumbnails(blitter: blitter)?.arrangement.rect }
}
