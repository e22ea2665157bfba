import CellGraphics
import Pixels
import Playback

/// Screen properties that panes need: a value without a terminal.
struct ScreenMetrics {
  var columns: Int
  var rows: Int
  /// Aspect ratio of a cell.
  var cellAspect: Double
  var blitter: Blitter
  /// The shapes of cells that frames are fitted to; nil to draw them as everything else.
  var shapes: CellShapes?
  /// The pixels of a cell, if frames are sent in pixels.
  var cellPixels: PixelSize?
  var colorDepth: ColorDepth
  /// The help text, which determines the number of pages.
  var help: HelpText

  var helpPageCount: Int { HelpPanel(help, columns: columns, rows: rows).pageCount }
}
