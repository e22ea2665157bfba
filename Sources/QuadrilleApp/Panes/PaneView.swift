import Pixels
import Playback

/// The way in which a pane shows its frames.
struct PaneView {
  var gravity: Gravity
  var magnification = Magnification()
  /// The part of coded frames that is shown.
  var look = FrameLook()
  /// The shapes of cells that frames are fitted to; nil for two pixels in each cell.
  var shapes: CellShapes?
  /// The pixels of a cell, if frames are sent in pixels.
  var cellPixels: PixelSize?
  /// Width divided by height of a cell.
  var cellAspect = 0.5
  /// The frame and the box for it; nil while the pane is hidden.
  var stage: MagnificationStage?
  /// Host time at which the map of the visible part disappears; nil while it is hidden.
  var minimapUntil: HostTime?
  /// A measurement in a corner; nil for none.
  var scope: PaneScope?
  /// The results of comparing the clip frame by frame; nil if it was not compared.
  var measurement: PaneMeasurement?
  /// The clip compared with this one; nil if it is shown alone.
  var comparison: Comparison?
}
