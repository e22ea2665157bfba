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
    if let geometry, let frame = layer?.imageCells(blitter).intersection(geometry.body), !frame.isEmpty {
      // An error notice is in the middle.
      let notice = notice.flatMap { $0.isError ? nil : $0.lines(in: geometry.body, above: coveredRows).count } ?? 0
      let free = min(thumbnailRect(blitter: blitter)?.y ?? .max, geometry.body.maxY - coveredRows - notice)
      let covered = max(0, frame.maxY - free)
      layout = SubtitleLayout(frame: frame, pane: geometry.rect, reserved: covered)
    }
    let hasTextChanged = subtitles.show(at: subtitleTime, layout) { cells in
      depth >= .palette256 ? layer?.meanColor(in: cells, blitter: blitter) : nil
    }
    return haveImagesChanged || hasTextChanged || said != nil
  }

  /// Updates the image subtitles for the displayed frame. Returns true if they changed.
  func updateOverlay() -> Bool { subtitles.showImages(at: subtitleTime) }

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
