import Pixels

/// The best path up to a column.
struct PlanNode {
  /// The loss so far, plus λ for each byte.
  var cost: Float
  var bytes: Float
  /// The start of the last segment.
  var from: Int32
  /// The number of consecutive kept cells at the end of this path.
  var keptCells: Int32
  /// The last segment's colours: new ones, or those of the pen. Equal for one colour.
  var upper: UInt32
  var lower: UInt32
  /// True if each cell of the last segment keeps its shape, and `upper` and `lower` are its brighter and its darker part.
  var isShaped: Bool
  /// True if both colours are set, and the foreground gets the darker one.
  var inksDark: Bool
  /// True if the way before the last segment ends with something sent.
  var isAfterSent: Bool
  var foreground: PlanColor
  var background: PlanColor

  /// Marks a single cell that is sent unchanged.
  static let wholeCell: UInt32 = .max
  /// Mark the pen's colours.
  static let penForeground: UInt32 = .max - 1
  static let penBackground: UInt32 = .max - 2

  static let unreached = PlanNode(
    cost: .infinity, bytes: 0, from: 0, keptCells: 0, upper: 0, lower: 0, isShaped: false, inksDark: false, isAfterSent: false,
    foreground: .unknown, background: .unknown)

  static func start(_ foreground: PlanColor, _ background: PlanColor) -> PlanNode {
    var node = unreached
    node.cost = 0
    node.foreground = foreground
    node.background = background
    return node
  }
}

/// A range of columns that are drawn alike.
struct PlanSegment {
  var cells: Range<Int>
  /// The colours of its halves as planned.
  var raw: (upper: UInt32, lower: UInt32)
  /// As in `PlanNode`.
  var isShaped = false
  var inksDark = false
  /// Indices of its halves' colours among those that the row sets, if any.
  var upper = 0
  var lower = 0

  /// True if it is a single cell that is sent unchanged.
  var isWholeCell: Bool { raw.upper == PlanNode.wholeCell }
}

/// The effect of a two-colour segment on the pen: each colour is set or kept.
struct PenColors {
  var foreground: UInt32
  var background: UInt32
  /// True if the upper half has the background's.
  var isSwapped: Bool

  @inline(__always)
  init(upper: UInt32, lower: UInt32, inksDark: Bool = false) {
    isSwapped = upper == PlanNode.penBackground || lower == PlanNode.penForeground || inksDark
    (foreground, background) = isSwapped ? (lower, upper) : (upper, lower)
  }
}

/// A colour that a row sets or starts with, and what is drawn with it.
struct SetColor {
  var raw: UInt32
  /// Sums of the components, weighted by segment.
  var sum = SIMD4<Float>()
  var weight: Float = 0

  @inline(__always)
  mutating func add(_ sums: SIMD4<Int32>, _ count: Int, _ mean: Float) {
    sum += SIMD4<Float>(sums) * mean
    weight += Float(count) * mean
  }

  /// Adds content of a mean colour and a weight.
  @inline(__always)
  mutating func add(_ mean: SIMD4<Float>, _ more: Float) {
    sum += mean * more
    weight += more
  }
}

/// The memory of a planner: a palette, sums along one row of pixels, and the paths found so far.
///
/// Owned by `PlanMemory.with`, which lends it for the duration of a call.
struct PlanMemory {
  /// Sums of the components from the start of the row, with the weighted squares in the last lane. They wrap: only
  /// differences are used.
  let top: UnsafeMutablePointer<SIMD4<Int32>>
  let bottom: UnsafeMutablePointer<SIMD4<Int32>>
  /// Sums of the cells' weights: 1, and more for stale cells.
  let weights: UnsafeMutablePointer<Float>
  /// The loss of each cell if it is kept.
  let stale: UnsafeMutablePointer<Float>
  let kinds: UnsafeMutablePointer<UInt8>
  /// For each cell, the first earlier one that can be in the same segment.
  let freeFrom: UnsafeMutablePointer<Int32>
  /// The best paths that end with a kept cell, with a sent one, and from which a segment starts.
  let kept: UnsafeMutablePointer<PlanNode>
  let sent: UnsafeMutablePointer<PlanNode>
  let entries: UnsafeMutablePointer<PlanNode>
  /// The costs of `entries`, contiguous.
  let entryCosts: UnsafeMutablePointer<Float>
  /// For each length, the cost of the cheapest entry of this and all greater lengths.
  let floors: UnsafeMutablePointer<Float>
  /// The reciprocals 1/n.
  let inverses: UnsafeMutablePointer<Float>
  /// The colours of each cell's halves; filled if they are palette entries.
  let uppers: UnsafeMutablePointer<UInt32>
  let lowers: UnsafeMutablePointer<UInt32>
  /// The segments of the plan, and the colours that they set.
  let segments: UnsafeMutablePointer<PlanSegment>
  let colors: UnsafeMutablePointer<SetColor>
  let shapes: PlanShapes
  let palette: PlanPalette
  let lengths: UnsafeBufferPointer<Int>

  /// Lends memory for rows of a number of columns.
  static func with<R>(columns: Int, colors: PlanColors, _ body: (PlanMemory) -> R) -> R {
    let count = columns + 1
    func allocate<T>(_ type: T.Type, _ count: Int, _ value: T) -> UnsafeMutablePointer<T> {
      let pointer = UnsafeMutablePointer<T>.allocate(capacity: count)
      pointer.initialize(repeating: value, count: count)
      return pointer
    }
    let most = (RowPlanner.lengths.last ?? 0) + 1
    let entries = allocate(SIMD4<Float>.self, 256, SIMD4())
    defer { entries.deallocate() }
    return XtermPalette.rgb.withUnsafeBufferPointer { table in
      for index in 0..<256 { entries[index] = PlanColor.components(table[index]) }
      return colors.nearest.withUnsafeBufferPointer { nearest in
        RowPlanner.lengths.withUnsafeBufferPointer { lengths in
          // Literal tables have elements.
          let palette = PlanPalette(
            colors, entries: entries, nearest: nearest.isEmpty ? nil : nearest.baseAddress, table: table.baseAddress!)
          let memory = PlanMemory(
            top: allocate(SIMD4<Int32>.self, count, SIMD4()), bottom: allocate(SIMD4<Int32>.self, count, SIMD4()),
            weights: allocate(Float.self, count, 0), stale: allocate(Float.self, count, 0),
            kinds: allocate(UInt8.self, count, 0), freeFrom: allocate(Int32.self, count, 0),
            kept: allocate(PlanNode.self, count, .unreached), sent: allocate(PlanNode.self, count, .unreached),
            entries: allocate(PlanNode.self, count, .unreached),
            entryCosts: allocate(Float.self, count, 0), floors: allocate(Float.self, lengths.count, 0),
            inverses: allocate(Float.self, most, 0), uppers: allocate(UInt32.self, count, 0),
            lowers: allocate(UInt32.self, count, 0),
            segments: allocate(PlanSegment.self, count, PlanSegment(cells: 0..<0, raw: (0, 0))),
            // Each segment sets at most two.
            colors: allocate(SetColor.self, 2 * count + 2, SetColor(raw: 0)), shapes: PlanShapes(count: count),
            palette: palette, lengths: lengths)
          defer { memory.deallocate() }
          for n in 1..<most { memory.inverses[n] = 1 / Float(n) }
          return body(memory)
        }
      }
    }
  }

  private func deallocate() {
    top.deallocate()
    bottom.deallocate()
    weights.deallocate()
    stale.deallocate()
    kinds.deallocate()
    freeFrom.deallocate()
    kept.deallocate()
    sent.deallocate()
    entries.deallocate()
    entryCosts.deallocate()
    floors.deallocate()
    inverses.deallocate()
    uppers.deallocate()
    lowers.deallocate()
    segments.deallocate()
    colors.deallocate()
    shapes.deallocate()
  }

  /// Loads a row.
  ///
  /// - Parameters:
  ///   - factors: the weight of each cell's loss, 1 or more; nil if all are equal.
  ///   - fitted: the cells as fitted, with what they stand for; nil for what their shapes show.
  func load(
    columns: Int, wanted: UnsafePointer<Cell>, shown: UnsafePointer<Cell>, marks: UnsafePointer<CellMark>,
    weighsAge: Bool, factors: UnsafePointer<Float>?, fitted: UnsafePointer<FittedCell>?
  ) {
    var upperSum = SIMD4<Int32>()
    var lowerSum = SIMD4<Int32>()
    var first: Int32 = 0
    top[0] = upperSum
    bottom[0] = lowerSum
    weights[0] = 0
    shapes.load(wanted, columns: columns, palette)
    for x in 0..<columns {
      let cell = wanted[x]
      let kind = palette.kind(of: cell)
      kinds[x] = kind
      if kind == PlanPalette.Kind.free {
        let (upper, lower) = palette.halves(of: cell)
        if shapes.areThere, let parts = shapes.halves(of: cell, fitted?[x], palette) {
          (uppers[x], lowers[x]) = (upper, lower)
          upperSum &+= parts.upper
          lowerSum &+= parts.lower
        } else if palette.isDirect {
          upperSum &+= Self.lanes(upper)
          lowerSum &+= Self.lanes(lower)
        } else {
          (uppers[x], lowers[x]) = (upper, lower)
          upperSum &+= Self.lanes(palette.table[Int(upper & 0xFF)])
          lowerSum &+= Self.lanes(palette.table[Int(lower & 0xFF)])
        }
      } else {
        first = Int32(truncatingIfNeeded: x + 1)
      }
      freeFrom[x] = first
      top[x + 1] = upperSum
      bottom[x + 1] = lowerSum
      // Stale cells weigh more, so that none starves.
      let age = weighsAge ? Float(marks[x].age) : 0
      let weight = (1 + age * (1 / 16) + age * age * (1 / 1024)) * (factors?[x] ?? 1)
      weights[x + 1] = weights[x] + weight
      // Cells that only look right are also sent in the end.
      let isRight = !marks[x].mustBeSent || kind == PlanPalette.Kind.chrome
      stale[x] = isRight ? 0 : weight * Float(max(1, CellChoice.weightedError(cell, shown[x], table: palette.table)))
    }
  }

  @inline(__always)
  static func lanes(_ rgb: UInt32) -> SIMD4<Int32> {
    let r = Int32(rgb >> 16 & 0xFF)
    let g = Int32(rgb >> 8 & 0xFF)
    let b = Int32(rgb & 0xFF)
    return SIMD4(r, g, b, PlanDistance.square(r, g, b))
  }
}
