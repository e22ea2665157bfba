import CellGraphics
import Terminal

/// User-adjustable division of the screen among panes: a value without panes.
struct ScreenLayout: Equatable, Sendable {
  var style: LayoutStyle
  /// True if titles, bars and the status row are shown.
  var showsChrome = true
  /// True if the focused pane fills the screen.
  var isZoomed = false

  /// Input of the layout.
  struct Space {
    var columns: Int
    var rows: Int
    /// Aspect ratio of a cell.
    var cellAspect: Double
    /// Aspect ratios of all panes' displayed frames.
    var aspects: [Double]
    /// Index of the focused pane.
    var focus: Int
    /// Indices of panes whose frames fill all the space there is.
    var filling: Set<Int> = []
  }

  /// Result of the layout.
  struct Result: Equatable {
    /// One geometry per pane; nil for hidden panes.
    var geometries: [PaneGeometry?]
    /// True if the lowest row of the screen is the status row.
    var hasStatusRow: Bool
    /// The message if no pane is visible.
    var placeholder: TerminalText?
  }

  init(style: LayoutStyle) { self.style = style }

  func result(in space: Space) -> Result {
    let all = Array(space.aspects.indices)
    let focused = all.filter { $0 == space.focus }
    var shown = isZoomed ? focused : all
    var geometries = geometries(of: shown, in: space)
    if geometries.isEmpty, shown.count > 1, !focused.isEmpty {
      // Room for one pane only.
      shown = focused
      geometries = self.geometries(of: shown, in: space)
    }
    var result = Result(geometries: all.map { _ in nil }, hasStatusRow: hasStatusRow(paneCount: shown.count))
    for (index, geometry) in zip(shown, geometries) { result.geometries[index] = geometry }
    result.placeholder =
      all.isEmpty ? "No clip. o opens one, q quits." : geometries.isEmpty ? "window too small" : nil
    return result
  }

  /// Geometries of these panes. A single clip has a single row of chrome.
  private func geometries(of shown: [Int], in space: Space) -> [PaneGeometry] {
    let statusRows = hasStatusRow(paneCount: shown.count) && space.rows > 1 ? 1 : 0
    return Layout.panes(
      aspects: shown.map { space.aspects[$0] },
      area: CellRect(x: 0, y: 0, width: space.columns, height: space.rows - statusRows), cellAspect: space.cellAspect,
      style: shown.count == 1 ? .auto : style,
      chrome: !showsChrome ? .none : space.aspects.count == 1 ? .bar : .full,
      filling: Set(shown.indices.filter { space.filling.contains(shown[$0]) }))
  }

  /// The status row is only useful with several panes.
  private func hasStatusRow(paneCount: Int) -> Bool { showsChrome && paneCount != 1 }
}
