/// From the best path to the plan: its segments, and the colours that they set.
extension RowPlanner {
  /// Follows the path back, writes the cells that are kept or sent unchanged, and records the segments, last one first;
  /// returns their number.
  /// returns how many.
  func collect(
    isKept: Bool, wanted: UnsafePointer<Cell>, shown: UnsafePointer<Cell>, planned: UnsafeMutablePointer<Cell>
  ) -> Int {
    var count = 0
    var end = columns
    var isKept = isKept
    while end > 0 {
      if isKept {
        let node = memory.kept[end]
        planned[end - 1] = memory.kinds[end - 1] == PlanPalette.Kind.chrome ? wanted[end - 1] : shown[end - 1]
        isKept = !node.isAfterSent
        end -= 1
        continue
      }
      let node = memory.sent[end]
      let from = Int(node.from)
      if node.upper == PlanNode.wholeCell { planned[from] = wanted[from] }
      memory.segments[count] = PlanSegment(
        cells: from..<end, raw: (node.upper, node.lower), isShaped: node.isShaped, inksDark: node.inksDark)
      count += 1
      isKept = !node.isAfterSent
      end = from
    }
    return count
  }

  /// Gives each colour that the row sets the mean of everything drawn with it, not only of the first segment.
  ///
  /// - Returns: the additional bytes, and the terminal's drawing state at the end of the row.
  func settleColors(
    _ count: Int, from start: (foreground: UInt32, background: UInt32)
  ) -> (bytes: Float, pen: CellPainter.Pen) {
    let colors = memory.colors
    var pen = (foreground: 0, background: 1)
    colors[0] = SetColor(raw: start.foreground)
    colors[1] = SetColor(raw: start.background)
    var used = 2
    func set(_ raw: UInt32) -> Int {
      colors[used] = SetColor(raw: raw)
      used += 1
      return used - 1
    }
    for n in stride(from: count - 1, through: 0, by: -1) {
      let (upper, lower) = memory.segments[n].raw
      if memory.segments[n].isWholeCell {
        let unknown = memory.palette.colors(of: CellPainter.Pen())
        pen = (set(unknown.foreground), set(unknown.background))
      } else if upper == lower {
        if upper != PlanNode.penForeground, upper != PlanNode.penBackground { pen.background = set(upper) }
        let one = upper == PlanNode.penForeground ? pen.foreground : pen.background
        draw(n, with: one, one)
      } else {
        let colors = PenColors(upper: upper, lower: lower, inksDark: memory.segments[n].inksDark)
        if colors.foreground != PlanNode.penForeground { pen.foreground = set(colors.foreground) }
        if colors.background != PlanNode.penBackground { pen.background = set(colors.background) }
        let (first, second) = colors.isSwapped ? (pen.background, pen.foreground) : pen
        draw(n, with: first, second)
      }
    }
    var bytes: Float = 0
    // The initial pen's colours are already set, and palette entries are fixed.
    for n in 2..<used where colors[n].raw >= CellColor.rgbKind {
      let rgb = Self.rounded(colors[n].sum / colors[n].weight)
      bytes += Float(Self.length(rgb) - Self.length(colors[n].raw))
      colors[n].raw = CellColor.rgbKind | rgb
    }
    return (bytes, memory.palette.pen(colors[pen.foreground].raw, colors[pen.background].raw))
  }

  /// Records what a segment's halves are drawn with.
  @inline(__always)
  private func draw(_ n: Int, with upper: Int, _ lower: Int) {
    memory.segments[n].upper = upper
    memory.segments[n].lower = lower
    let cells = memory.segments[n].cells
    let mean = (memory.weights[cells.upperBound] - memory.weights[cells.lowerBound]) * memory.inverses[cells.count]
    if memory.segments[n].isShaped {
      let parts = memory.shapes.segment(cells.lowerBound, cells.upperBound)
      memory.colors[upper].add(parts.bright, parts.brightCount * mean)
      memory.colors[lower].add(parts.dark, parts.darkCount * mean)
      return
    }
    memory.colors[upper].add(memory.top[cells.upperBound] &- memory.top[cells.lowerBound], cells.count, mean)
    memory.colors[lower].add(memory.bottom[cells.upperBound] &- memory.bottom[cells.lowerBound], cells.count, mean)
  }
}
