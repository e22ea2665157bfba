import Glibc

/// How finely an image that rests is planned before it is sent cell for cell.
extension PlanPass {
  /// Squares of a component: a little more than 40 dB.
  private static let fineLoss: Float = 5.9
  /// The loss that was found is near enough to it.
  private static let fineEnough: ClosedRange<Float> = 0.9...1
  private static let fineLambdas: ClosedRange<Float> = 1...400
  private static let usual: Float = 100
  private static let fineAttempts = 4

  /// The λ at which hardly anything is seen to be missing in any of the regions, or on the whole screen where there are none.
  /// A smaller one takes more bytes to get there, a larger one more that are sent again.
  ///
  /// Found by planning some of the rows. Entries of a palette are so far apart that it tells little: there it is a usual one.
  mutating func fineLambda(below limit: Float, in regions: [CellRect]) -> Float {
    weighsAge = false
    var lambda = min(limit, Self.usual)
    guard memory.palette.colors.isDirect, !rows.isEmpty else { return lambda }
    let regions = (regions.isEmpty ? [painter.bounds] : regions).map { $0.intersection(painter.bounds) }
    var slope: Float = 0.8
    var former: (lambda: Float, loss: Float)?
    for _ in 1...Self.fineAttempts {
      let loss = worstLoss(of: stride(from: 0, to: rows.count, by: Self.groups), at: lambda, in: regions)
      guard loss > 0, !Self.fineEnough.contains(loss / Self.fineLoss) else { break }
      if let former, former.loss != loss {
        slope = min(max(logf(loss / former.loss) / logf(lambda / former.lambda), 0.3), 1.5)
      }
      former = (lambda, loss)
      let next = lambda * powf(0.95 * Self.fineLoss / loss, 1 / slope)
      lambda = min(max(next, Self.fineLambdas.lowerBound), Self.fineLambdas.upperBound, limit)
      guard lambda != former?.lambda else { break }
    }
    return lambda
  }

  /// What the region with the most loss would lose for each component, judged by some of the rows.
  private func worstLoss(of some: StrideTo<Int>, at lambda: Float, in regions: [CellRect]) -> Float {
    var lost = Array(repeating: 0, count: regions.count)
    var cells = lost
    let planner = makePlanner(lambda)
    for row in some.map({ rows[$0] }) { _ = plan(row, by: planner, pen: painter.pen) }
    XtermPalette.rgb.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      for row in some.map({ rows[$0] }) {
        for (n, region) in regions.enumerated() where region.y..<region.maxY ~= row {
          for index in (row * painter.columns + region.x)..<(row * painter.columns + region.maxX) {
            lost[n] += CellChoice.squaredError(painter.wanted[index], planned[index], table: table)
          }
          cells[n] += region.width
        }
      }
    }
    return zip(lost, cells).map { lost, cells in Float(lost) / Float(max(1, 6 * cells)) }.max() ?? 0
  }
}
