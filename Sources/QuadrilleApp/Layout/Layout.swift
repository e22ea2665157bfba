import CellGraphics

/// Arrangement of panes.
public enum LayoutStyle: String, CaseIterable, Hashable, Sendable {
  /// The arrangement that gives frames the largest area.
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
  /// Minimum size of a pane that shows a frame with title and bar.
  public static let minPaneSize = CellSize(width: 8, height: 4)
  /// Minimum area of the smallest frame, as a fraction of the largest.
  private static let fairShare = 0.4
  /// Fraction of the area between title and bar that each frame should cover.
  private static let fairCover = 0.5
  /// Steps from equal sizes of parts to the sizes that frames fill.
  private static let justifications = [0, 0.25, 0.5, 0.75, 1]
  /// Relative difference below which shapes count as equal: clips of equal shape get boxes of equal size.
  private static let shapeTolerance = 0.01
  /// Columns by which panes of one row may differ if the screen does not divide evenly.
  private static let maxRemainder = 2

  /// Geometries of panes, with equal boxes for clips of equal shape.
  ///
  /// - Parameters:
  ///   - aspects: Aspect ratios of the displayed frames.
  ///   - area: The available cells.
  ///   - cellAspect: Aspect ratio of a cell.
  ///   - chrome: Rows of a pane besides its frame.
  ///   - filling: Indices of panes whose frames fill all the space there is, whatever their shapes.
  /// - Returns: One geometry per pane, in order; empty if the area is too small for all of them.
  public static func panes(
    aspects: [Double], area: CellRect, cellAspect: Double, style: LayoutStyle, chrome: PaneChrome = .full,
    filling: Set<Int> = []
  ) -> [PaneGeometry] {
    let shapes = aspects.map { ($0.isFinite && $0 > 0 ? min(max($0, 0.05), 20) : 16.0 / 9) / cellAspect }
    let solver = LayoutSolver(shapes: shapes, chromeRows: chrome.rows, gap: gap)
    var best: (panes: [PaneGeometry], score: Double)?
    for plan in LayoutPlan.all(shapes: shapes, style: style) {
      for justification in justifications {
        let rects = solver.rects(plan, in: area, justification: justification)
        guard rects.allSatisfy({ $0.width >= minPaneSize.width && $0.height >= minPaneSize.height }) else { continue }
        let panes = equalized(rects.map { PaneGeometry(rect: $0, chrome: chrome) }, shapes, filling)
        let areas = zip(panes, shapes).map { shownArea($0.box.size, $1) }
        guard let least = areas.min(), let most = areas.max(), most > 0 else { continue }
        // Panes are there to be compared, so a tiny pane next to a huge one is no gain, whatever the total area.
        let fairness = min(1, least / most / fairShare)
        // Nor is a frame in the middle of a black pane.
        let covers = zip(panes, areas).map { pane, area in area / Double(max(1, pane.body.width * pane.body.height)) }
        let cover = min(1, (covers.min() ?? 1) / fairCover)
        let score = areas.reduce(0, +) * fairness * cover * plan.calmness * (1 - 0.05 * justification)
        if score > best?.score ?? 0 { best = (panes, score) }
      }
    }
    return best?.panes ?? []
  }

  /// Gives clips of equal shape boxes of equal size, so that equal frames look equal to the pixel.
  private static func equalized(_ panes: [PaneGeometry], _ shapes: [Double], _ filling: Set<Int>) -> [PaneGeometry] {
    let groups = groups(of: shapes)
    return panes.indices.map { index in
      let pane = panes[index]
      // Remainders of the division make no difference.
      let room = panes.map(\.bar.width).filter { abs($0 - pane.bar.width) <= maxRemainder }.min() ?? pane.bar.width
      if filling.contains(index) { return pane.withBox(pane.body.size, fieldRoom: room) }
      let alike = panes.indices.filter { groups[$0] == groups[index] }
      // There is at least this pane.
      let width = alike.map { panes[$0].box.width }.min() ?? pane.box.width
      let height = alike.map { panes[$0].box.height }.min() ?? pane.box.height
      let shape = shapes[groups[index]]
      guard alike.contains(where: { shapes[$0] != shape }) else {
        return pane.withBox(CellSize(width: width, height: height), fieldRoom: room)
      }
      // Fitted one by one, frames of nearly equal shape would differ by a pixel.
      let (fullWidth, fullHeight) = (Double(height) * shape, Double(width) / shape)
      let common =
        fullWidth < Double(width)
        ? CellSize(width: max(1, Int(fullWidth.rounded())), height: height)
        : CellSize(width: width, height: max(1, Int(fullHeight.rounded())))
      return pane.withBox(common, fieldRoom: room, isFilled: true)
    }
  }

  /// For each shape, the index of the first one that counts as equal.
  private static func groups(of shapes: [Double]) -> [Int] {
    var first: [Int] = []
    return shapes.indices.map { index in
      if let known = first.first(where: { abs(shapes[index] / shapes[$0] - 1) < shapeTolerance }) { return known }
      first.append(index)
      return index
    }
  }

  /// The cells of a box covered by a frame of a given shape fitted into it.
  private static func shownArea(_ box: CellSize, _ shape: Double) -> Double {
    let width = Double(box.width), height = Double(box.height)
    guard width > 0, height > 0 else { return 0 }
    return width / height > shape ? height * shape * height : width * width / shape
  }
}
