import Pixels

/// An update within a byte budget: plans rows, and paints those that fit.
struct PlanPass {
  var painter: CellPainter
  /// The rows in which cells differ, in the order in which they are painted.
  let rows: [Int]
  let memory: PlanMemory
  let planned: UnsafeMutablePointer<Cell>
  /// The weight of each cell's loss (`RegionWeights.factors`); nil if all are equal.
  let factors: UnsafePointer<Float>?
  /// The cells of images as fitted (`CellGrid.fitted`); empty if there are none.
  var fitted: [FittedCell] = []
  /// The row at which the budget ran out; nil if everything fitted.
  var stoppedAt: Int?
  /// The planned bytes of each row, and the pen that it leaves, if all are planned.
  private var rowBytes: [Float] = []
  private var pens: [CellPainter.Pen] = []

  /// True if stale cells weigh more. In a still image they need not: all is sent in time, and each
  /// plan makes the sum of what is wrong smaller.
  var weighsAge = true

  /// One in this many rows predicts the bytes of all, and may have to give up some of its own.
  static let groups = 4
  /// The range in which a prediction is close enough to the goal.
  private static let nearEnough: ClosedRange<Float> = 0.9...1.05
  /// The maximum number of changes of λ, for those rows only.
  private static let attempts = 6
  private static let trimmings = 3
  /// The fraction of the budget that is aimed at, since planned bytes are only close to the actual ones.
  private static let share: Float = 0.95

  init(
    painter: CellPainter, rows: [Int], memory: PlanMemory, planned: UnsafeMutablePointer<Cell>,
    factors: UnsafePointer<Float>?
  ) {
    self.painter = painter
    self.rows = rows
    self.memory = memory
    self.planned = planned
    self.factors = factors
  }

  /// Paints all rows at a λ for which they fit into the budget.
  mutating func run(_ rate: inout RateControl, budget: Int, flush: (inout CellPainter) -> Int) {
    let total = planAll(&rate, budget: Float(budget))
    let spent = paint(limit: budget, flush: flush)
    // Where it stopped, about as much of the plan was painted as of the rows.
    let painted = stoppedAt.flatMap(rows.firstIndex).map { (Float($0) + 0.5) / Float(rows.count) } ?? 1
    rate.didPaint(bytes: spent, planned: total * painted)
    settle()
  }

  /// Paints rows at a λ at which hardly any loss is visible; those that do not fit wait.
  mutating func refine(at lambda: Float, budget: Int, flush: (inout CellPainter) -> Int) {
    weighsAge = false
    paint(limit: budget, planningAt: lambda, flush: flush)
    settle()
  }

  /// Plans all rows at one λ; returns the estimated bytes.
  private mutating func planAll(_ rate: inout RateControl, budget: Float) -> Float {
    let goal = budget * Self.share
    rowBytes = Array(repeating: 0, count: rows.count)
    pens = Array(repeating: painter.pen, count: rows.count)
    rate.turn += 1
    // Different rows each time.
    let some = stride(from: rate.turn % Self.groups, to: rows.count, by: Self.groups)
    // A few rows tell nothing about others.
    let probed = rows.count >= 2 * Self.groups ? probe(&rate, some, goal: goal) : nil
    var search = LambdaSearch(from: rate.lambda, slope: rate.slope)
    var isTrimmed = false
    var bytes: Float { rate.bytes(planned: plannedBytes) }
    for attempt in 1...Self.attempts {
      plan(0..<rows.count, lambda: search.lambda)
      rate.lambda = search.lambda
      if let probed, probed.lambda == rate.lambda { rate.didProbe(some: probed.bytes, all: plannedBytes) }
      if probed != nil, !isTrimmed, bytes > budget, bytes < budget * 1.1 {
        // Slightly too much: some rows are planned again.
        isTrimmed = true
        trim(rate, some, to: goal)
      }
      if bytes <= budget, bytes > goal * 0.75 || search.lambda == LambdaSearch.range.lowerBound {
        search.stop()
        break
      }
      guard search.turn(bytes: bytes, goal: goal), attempt < Self.attempts else { break }
    }
    if let slope = search.measuredSlope { rate.slope = slope }
    if let best = search.best(goal: goal), best != search.lambda {
      plan(0..<rows.count, lambda: best)
      rate.lambda = best
    }
    let total = plannedBytes
    // The next update is likely to be like this one.
    var next = LambdaSearch(from: rate.lambda, slope: rate.slope)
    if next.turn(bytes: bytes, goal: goal) { rate.lambda = next.lambda }
    return total
  }

  /// Changes λ until some of the rows predict that all will about fit; returns the planned bytes for them at the last λ.
  private func probe(
    _ rate: inout RateControl, _ some: StrideTo<Int>, goal: Float
  ) -> (lambda: Float, bytes: Float) {
    var search = LambdaSearch(from: rate.lambda, slope: rate.slope)
    var probed: (lambda: Float, bytes: Float) = (0, 0)
    for _ in 1...Self.attempts {
      // The rows above are not planned yet.
      var pen = painter.pen
      let planner = makePlanner(search.lambda)
      probed = (search.lambda, 0)
      for n in some {
        let outcome = plan(rows[n], by: planner, pen: pen)
        pen = outcome.pen
        probed.bytes += outcome.bytes
      }
      let bytes = rate.bytes(probed: probed.bytes)
      if Self.nearEnough.contains(bytes / goal) || !search.turn(bytes: bytes, goal: goal) { break }
    }
    if let slope = search.measuredSlope { rate.slope = slope }
    rate.lambda = search.lambda
    return probed
  }

  /// Plans some of the rows again, so that all of them take `goal`. Those below were planned for the pens that these left
  /// before.
  private mutating func trim(_ rate: RateControl, _ some: StrideTo<Int>, to goal: Float) {
    let present = some.reduce(0) { $0 + rowBytes[$1] }
    let goal = max(goal - rate.bytes(planned: plannedBytes - present), 0.02 * goal)
    var search = LambdaSearch(from: rate.lambda, slope: rate.slope)
    _ = search.turn(bytes: rate.bytes(planned: present), goal: goal)
    for _ in 1...Self.trimmings {
      let bytes = rate.bytes(planned: plan(some, lambda: search.lambda))
      if bytes <= goal || !search.turn(bytes: bytes, goal: goal) { break }
    }
  }

  private var plannedBytes: Float { rowBytes.reduce(0, +) }

  /// Plans some of the rows, each with the pen that the one above leaves; returns the estimated bytes.
  @discardableResult
  private mutating func plan(_ some: some Sequence<Int>, lambda: Float) -> Float {
    var bytes: Float = 0
    let planner = makePlanner(lambda)
    for n in some {
      let outcome = plan(rows[n], by: planner, pen: n > 0 ? pens[n - 1] : painter.pen)
      (rowBytes[n], pens[n]) = (outcome.bytes, outcome.pen)
      bytes += outcome.bytes
    }
    return bytes
  }

  func makePlanner(_ lambda: Float) -> RowPlanner {
    let profile = painter.profile
    return RowPlanner(
      lambda: lambda, columns: painter.columns, erasing: RowPlanner.Erasing(profile), repeats: profile.repeatsGlyphs,
      weighsAge: weighsAge, memory: memory)
  }

  /// Plans one row for a pen.
  func plan(_ row: Int, by planner: RowPlanner, pen: CellPainter.Pen) -> RowPlanner.Outcome {
    let base = row * painter.columns
    return fitted.withUnsafeBufferPointer { fitted in
      planner.plan(
        wanted: painter.wanted + base, shown: painter.shown + base, marks: painter.marks + base,
        factors: factors.map { $0 + base }, fitted: fitted.isEmpty ? nil : fitted.baseAddress.map { $0 + base }, pen: pen,
        planned: planned + base)
    }
  }

  /// Paints the plans, row by row, while they fit; returns the bytes spent.
  ///
  /// - Parameter lambda: plans each row at it first; nil if all are planned.
  @discardableResult
  private mutating func paint(
    limit: Int, planningAt lambda: Float? = nil, flush: (inout CellPainter) -> Int
  ) -> Int {
    var spent = 0
    let (wanted, tolerance) = (painter.wanted, painter.tolerance)
    // A plan is close to the target, and the plan is painted exactly.
    painter.tolerance = .none
    defer { (painter.wanted, painter.tolerance) = (wanted, tolerance) }
    let planner = lambda.map { makePlanner($0) }
    for row in rows {
      if let planner {
        painter.wanted = wanted
        _ = plan(row, by: planner, pen: painter.pen)
      }
      painter.wanted = planned
      let base = row * painter.columns
      for index in base..<(base + painter.columns) where painter.marks[index].need != CellMark.Need.chrome {
        if planned[index].looksLike(painter.shown[index]) {
          painter.marks[index].need = CellMark.Need.none
        } else {
          painter.marks[index].need = CellMark.Need.chosen
          // The cell is now as good as possible, and no longer waits.
          painter.marks[index].age = 0
        }
      }
      let isDone = painter.paintRow(row, need: CellMark.Need.chosen, limit: limit - spent)
      spent += flush(&painter)
      if !isDone {
        stoppedAt = row
        break
      }
    }
    return spent
  }

  /// Counts the cells that still differ.
  private mutating func settle() {
    var left = 0
    for row in rows {
      let base = row * painter.columns
      for index in base..<(base + painter.columns) {
        let (shown, wanted) = (painter.shown[index], painter.wanted[index])
        if shown.looksLike(wanted) {
          painter.marks[index] = CellMark()
        } else if !painter.isExact(index), painter.tolerance.allows(shown, for: wanted) {
          painter.marks[index] = CellMark(need: CellMark.Need.near)
        } else {
          left += 1
          painter.marks[index].need = CellMark.Need.image
        }
      }
    }
    painter.cellsLeft = left
  }
}
