import CellGraphics

/// What of a pane lies under the chrome, as it is at one moment: the frame with images of subtitles, and thumbnails.
///
/// A value without a player, as `PaneModel` is.
struct PaneImage: Sendable {
  enum Motion: Sendable {
    /// There is no frame yet.
    case none
    /// Another frame is about to follow.
    case moving
    /// The frame stands, and is looked at closely.
    case resting
  }

  /// Which pane it is of.
  let id: ObjectIdentifier
  /// The cells between title and bar.
  var body: CellRect
  /// What is painted, each over those before; the frame first.
  var layers: [FrameLayer]
  var motion: Motion
  var isFocused: Bool
  /// Whether the frame has come since the last update.
  var isNew: Bool

  /// The cells that the frame covers; all of the body while there is none.
  func frameCells(_ blitter: Blitter) -> CellRect { layers.first?.imageCells(blitter) ?? body }
}
