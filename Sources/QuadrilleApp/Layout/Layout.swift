import CellGraphics

/// How panes are arranged.
public enum LayoutStyle: String, CaseIterable, Hashable, Sendable {
  /// Whatever gives the frames most area.
  case auto
  /// Side by side.
  case row
  /// One below the other.
  case column
  /// Two by two.
  case grid
}

/// Divides the screen among panes: a pure function of sizes and shapes.
public struct Layout: Sendable {
  /// Cells between panes side by side.
  static let gap = 1
  /// The least that a pane needs to show a frame with its title and bar.
  public static let minPaneSize = CellSize(width: 8, height: 4)
  /// Part of the largest frame's area that the smallest should have.
  private static let fairShare = 0.4
  /// Shapes that differ by less than this part count as one: clips of one shape get boxes of one size.
  private static let shapeTolerance = 0.01
  /// Columns by which panes of one row differ where the screen cannot be divided evenly.
  private static let maxRemainder = 2

  /// Where panes go, with boxes of one size for clips of one shape.
  ///
  /// - Parameters:
  ///   - aspects: shapes of the frames as seen, width over height.
  ///   - area: the cells at hand.
  ///   - cellAspect: width over height of a cell.
  ///   - chrome: the rows of a pane that are not its frame's.
  /// - Returns: one geometry a pane, in order; empty when the area is too small for all of them.
  public static func panes(
    aspects: [Double], area: CellRect, cellAspect: Double, style: LayoutStyle, chrome: PaneChrome = .full
  ) -> [PaneGeometry] {
    let shapes = aspects.map { ($0.isFinite && $0 > 0 ? min(max($0, 0.05), 20) : 16.0 / 9) / cellAspect }
    let solver = LayoutSolver(shapes: shapes, chromeRows: chrome.rows, gap: gap)
    var best: (panes: [PaneGeometry], score: Double)?
    for plan in LayoutPlan.all(shapes: shapes, style: style) {
      for isJustified in [false, true] {
        let rects = solver.rects(plan, in: area, isJustified: isJustified)
        guard rects.allSatisfy({ $0.width >= minPaneSize.width && $0.height >= minPaneSize.height }) else { continue }
        let panes = equalized(rects.map { PaneGeometry(rect: $0, chrome: chrome) }, shapes)
        let areas = zip(panes, shapes).map { shownArea($0.box.size, $1) }
        guard let least = areas.min(), let most = areas.max(), most > 0 else { continue }
        // Panes are there to be compared: dwarfs beside a giant are no gain, whatever the sum.
        let fairness = min(1, least / most / fairShare)
        let score = areas.reduce(0, +) * fairness * plan.calmness * (isJustified ? 0.95 : 1)
        if score > best?.score ?? 0 { best = (panes, score) }
      }
    }
    return best?.panes ?? []
  }

  /// Gives clips of one shape boxes of one size, so that equal frames look equal to the pixel.
  private static func equalized(_ panes: [PaneGeometry], _ shapes: [Double]) -> [PaneGeometry] {
    zip(panes, shapes).map { pane, shape in
      let alike = zip(panes, shapes).filter { abs($0.1 / shape - 1) < shapeTolerance }.map(\.0.box)
      // There is at least this pane itself.
      let width = alike.map(\.width).min() ?? pane.box.width
      let height = alike.map(\.height).min() ?? pane.box.height
      // What a division leaves over makes no difference either.
      let room = panes.map(\.bar.width).filter { abs($0 - pane.bar.width) <= maxRemainder }.min() ?? pane.bar.width
      return pane.withBox(CellSize(width: width, height: height), fieldRoom: room)
    }
  }

  /// The cells of a box that a frame of a shape covers when it is fitted in.
  private static func shownArea(_ box: CellSize, _ shape: Double) -> Double {
    let width = Double(box.width), height = Double(box.height)
    guard width > 0, height > 0 else { return 0 }
    return width / height > shape ? height * shape * height : width * width / shape
  }
}
