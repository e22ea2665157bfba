import CellGraphics

/// Computes the sizes of panes in a plan.
///
/// The width of a pane exactly filled by its frame is linear in its height: shape × (height − chrome).
/// So is that of a row of such panes of equal height, or a column of equal width.
struct LayoutSolver {
  /// Columns per row of a frame, by pane.
  let shapes: [Double]
  /// Rows of each pane besides its frame.
  let chromeRows: Int
  /// Columns between panes of a row.
  let gap: Int

  /// Rows between panes of a column, needed if no title separates their frames.
  private var rowGap: Int { chromeRows == 0 ? 1 : 0 }

  /// The panes' rectangles, in the order of their indices.
  ///
  /// - Parameter justification: 1 derives sizes from shapes, 0 makes all parts of a line equal; between them, a mean.
  func rects(_ plan: LayoutPlan, in area: CellRect, justification: Double) -> [CellRect] {
    var rects = [CellRect](repeating: CellRect(x: 0, y: 0, width: 0, height: 0), count: shapes.count)
    place(plan, in: area, justification, &rects)
    return rects
  }

  private func place(_ plan: LayoutPlan, in area: CellRect, _ justification: Double, _ rects: inout [CellRect]) {
    switch plan {
    case .pane(let index):
      rects[index] = area
    case .row(let parts):
      let lengths = Self.mean(widths(of: parts, in: area), justification)
      for (part, span) in zip(parts, Self.split(area.width, lengths, gap: gap)) {
        place(part, in: CellRect(x: area.x + span.start, y: area.y, width: span.length, height: area.height), justification, &rects)
      }
    case .column(let parts):
      let lengths = Self.mean(heights(of: parts, in: area), justification)
      for (part, span) in zip(parts, Self.split(area.height, lengths, gap: rowGap)) {
        place(part, in: CellRect(x: area.x, y: area.y + span.start, width: area.width, height: span.length), justification, &rects)
      }
    }
  }

  /// width = slope × height + offset.
  private struct Line {
    var slope: Double
    var offset: Double

    func width(atHeight height: Double) -> Double { slope * height + offset }
    func height(atWidth width: Double) -> Double { (width - offset) / slope }
  }

  private func line(_ plan: LayoutPlan) -> Line {
    switch plan {
    case .pane(let index):
      return Line(slope: shapes[index], offset: -shapes[index] * Double(chromeRows))
    case .row(let parts):
      let lines = parts.map(line)
      return Line(
        slope: lines.reduce(0) { $0 + $1.slope },
        offset: lines.reduce(Double(gap * (parts.count - 1))) { $0 + $1.offset })
    case .column(let parts):
      let lines = parts.map(line)
      let inverse = lines.reduce(0) { $0 + 1 / $1.slope }
      let gaps = Double(rowGap * (parts.count - 1))
      return Line(slope: 1 / inverse, offset: (lines.reduce(0) { $0 + $1.offset / $1.slope } - gaps) / inverse)
    }
  }

  /// The widths at which the parts of a row are filled; the remainder is shared evenly.
  private func widths(of parts: [LayoutPlan], in area: CellRect) -> [Double] {
    let total = line(.row(parts))
    let height = min(Double(area.height), total.height(atWidth: Double(area.width)))
    let filled = parts.map { max(0, line($0).width(atHeight: height)) }
    return Self.sharing(Double(area.width - gap * (parts.count - 1)), filled)
  }

  /// The heights at which the parts of a column are filled; the remainder is shared evenly.
  private func heights(of parts: [LayoutPlan], in area: CellRect) -> [Double] {
    let total = line(.column(parts))
    let width = min(Double(area.width), total.width(atHeight: Double(area.height)))
    let filled = parts.map { max(0, line($0).height(atWidth: width)) }
    return Self.sharing(Double(area.height - rowGap * (parts.count - 1)), filled)
  }

  /// A mean of lengths and equal ones, weighted by `weight` and the rest.
  private static func mean(_ lengths: [Double], _ weight: Double) -> [Double] {
    let equal = lengths.reduce(0, +) / Double(lengths.count)
    return lengths.map { $0 * weight + equal * (1 - weight) }
  }

  private static func sharing(_ room: Double, _ lengths: [Double]) -> [Double] {
    let sum = lengths.reduce(0, +)
    // If chrome takes all the space, parts are equal.
    guard sum > 0 else { return lengths.map { _ in 1 } }
    let rest = max(0, room - sum) / Double(lengths.count)
    return lengths.map { $0 + rest }
  }

  /// Divides a length by weights, with gaps between, so that the parts add up exactly.
  private static func split(_ total: Int, _ weights: [Double], gap: Int) -> [(start: Int, length: Int)] {
    let sum = weights.reduce(0, +)
    let usable = max(0, total - gap * (weights.count - 1))
    var result: [(Int, Int)] = []
    var passed = 0.0
    for (i, weight) in weights.enumerated() {
      let from = Int((passed / sum * Double(usable)).rounded())
      passed += weight
      let to = Int((passed / sum * Double(usable)).rounded())
      result.append((from + i * gap, max(0, to - from)))
    }
    return result
  }
}
