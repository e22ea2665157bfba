/// The best way up to one column.
struct PlanNode {
  /// The loss so far, plus λ for each byte.
  var cost: Float
  var bytes: Float
  /// Where the last segment begins.
  var from: Int32
  /// Cells in a row that are kept, at the end of this way.
  var keptCells: Int32
  /// The last segment's colours: new ones, or those of the pen. Equal for one colour.
  var upper: UInt32
  var lower: UInt32
  /// True if the way before the last segment ends with something sent.
  var isAfterSent: Bool
  var foreground: PlanColor
  var background: PlanColor

  /// Stands for a segment's colours where one cell is sent as it is.
  static let wholeCell: UInt32 = .max
  /// Stand for the colours that the pen has.
  static let penForeground: UInt32 = .max - 1
  static let penBackground: UInt32 = .max - 2

  static let unreached = PlanNode(
    cost: .infinity, bytes: 0, from: 0, keptCells: 0, upper: 0, lower: 0, isAfterSent: false,
    foreground: .unknown, background: .unknown)

  static func start(_ foreground: PlanColor, _ background: PlanColor) -> PlanNode {
    var node = unreached
    node.cost = 0
    node.foreground = foreground
    node.background = background
    return node
  }
}

/// Some columns of a row that are drawn alike.
struct PlanSegment {
  var cells: Range<Int>
  /// The colours of its halves as they were planned.
  var raw: (upper: UInt32, lower: UInt32)
  /// Which of the colours that the row sets its halves have, where they have any.
  var upper = 0
  var lower = 0

  /// True if it is one cell that is sent as it is.
  var isWholeCell: Bool { raw.upper == PlanNode.wholeCell }
}

/// What a segment of two colours makes of the pen's: each is set, or stays what it is.
struct PenColors {
  var foreground: UInt32
  var background: UInt32
  /// True if the upper half has the background's.
  var isSwapped: Bool

  @inline(__always)
  init(upper: UInt32, lower: UInt32) {
    isSwapped = upper == PlanNode.penBackground || lower == PlanNode.penForeground
    (foreground, background) = isSwapped ? (lower, upper) : (upper, lower)
  }
}

/// A colour that a row sets, or begins with, and what is drawn with it.
struct SetColor {
  var raw: UInt32
  /// Sums of the components, each cell as its segment weighs.
  var sum = SIMD4<Float>()
  var weight: Float = 0

  @inline(__always)
  mutating func add(_ sums: SIMD4<Int32>, _ count: Int, _ mean: Float) {
    sum += SIMD4<Float>(sums) * mean
    weight += Float(count) * mean
  }
}

/// What a planner works on: a palette, sums along one row of pixels, and the ways found so far.
///
/// One owner, `PlanMemory.with`, which lends it for the length of a call.
struct PlanMemory {
  /// Sums of the components from the row's beginning, and of the weighted squares in the last lane. They wrap: only
  /// differences are used.
  let top: UnsafeMutablePointer<SIMD4<Int32>>
  let bottom: UnsafeMutablePointer<SIMD4<Int32>>
  /// Sums of the cells' weights: 1, and more for what has been wrong for long.
  let weights: UnsafeMutablePointer<Float>
  /// What each cell loses when it is kept.
  let stale: UnsafeMutablePointer<Float>
  let kinds: UnsafeMutablePointer<UInt8>
  /// For each cell the first one of those before it that can be in one segment with it.
  let freeFrom: UnsafeMutablePointer<Int32>
  /// The best ways that end with something kept, with something sent, and from which a segment begins.
  let kept: UnsafeMutablePointer<PlanNode>
  let sent: UnsafeMutablePointer<PlanNode>
  let entries: UnsafeMutablePointer<PlanNode>
  /// `entries`' costs, side by side.
  let entryCosts: UnsafeMutablePointer<Float>
  /// For each of the lengths what the cheapest entry costs of this and the longer ones.
  let floors: UnsafeMutablePointer<Float>
  /// 1/n.
  let inverses: UnsafeMutablePointer<Float>
  /// The colours of each cell's halves; filled where they are the palette's entries.
  let uppers: UnsafeMutablePointer<UInt32>
  let lowers: UnsafeMutablePointer<UInt32>
  /// The segments of the plan, and the colours that they set.
  let segments: UnsafeMutablePointer<PlanSegment>
  let colors: UnsafeMutablePointer<SetColor>
  let palette: PlanPalette
  let lengths: UnsafeBufferPointer<Int>

  /// Lends memory for rows of so many columns.
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
            // Each segment sets two at the most.
            colors: allocate(SetColor.self, 2 * count + 2, SetColor(raw: 0)), palette: palette, lengths: lengths)
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
  }

  /// Takes a row in.
  ///
  /// - Parameter factors: how much each cell's loss weighs, 1 or more; nil where all weigh the same.
  func load(
    columns: Int, wanted: UnsafePointer<Cell>, shown: UnsafePointer<Cell>, marks: UnsafePointer<CellMark>,
    weighsAge: Bool, factors: UnsafePointer<Float>?
  ) {
    var upperSum = SIMD4<Int32>()
    var lowerSum = SIMD4<Int32>()
    var first: Int32 = 0
    top[0] = upperSum
    bottom[0] = lowerSum
    weights[0] = 0
    for x in 0..<columns {
      let cell = wanted[x]
      let kind = palette.kind(of: cell)
      kinds[x] = kind
      if kind == PlanPalette.Kind.free {
        let (upper, lower) = palette.halves(of: cell)
        if palette.isDirect {
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
      // What has been wrong for long weighs more, so that nothing starves.
      let age = weighsAge ? Float(marks[x].age) : 0
      let weight = (1 + age * (1 / 16) + age * age * (1 / 1024)) * (factors?[x] ?? 1)
      weights[x + 1] = weights[x] + weight
      // Also what only looks the same is sent at last.
      let isRight = !marks[x].mustBeSent || kind == PlanPalette.Kind.chrome
      stale[x] = isRight ? 0 : weight * Float(max(1, CellChoice.weightedError(cell, shown[x], table: palette.table)))
    }
  }

  @inline(__always)
  private static func lanes(_ rgb: UInt32) -> SIMD4<Int32> {
    let r = Int32(rgb >> 16 & 0xFF)
    let g = Int32(rgb >> 8 & 0xFF)
    let b = Int32(rgb & 0xFF)
    return SIMD4(r, g, b, PlanDistance.square(r, g, b))
  }
}
