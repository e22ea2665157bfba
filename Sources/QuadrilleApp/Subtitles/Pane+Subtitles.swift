import CellGraphics
import Pixels
import Playback
import Terminal

/// The subtitles of the displayed frame.
extension Pane {
  /// Selects the next subtitles; see `PaneSubtitles.chooseNext`.
  func chooseNextSubtitles() -> TerminalText { unknownTracks ?? subtitles.chooseNext() }

  /// Changes the subtitle delay; see `PaneSubtitles.changeDelay`.
  func changeSubtitleDelay(by seconds: Double) -> TerminalText { unknownTracks ?? subtitles.changeDelay(by: seconds) }

  /// Updates the text cues for the displayed frame. Returns true if the display changes.
  ///
  /// - Parameter coveredRows: Covered rows at the bottom of the pane's body.
  func updateSubtitles(blitter: Blitter, depth: ColorDepth, coveredRows: Int = 0, at now: HostTime) -> Bool {
    let haveImagesChanged = updateOverlay()
    let layer = layer(blitter: blitter)
    let said = subtitles.reportSize(at: now)
    if let said { notice = said }
    var layout: SubtitleLayout?
    var hasMoved = false
    if let geometry, let frame = layer?.imageCells(blitter).intersection(geometry.body), !frame.isEmpty {
      // An error notice is in the middle.
      let notice = notice.flatMap { $0.isError ? nil : $0.lines(in: geometry.body, above: coveredRows).count } ?? 0
      let free = min(thumbnailRect(blitter: blitter)?.y ?? .max, geometry.body.maxY - coveredRows - notice)
      let covered = max(0, frame.maxY - free)
      layout = SubtitleLayout(frame: frame, pane: geometry.rect, reserved: covered)
      if subtitles.typeset.coveredRows != covered {
        subtitles.typeset.coveredRows = covered
        hasMoved = updateText()
      }
    }
    let hasTextChanged = subtitles.show(at: subtitleTime, layout) { cells in
      depth >= .palette256 ? layer?.meanColor(in: cells, blitter: blitter) : nil
    }
    return haveImagesChanged || hasMoved || hasTextChanged || said != nil
  }

  /// Updates what is drawn into the displayed frame. Returns true if it changed.
  func updateOverlay() -> Bool {
    let haveImagesChanged = subtitles.showImages(at: subtitleTime), hasTextChanged = updateText()
    return haveImagesChanged || hasTextChanged
  }

  private func updateText() -> Bool {
    // A frame has the same text however it was reached.
    let timing = view.comparison == nil ? displayedTiming : nil
    let time = timing.map { SubtitleDisplay.time(displaying: $0, at: player.currentTime(), isResting: true) }
    return subtitles.showText(at: time, typesetLayout, step: player.rate == 0 ? nil : timing?.duration)
  }

  /// The displayed frame as text is drawn over it; nil if it is not in pixels, or magnified: then text stays in cells.
  private var typesetLayout: TypesetLayout? {
    guard let cell = view.cellPixels, view.magnification.factor == nil, let frame = display.frame else { return nil }
    let request = frame.request
    // A frame that was made for cells has one or two pixels in each; another one will follow.
    let rows = geometry?.box.height ?? 0
    guard request.shapes == nil, request == currentRequest || request.box.height > 4 * rows else { return nil }
    let geometry = FrameGeometry(
      aspect: aspect, region: request.region, box: request.box, pixelAspect: request.pixelAspect, gravity: request.gravity)
    let size = frame.image.size
    return TypesetLayout(
      image: size, visible: geometry.visible, aspect: aspect, pixelAspect: request.pixelAspect, coded: frameSize,
      cellHeight: cell.height, covered: min(subtitles.typeset.coveredRows * cell.height, size.height * 3 / 4))
  }

  /// The displayed frame with images over it.
  var composedImage: PixelImage? {
    display.frame.map { subtitles.image(over: $0, aspect: aspect, coded: videoTrack?.codedSize ?? .init(width: 0, height: 0)) }
  }

  /// The time of the displayed cues.
  private var subtitleTime: MediaTime? {
    // They would cover what is compared.
    guard view.comparison == nil else { return nil }
    return displayedTiming.map { SubtitleDisplay.time(displaying: $0, at: player.currentTime(), isResting: player.rate == 0) }
  }

  /// Host time at which other subtitles are due, even without a new frame; nil if unknown.
  func nextSubtitleTime(after now: HostTime) -> HostTime? {
    subtitles.nextTime(after: now, seen: subtitleTime, present: player.currentTime(), rate: player.rate)
  }
}
