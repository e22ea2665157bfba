import CellGraphics

/// What panes have to know of the screen to fill it: a value without a terminal.
struct ScreenMetrics {
  var columns: Int
  var rows: Int
  /// Width over height of a cell.
  var cellAspect: Double
  var blitter: Blitter
  var colorDepth: ColorDepth
  /// What the help says, which takes a number of pages.
  var help: HelpText

  var helpPageCount: Int { HelpPanel(help, columns: columns, rows: rows).pageCount }
}
