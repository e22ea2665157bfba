import CellGraphics
import Playback
import Terminal

/// A frame taken from the player for display.
struct FrameArrival {
  fileprivate let pane: PaneIdentifier
  fileprivate let source: Source
  /// True if it is the previous frame in another size, which does not count as displayed again.
  fileprivate let isRescaled: Bool
  /// True if the chrome must be redrawn for it.
  let changesChrome: Bool

  /// The origin of a frame.
  fileprivate enum Source {
    /// - Parameter due: Host time at which it was due.
    case output(VideoOutput, due: HostTime)
    /// - Parameter new: The pair that has arrived for it; nil if an earlier one is shown in another way.
    case pair(PairedOutput, new: FramePair?)
    /// Only a measurement has arrived.
    case scope
  }

  fileprivate func isOf(_ pane: Pane) -> Bool { self.pane == ObjectIdentifier(pane) }

  /// Counts it as displayed. Called when it has been sent.
  func didPresent() {
    guard !isRescaled else { return }
    switch source {
    case .output(let output, let due): output.didShow(due: due, at: output.player.hostTime)
    case .scope: break
    // Those of the reference count in its own pane.
    case .pair(let output, let new): if let new { output.second.didShow(due: new.due, at: output.second.player.hostTime) }
    }
  }
}

/// Frames of a pane: the only place that requests and takes them from the player.
extension Pane {
  /// True if frames have been requested.
  var wantsFrames: Bool { currentRequest != nil }

  /// The request for frames; nil while the pane is hidden.
  var currentRequest: RenderRequest? { view.comparison == nil ? output.request : view.comparison?.request }

  /// The gravity of frames in the box: those that fit it except for rounding fill it.
  private var placement: Gravity { view.gravity == .resizeAspect && geometry?.isFilled == true ? .resize : view.gravity }

  /// Requests frames that fill the pane's box, or none if it is hidden.
  func requestFrames(_ metrics: ScreenMetrics) {
    (view.shapes, view.cellPixels, view.cellAspect) = (metrics.shapes, metrics.cellPixels, metrics.cellAspect)
    view.stage = stage(for: view.magnification, blitter: metrics.blitter)
    guard view.stage != nil else {
      output.request = nil
      view.comparison?.request = nil
      view.scope?.request(nil, in: nil, pixelAspect: 1, blitter: metrics.blitter)
      return display.didChangeRequest()
    }
    requestFrames(blitter: metrics.blitter)
  }

  /// The blitter for frames.
  ///
  /// - Parameter blitter: That of the screen.
  func frameBlitter(_ blitter: Blitter) -> Blitter { frameBlitter(blitter, for: view.magnification) }

  private func frameBlitter(_ blitter: Blitter, for magnification: Magnification) -> Blitter {
    if let size = view.cellPixels { return .pixels(size) }
    // At 1:1 and above, each of a cell's pixels is one of the clip.
    guard let shapes = view.shapes, blitter.glyphSet == .unicode, magnification.factor == nil else { return blitter }
    return .fitted(shapes)
  }

  private func pixelAspect(_ blitter: Blitter) -> Double {
    view.cellAspect * Double(blitter.blockHeight) / Double(blitter.blockWidth)
  }

  /// The frame and the box for it at a magnification; nil if the pane is hidden.
  func stage(for magnification: Magnification, blitter: Blitter) -> MagnificationStage? {
    guard let cells = geometry?.box.size, !cells.isEmpty else { return nil }
    let shape = view.comparison?.reference ?? self
    let blitter = frameBlitter(blitter, for: magnification)
    return MagnificationStage(
      frame: shape.frameSize, aspect: shape.aspect, box: blitter.pixelSize(ofCells: cells), pixelAspect: pixelAspect(blitter),
      gravity: placement)
  }

  /// Requests the visible part of frames.
  private func requestFrames(blitter: Blitter) {
    guard let stage = view.stage else { return }
    var request = stage.request(view.magnification)
    (request.plane, request.fields) = (view.look.plane, view.look.fields)
    view.scope?.request(stage.visiblePart(view.magnification), in: geometry?.body, pixelAspect: pixelAspect(blitter), blitter: blitter)
    let former = currentRequest
    // Images of two clips are combined before cells are fitted.
    if view.comparison == nil { request.shapes = frameBlitter(blitter).shapes }
    if let comparison = view.comparison {
      output.request = nil
      comparison.request(request, aspect: stage.aspect)
    } else {
      output.request = request
    }
    if currentRequest != former { display.didChangeRequest() }
  }

  /// Takes the frame that is due and displays it; nil if there is none.
  ///
  /// - Parameter mayBePartial: True if the terminal may receive it in parts.
  func takeFrame(at now: HostTime, mayBePartial: Bool) -> FrameArrival? {
    // A frame shown during a jump is not its destination.
    let hasScope = view.scope?.take(at: now) ?? false
    guard story?.player.isFrameHidden != true, let (frame, source) = newFrame(at: now) else {
      return hasScope ? FrameArrival(pane: ObjectIdentifier(self), source: .scope, isRescaled: true, changesChrome: false) : nil
    }
    let isStill = player.rate == 0
    let changesChrome = display.frame.map { isStill || $0.isApproximate != frame.isApproximate } ?? true
    let isRescaled = display.show(frame, mayBePartial && isStill ? .partial : .whole, at: now)
    _ = updateOverlay()
    return FrameArrival(pane: ObjectIdentifier(self), source: source, isRescaled: isRescaled, changesChrome: changesChrome)
  }

  private func newFrame(at now: HostTime) -> (RenderedFrame, FrameArrival.Source)? {
    guard let comparison = view.comparison else { return output.copyFrame(at: now).map { ($0.frame, .output(output, due: $0.due)) } }
    return comparison.takeFrame(at: now).map { ($0.frame, .pair(comparison.output, new: $0.new)) }
  }

  /// True if the displayed frame is not about to be replaced.
  private func rests(at now: HostTime) -> Bool {
    display.frame != nil && (player.rate == 0 || display.isStanding(at: now))
  }

  /// Host time at which the next frame is due; nil if none is.
  func nextFrameTime(after now: HostTime) -> HostTime? {
    guard let comparison = view.comparison else { return output.nextFrameTime(after: now) }
    return comparison.nextFrameTime(after: now)
  }

  /// True if the displayed frame belongs to the current clip.
  var showsClip: Bool { display.frame != nil && player.displayedTiming != nil }

  /// Timing of the displayed frame, with the number that indexing has determined since.
  var displayedTiming: FrameTiming? { shownTiming(player.displayedTiming) }

  /// Timing of the displayed frame.
  ///
  /// - Parameter known: Timing of the player's frame, with the number that indexing has determined since.
  func shownTiming(_ known: FrameTiming?) -> FrameTiming? {
    guard let displayed = display.frame?.timing else { return nil }
    guard display.frame?.isApproximate == false, let known, known.pts == displayed.pts else { return displayed }
    return known
  }

  /// The image under the chrome; nil if the pane is hidden.
  ///
  /// - Parameter arrivals: Frames taken since the last update.
  func image(_ arrivals: [FrameArrival], isFocused: Bool, blitter: Blitter, at now: HostTime) -> PaneImage? {
    guard let geometry else { return nil }
    let thumbnails = thumbnails(blitter: blitter).map { $0.strip.layers($0.arrangement, blitter: blitter) } ?? []
    return PaneImage(
      id: ObjectIdentifier(self), body: geometry.body, layers: [layer(blitter: blitter), view.scope?.layer(), minimap(blitter: blitter)].compactMap { $0 } + thumbnails,
      motion: rests(at: now) ? .resting : display.frame == nil ? .none : .moving, isFocused: isFocused,
      isNew: arrivals.contains { $0.isOf(self) })
  }

  /// The placement of the displayed frame on the grid.
  func layer(blitter: Blitter) -> FrameLayer? {
    guard let geometry, let image = composedImage else { return nil }
    let own = frameBlitter(blitter)
    var layer = display.layer(of: image, in: geometry.box, gravity: placement, blitter: own, current: currentRequest)
    if own.shapes != nil || own.isPixels { layer?.blitter = own }
    return layer
  }

  // MARK: - Magnification

  /// Shows another part of frames, or another scale.
  func magnify(_ magnification: Magnification, blitter: Blitter, at now: HostTime) {
    view.stage = stage(for: magnification, blitter: blitter)
    self.view.magnification = view.stage?.centered(magnification) ?? magnification
    if view.stage?.canPan(self.view.magnification) == true { view.minimapUntil = now + Minimap.linger }
    requestFrames(blitter: blitter)
  }

  /// The scale, for the title; nil if the whole frame is shown.
  var magnificationLabel: TerminalText? { view.stage?.label(view.magnification) }

  /// The point of the frame at the centre of a cell, and its place in the visible part; nil outside the frame.
  func point(column: Int, row: Int, blitter: Blitter) -> (frame: Magnification.Point, part: Magnification.Point)? {
    guard let stage = view.stage, let layer = layer(blitter: blitter), layer.cells.contains(x: column, y: row) else { return nil }
    let blitter = frameBlitter(blitter)
    func fraction(_ cell: Int, _ block: Int, _ start: Int, _ length: Int) -> Double {
      (Double(cell * block - start) + Double(block) / 2) / Double(max(1, length))
    }
    let rect = layer.imageRect
    let place = Magnification.Point(
      x: fraction(column - layer.cells.x, blitter.blockWidth, rect.x, rect.width),
      y: fraction(row - layer.cells.y, blitter.blockHeight, rect.y, rect.height))
    guard (0..<1).contains(place.x), (0..<1).contains(place.y) else { return nil }
    let part = stage.visiblePart(view.magnification)
    return (.init(x: part.x + place.x * part.width, y: part.y + place.y * part.height), place)
  }

  /// The map of the visible part; nil while it is hidden.
  private func minimap(blitter: Blitter) -> FrameLayer? {
    guard view.minimapUntil != nil, let stage = view.stage, let box = geometry?.box else { return nil }
    return Minimap(aspect: stage.aspect, part: stage.visiblePart(view.magnification)).layer(in: box, pixelAspect(blitter), blitter: blitter)
  }

  /// Hides the map when its time is over. Returns true if it did.
  func expireMinimap(at now: HostTime) -> Bool {
    guard let until = view.minimapUntil, now >= until else { return false }
    view.minimapUntil = nil
    return true
  }

  // MARK: - Thumbnails

  /// Shows thumbnails for a second after a drag or the second of two seeks.
  ///
  /// - Parameter make: Called the first time they are shown.
  func didScrub(isDrag: Bool, at now: HostTime, make: () -> ThumbnailStrip) {
    preview.didScrub(isDrag: isDrag, at: now, isPossible: canHaveThumbnails, make: make)
  }

  /// True if the clip can have thumbnails and there is room for them.
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

  /// The cells covered by thumbnails; nil if hidden.
  func thumbnailRect(blitter: Blitter) -> CellRect? { thumbnails(blitter: blitter)?.arrangement.rect }
}
