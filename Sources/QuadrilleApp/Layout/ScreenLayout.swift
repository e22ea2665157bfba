import CellGraphics
import Terminal

/// How the screen is divided among panes, as keys change it: a value without panes.
struct ScreenLayout: Equatable, Sendable {
  var style: LayoutStyle
  /// Whether titles, bars and the status row are shown, or frames alone.
  var showsChrome = true
  /// Whether the focused pane has the screen to itself.
  var isZoomed = false

  /// What panes are to be laid out, and where.
  struct Space {
    var columns: Int
    var rows: Int
    /// Width over height of a cell.
    var cellAspect: Double
    /// Shapes of all panes' frames as seen, width over height.
    var aspects: [Double]
    /// Index of the focused pane.
    var focus: Int
  }

  /// Where everything goes.
  struct Result: Equatable {
    /// One for each pane; nil for those that are hidden.
    var geometries: [PaneGeometry?]
    /// Whether the lowest row of the screen is no pane's.
    var hasStatusRow: Bool
    /// What is said where no pane is shown.
    var placeholder: TerminalText?
  }

  init(style: LayoutStyle) { self.style = style }

  func result(in space: Space) -> Result {
    let all = Array(space.aspects.indices)
    let focused = all.filter { $0 == space.focus }
    var shown = isZoomed ? focused : all
    var geometries = geometries(of: shown, in: space)
    if geometries.isEmpty, shown.count > 1, !focused.isEmpty {
      // Room for one only.
      shown = focused
      geometries = self.geometries(of: shown, in: space)
    }
    var result = Result(geometries: all.map { _ in nil }, hasStatusRow: hasStatusRow(paneCount: shown.count))
    for (index, geometry) in zip(shown, geometries) { result.geometries[index] = geometry }
    result.placeholder =
      all.isEmpty ? "No clip. o opens one, q quits." : geometries.isEmpty ? "window too small" : nil
    return result
  }

  /// Where these panes go. Where there is but one clip, it has a single row of chrome.
  private func geometries(of shown: [Int], in space: Space) -> [PaneGeometry] {
    let statusRows = hasStatusRow(paneCount: shown.count) && space.rows > 1 ? 1 : 0
    return Layout.panes(
      aspects: shown.map { space.aspects[$0] },
      area: CellRect(x: 0, y: 0, width: space.columns, height: space.rows - statusRows), cellAspect: space.cellAspect,
      style: shown.count == 1 ? .auto : style,
      chrome: !showsChrome ? .none : space.aspects.count == 1 ? .bar : .full)
  }

  /// What the status row says is about several panes.
  private func hasStatusRow(paneCount: Int) -> Bool { showsChrome && paneCount != 1 }
}
