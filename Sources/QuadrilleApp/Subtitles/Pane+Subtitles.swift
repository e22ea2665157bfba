import CellGraphics
import Pixels
import Playback
import Terminal

/// The subtitles of the frame that a pane shows.
extension Pane {
  /// Chooses the next subtitles; see `PaneSubtitles.chooseNext`.
  func chooseNextSubtitles() -> TerminalText { unknownTracks ?? subtitles.chooseNext() }

  /// Lets subtitles come later; see `PaneSubtitles.changeDelay`.
  func changeSubtitleDelay(by seconds: Double) -> TerminalText { unknownTracks ?? subtitles.changeDelay(by: seconds) }

  /// Looks which cues belong to the frame on the screen. Returns whether anything looks different.
  ///
  /// - Parameter coveredRows: of the pane's body, from below.
  func updateSubtitles(blitter: Blitter, depth: ColorDepth, coveredRows: Int = 0, at now: HostTime) -> Bool {
    let haveImagesChanged = updateOverlay()
    let layer = layer(blitter: blitter)
    let said = subtitles.reportSize(at: now)
    if let said { notice = said }
    var layout: SubtitleLayout?
    if let geometry, let frame = layer?.imageCells(blitter).intersection(geometry.body), !frame.isEmpty {
      // A notice of an error lies in the middle.
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

  /// Looks which images belong to the frame on the screen. Returns whether these are others.
  func updateOverlay() -> Bool { subtitles.showImages(at: subtitleTime) }

  /// The frame on the screen with images over it.
  var composedImage: PixelImage? {
    display.frame.map { subtitles.image(over: $0, aspect: aspect, coded: videoTrack?.codedSize ?? .init(width: 0, height: 0)) }
  }

  /// The time whose cues are seen.
  private var subtitleTime: MediaTime? {
    displayedTiming.map { SubtitleDisplay.time(displaying: $0, at: player.currentTime(), isResting: player.rate == 0) }
  }

  /// When other subtitles are to be seen, as host time, though no frame may come; nil when that is not known.
  func nextSubtitleTime(after now: HostTime) -> HostTime? {
    subtitles.nextTime(after: now, seen: subtitleTime, present: player.currentTime(), rate: player.rate)
  }
}
