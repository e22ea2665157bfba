import CellGraphics
import Playback
import Terminal

/// What is drawn about a pane that is compared frame by frame: a value without a player.
struct MeasurementModel: Equatable, Sendable {
  /// The share of the alignment that is done, 0…1; nil if it is not underway.
  var progress: Double?
  /// Times of the events.
  var events: [MediaTime] = []
  /// True if the frame shown is not that of the other clip, which has no partner here.
  var lacksPartner = false
}

extension Workspace {
  func measurementModel(of pane: Pane) -> MeasurementModel {
    MeasurementModel(
      progress: measuring.progress(of: pane), events: pane.view.measurement?.events.map(\.time) ?? [], lacksPartner: lacksPartner(pane))
  }
}

extension ChromePainter {
  /// Says over the frame that it is not the one that belongs to the others.
  func drawAbsence(_ pane: PaneModel, _ box: CellRect) {
    let text: TerminalText = " no matching frame "
    guard pane.inspected.measurement.lacksPartner, pane.error == nil, box.width >= text.columns, box.height > 0 else { return }
    base.put(text, row: box.y + box.height / 2, column: box.x + (box.width - text.columns) / 2, style: theme.notice)
  }
}
