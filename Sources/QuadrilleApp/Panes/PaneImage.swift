import CellGraphics

/// The image of a pane under the chrome at one moment: the frame with image subtitles, and thumbnails.
///
/// A value without a player, like `PaneModel`.
struct PaneImage: Sendable {
  enum Motion: Sendable {
    /// No frame yet.
    case none
    /// Another frame is about to follow.
    case moving
    /// The frame is still and gets full detail.
    case resting
  }

  /// The pane's identifier.
  let id: ObjectIdentifier
  /// The cells between title and bar.
  var body: CellRect
  /// Layers from bottom to top; the frame first.
  var layers: [FrameLayer]
  var motion: Motion
  var isFocused: Bool
  /// True if the frame has arrived since the last update.
  var isNew: Bool

  /// The cells covered by the frame; the whole body if there is none.
  func frameCells(_ blitter: Blitter) -> CellRect { layers.first?.imageCells(blitter) ?? body }
}
