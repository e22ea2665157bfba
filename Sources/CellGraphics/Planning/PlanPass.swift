/// One update within a byte budget: plans rows, and paints what fits.
struct PlanPass {
  var painter: CellPainter
  /// The rows in which cells differ, in the order in which they are painted.
  let rows: [Int]
  let memory: PlanMemory
  let planned: UnsafeMutablePointer<Cell>
  let aim: Aim
  /// How much each cell's loss weighs (`RegionWeights.factors`); nil where all weigh the same.
  let factors: UnsafePointer<Float>?
  /// The row at which the budget was spent before the end; nil when all fitted.
  var stoppedAt: Int?

  enum Aim {
    /// All rows at a λ for which they fit.
    case budget
    /// Rows at a λ at which hardly anything is seen to be missing; those that do not fit wait.
    case fineness
  }

  /// Whether what has been wrong for long weighs more. Where nothing moves it need not: all is sent in time, and each
  /// plan makes the sum of what is wrong smaller.
  private var weighsAge: Bool { aim == .budget }

  /// About 42 dB. A smaller λ takes more bytes to get there, a larger one more that are sent again.
  private static let fineLambda: Float = 100
  /// Rows are planned in so many groups.
  private static let groups = 4
  /// λ is turned so often at the most, and for the last group alone.
  private static let attempts = 6
  private static let trimmings = 3
  /// The part of the budget that is aimed at, since a plan's bytes are near to what is needed but not the same.
  private static let share: Float = 0.95

  init(
    painter: CellPainter, rows: [Int], memory: PlanMemory, planned: UnsafeMutablePointer<Cell>,
    aim: Aim, factors: UnsafePointer<Float>?
  ) {
    self.painter = painter
    self.rows = rows
    self.memory = memory
    self.planned = planned
    self.aim = aim
    self.factors = factors
  }

  mutating func run(_ rate: inout RateControl, budget: Int, flush: (inout CellPainter) -> Int) {
    switch aim {
    case .budget:
      let total = planAll(&rate, budget: Float(budget))
      let spent = paint(limit: budget, flush: flush)
      // Where it stopped, about as much of the plan was painted as of the rows.
      let painted = stoppedAt.flatMap(rows.firstIndex).map { (Float($0) + 0.5) / Float(rows.count) } ?? 1
      rate.didPaint(bytes: spent, planned: total * painted)
    case .fineness:
      let lambda = min(rate.lambda, Self.fineLambda)
      paint(limit: budget, planningAt: lambda, flush: flush)
    }
    settle()
  }

  /// Plans all rows at one λ; returns the bytes that are thought to be needed.
  private func planAll(_ rate: inout RateControl, budget: Float) -> Float {
    let goal = budget * Self.share
    let groups = rows.count < 2 * Self.groups ? 1 : Self.groups
    // The last one may have to give some of its bytes: each time other rows.
    rate.turn += 1
    let parts = (0..<groups).map { group in
      stride(from: (group + rate.turn) % groups, to: rows.count, by: groups).map { rows[$0] }
    }
    var planned = [Float](repeating: 0, count: groups)
    var bytes: Float { rate.bytes(planned: planned.reduce(0, +)) }
    // Some of the rows tell of a cut soonest.
    if groups > 1 {
      planned[0] = findLambda(
        &rate, parts[0], goal: goal / Float(groups), tolerance: 0.8...1.15, attempts: Self.attempts)
    }
    var search = LambdaSearch(from: rate.lambda)
    var isTrimmed = false
    for attempt in 1...Self.attempts {
      for group in (attempt == 1 && groups > 1 ? 1 : 0)..<groups {
        planned[group] = plan(parts[group], lambda: search.lambda)
      }
      rate.lambda = search.lambda
      if groups > 1, !isTrimmed, bytes > budget, bytes < budget * 1.1 {
        // A little too much: some rows are planned anew.
        isTrimmed = true
        planned[groups - 1] = 0
        let left = max(goal - bytes, 0.02 * goal)
        planned[groups - 1] = findLambda(
          &rate, parts[groups - 1], goal: left, tolerance: 0...1, attempts: Self.trimmings)
        rate.lambda = search.lambda
      }
      if bytes <= budget, bytes > goal * 0.75 || search.lambda == LambdaSearch.range.lowerBound {
        search.stop()
        break
      }
      guard search.turn(bytes: bytes, goal: goal), attempt < Self.attempts else { break }
    }
    if let best = search.best(goal: goal), best != search.lambda {
      for group in 0..<groups { planned[group] = plan(parts[group], lambda: best) }
      rate.lambda = best
    }
    let total = planned.reduce(0, +)
    // The next update is likely to be like this one.
    var next = LambdaSearch(from: rate.lambda)
    if next.turn(bytes: bytes, goal: goal) { rate.lambda = next.lambda }
    return total
  }

  /// Turns λ until rows take what they may, within a tolerance; returns what is planned for them.
  private func findLambda(
    _ rate: inout RateControl, _ rows: [Int], goal: Float, tolerance: ClosedRange<Float>, attempts: Int
  ) -> Float {
    var search = LambdaSearch(from: rate.lambda)
    var planned: Float = 0
    for _ in 1...attempts {
      rate.lambda = search.lambda
      planned = plan(rows, lambda: rate.lambda)
      let bytes = rate.bytes(planned: planned)
      if tolerance.contains(bytes / goal) || !search.turn(bytes: bytes, goal: goal) { break }
    }
    return planned
  }

  /// Plans rows; returns the bytes that they are thought to take.
  private func plan(_ rows: [Int], lambda: Float) -> Float {
    let profile = painter.profile
    let planner = RowPlanner(
      lambda: lambda, columns: painter.columns, erasing: RowPlanner.Erasing(profile), repeats: profile.repeatsGlyphs,
      weighsAge: weighsAge, memory: memory)
    var bytes: Float = 0
    var pen = painter.pen
    for row in rows {
      let base = row * painter.columns
      let outcome = planner.plan(
        wanted: painter.wanted + base, shown: painter.shown + base, marks: painter.marks + base,
        factors: factors.map { $0 + base }, pen: pen, planned: planned + base)
      bytes += outcome.bytes
      pen = outcome.pen
    }
    return bytes
  }

  /// Paints the plans, row by row, while they fit; returns the bytes spent.
  ///
  /// - Parameter lambda: plans each row at it first; nil where all are planned.
  @discardableResult
  private mutating func paint(
    limit: Int, planningAt lambda: Float? = nil, flush: (inout CellPainter) -> Int
  ) -> Int {
    var spent = 0
    let (wanted, tolerance) = (painter.wanted, painter.tolerance)
    // A plan is near to what is wanted, and what is painted is the plan.
    painter.tolerance = .none
    defer { (painter.wanted, painter.tolerance) = (wanted, tolerance) }
    for row in rows {
      if let lambda {
        painter.wanted = wanted
        _ = plan([row], lambda: lambda)
      }
      painter.wanted = planned
      let base = row * painter.columns
      for index in base..<(base + painter.columns) where painter.marks[index].need != CellMark.Need.chrome {
        if planned[index].looksLike(painter.shown[index]) {
          painter.marks[index].need = CellMark.Need.none
        } else {
          painter.marks[index].need = CellMark.Need.chosen
          // What is sent is as good as can be had now: it waits no longer.
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

  /// Counts what still differs.
  private mutating func settle() {
    var left = 0
    for row in rows {
      let base = row * painter.columns
      for index in base..<(base + painter.columns) {
        let (shown, wanted) = (painter.shown[index], painter.wanted[index])
        if shown.looksLike(wanted) {
          painter.marks[index] = CellMark()
        } else if !painter.isExact(index), painter.tolerance.allows(shown, for: wanted) {
          painter.marks[index] = CellMark()
          painter.marks[index].isNear = true
        } else {
          left += 1
          painter.marks[index].need = CellMark.Need.image
          painter.marks[index].isNear = false
        }
      }
    }
    painter.cellsLeft = left
  }
}
