import Playback

/// A pane's lowest row: the places of its parts and the form of the time.
struct PaneBar: Equatable, Sendable {
  let field: TimeField
  let row: BarRow

  /// - Returns: nil if the pane is hidden or has no such row.
  init?(_ geometry: PaneGeometry?, length: MediaTime, frameCount: Int?) {
    guard let geometry, !geometry.bar.isEmpty else { return nil }
    let width = geometry.bar.width
    field = TimeField(duration: length, frameCount: frameCount, width: geometry.fieldRoom)
    let label = geometry.title.isEmpty && width >= 40 ? min(32, width * 3 / 10) : 0
    row = BarRow(geometry.bar, fieldColumns: field.columns, labelColumns: label)
  }
}
