/// An arrangement of panes without sizes: a pane, or a row or column of plans.
indirect enum LayoutPlan: Hashable {
  /// The pane's index.
  case pane(Int)
  case row([LayoutPlan])
  case column([LayoutPlan])

  /// The plans of a style for panes of these shapes; those that keep the order of panes come first.
  static func all(shapes: [Double], style: LayoutStyle) -> [LayoutPlan] {
    let panes = shapes.indices.map(LayoutPlan.pane)
    guard panes.count > 1 else { return panes }
    switch style {
    case .row: return [.row(panes)]
    case .column: return [.column(panes)]
    case .grid:
      guard panes.count > 2 else { return [.row(panes)] }
      let rest = Array(panes[2...])
      return [.column([.row(Array(panes[..<2])), rest.count == 1 ? rest[0] : .row(rest)])]
    case .auto:
      return orders(of: Array(shapes.indices), shapes).flatMap { order in
        lines(of: order[...], isRow: true) + lines(of: order[...], isRow: false)
      }
    }
  }

  /// All plans with these panes in this order, with a row or a column as the outermost line.
  private static func lines(of order: ArraySlice<Int>, isRow: Bool) -> [LayoutPlan] {
    (1..<order.count).flatMap { count in
      parts(of: order, first: count, isRow: isRow).map { isRow ? .row($0) : .column($0) }
    }
  }

  /// All ways to split an order into parts that are panes or lines of the other direction, the first of `count` panes.
  private static func parts(of order: ArraySlice<Int>, first count: Int, isRow: Bool) -> [[LayoutPlan]] {
    let head = order.prefix(count), tail = order.dropFirst(count)
    let heads = head.first.map { count == 1 ? [.pane($0)] : lines(of: head, isRow: !isRow) } ?? []
    let tails = tail.isEmpty ? [[]] : (1...tail.count).flatMap { parts(of: tail, first: $0, isRow: isRow) }
    return heads.flatMap { head in tails.map { [head] + $0 } }
  }

  /// All orders of panes that keep the order of those with equal shape.
  private static func orders(of panes: [Int], _ shapes: [Double]) -> [[Int]] {
    guard panes.count > 1 else { return [panes] }
    return panes.indices.flatMap { index -> [[Int]] in
      guard !panes[..<index].contains(where: { shapes[$0] == shapes[panes[index]] }) else { return [] }
      var rest = panes
      let first = rest.remove(at: index)
      return orders(of: rest, shapes).map { [first] + $0 }
    }
  }

  /// The panes in reading order: rows from left to right, columns from top to bottom.
  var order: [Int] {
    switch self {
    case .pane(let index): [index]
    case .row(let parts), .column(let parts): parts.flatMap(\.order)
    }
  }

  private var depth: Int {
    switch self {
    case .pane: 0
    case .row(let parts), .column(let parts): 1 + (parts.map(\.depth).max() ?? 0)
    }
  }

  /// Weight of a plan's area, up to 1: panes in order, in rows and on few levels are easier to find.
  var calmness: Double {
    let order = order
    var factor = zip(order, order.dropFirst()).allSatisfy(<) ? 1 : 0.85
    if depth > 2 { factor *= 0.96 }
    switch self {
    case .row(let parts) where parts.contains(where: { $0.depth > 0 }): factor *= 0.97
    case .column(let parts) where parts.allSatisfy({ $0.depth == 0 }): factor *= 0.999
    default: break
    }
    return factor
  }
}
