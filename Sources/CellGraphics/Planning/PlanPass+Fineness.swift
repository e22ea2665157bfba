import Glibc

/// Decides how finely a still image is planned before it is sent cell by cell.
extension PlanPass {
  /// Squared error per component: 40 dB.
  private static let fineLoss: Float = 6.5
  /// The fraction of it that is aimed at, and the range that is close enough.
  private static let aim: Float = 0.97
  private static let fineEnough: ClosedRange<Float> = 0.95...1
  private static let fineLambdas: ClosedRange<Float> = 1...400
  private static let usual: Float = 100
  private static let fineAttempts = 5
  private static let finerStep: Float = 0.8
  /// The usual slope of loss over λ, both as logarithms, if two attempts do not tell.
  private static let usualSlope: Float = 0.8

  /// Returns the λ at which hardly any loss is visible in any region, or on the whole screen if there are no regions. A
  /// smaller one takes more bytes to get there, a larger one more that are sent again.
  ///
  /// Found by planning some of the rows. Palette entries are so far apart that this tells little: for them it is a usual
  /// value.
  mutating func fineLambda(below limit: Float, in regions: [CellRect]) -> Float {
    weighsAge = false
    var lambda = min(limit, Self.usual)
    guard memory.palette.colors.isDirect, !rows.isEmpty else { return lambda }
    let some = stride(from: 0, to: rows.count, by: Self.groups).map { rows[$0] }
    var slope = Self.usualSlope
    var former: (lambda: Float, loss: Float)?
    for _ in 1...Self.fineAttempts {
      let planner = makePlanner(lambda)
      for row in some { _ = plan(row, by: planner, pen: painter.pen) }
      let loss = worstLoss(of: some, shownAs: planned, in: regions)
      guard loss > 0, !Self.fineEnough.contains(loss / Self.fineLoss) else { break }
      if let former, former.loss != loss {
        slope = min(max(logf(loss / former.loss) / logf(lambda / former.lambda), 0.3), 1.5)
      }
      former = (lambda, loss)
      lambda = min(Self.finer(lambda, loss, slope), limit)
      guard lambda != former?.lambda else { break }
    }
    return lambda
  }

  /// Returns the λ for another pass, if some region still loses more than intended: λ was found from some rows, and others
  /// may be harder. Nil if none does.
  /// others may be harder. Nil where none does.
  func finerLambda(than lambda: Float, in regions: [CellRect]) -> Float? {
    guard memory.palette.colors.isDirect else { return nil }
    let loss = worstLoss(of: 0..<painter.rows, shownAs: painter.shown, in: regions)
    guard loss > Self.fineLoss else { return nil }
    // The plan is kept if λ is nearly the same.
    let finer = max(min(Self.finer(lambda, loss, Self.usualSlope), lambda * Self.finerStep), Self.fineLambdas.lowerBound)
    return finer < lambda ? finer : nil
  }

  /// Returns the λ at which a loss found at another becomes the one aimed at.
  private static func finer(_ lambda: Float, _ loss: Float, _ slope: Float) -> Float {
    let next = lambda * powf(aim * fineLoss / loss, 1 / slope)
    return min(max(next, fineLambdas.lowerBound), fineLambdas.upperBound)
  }

  /// Returns the loss per component of the region with the greatest loss, over some rows.
  ///
  /// - Parameter cells: the shown cells of the screen.
  private func worstLoss(
    of some: some Sequence<Int>, shownAs cells: UnsafePointer<Cell>, in regions: [CellRect]
  ) -> Float {
    let regions = regions.isEmpty ? [painter.bounds] : regions.map { $0.intersection(painter.bounds) }
    var sums = regions.map { _ in (lost: 0, cells: 0) }
    XtermPalette.rgb.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      for row in some {
        for (n, region) in regions.enumerated() where region.y..<region.maxY ~= row {
          for index in (row * painter.columns + region.x)..<(row * painter.columns + region.maxX)
          where painter.wanted[index].isImage {
            sums[n].lost += CellChoice.squaredError(painter.wanted[index], cells[index], table: table)
            sums[n].cells += 1
          }
        }
      }
    }
    return sums.map { Float($0.lost) / Float(max(1, 6 * $0.cells)) }.max() ?? 0
  }
}
