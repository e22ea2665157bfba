/// The choice of image cells for a byte budget.
extension CellPainter {
  /// Appends the bytes written since the last flush to `bytes`; returns their number.
  @discardableResult
  mutating func flush(into bytes: inout [UInt8]) -> Int {
    let written = end - out
    if written > 0 {
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: out, count: written))
      end = out
    }
    return written
  }

  /// Records the score and cost of every image cell that differs, in the rows for which `isAffected` is true.
  ///
  /// - Parameter factors: the weight of each cell's loss (`RegionWeights.factors`); empty if all are equal.
  func scoreImages(weighedBy factors: [Float], _ isAffected: (Int) -> Bool) {
    XtermPalette.rgb.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      for row in 0..<rows where isAffected(row) {
        let base = row * columns
        for index in base..<(base + columns) where marks[index].need == CellMark.Need.image {
          marks[index].score = CellChoice.score(
            error: CellChoice.weightedError(wanted[index], shown[index], table: table), age: marks[index].age,
            factor: factors.isEmpty ? 1 : factors[index])
          marks[index].cost = cost(at: index, isFirst: index == base)
        }
      }
    }
  }

  /// Returns the estimated bytes for a cell.
  @inline(__always)
  private func cost(at index: Int, isFirst: Bool) -> UInt8 {
    let colorBytes =
      switch profile.colorDepth {
      case .trueColor: 15
      case .palette256: 9
      case .ansi8, .ansi16: 3
      case .mono: 0
      }
    return CellChoice.cost(
      wanted[index], after: isFirst ? nil : wanted[index - 1],
      isLeftSent: !isFirst && marks[index - 1].mustBeSent, colorBytes: colorBytes)
  }

  /// Returns true if all image cells that differ are estimated to take no more than `bytes`.
  func isLikelyToFit(_ bytes: Int, _ isAffected: (Int) -> Bool) -> Bool {
    var left = bytes
    for row in 0..<rows where left >= 0 && isAffected(row) {
      let base = row * columns
      for index in base..<(base + columns) where marks[index].need == CellMark.Need.image {
        left -= Int(cost(at: index, isFirst: index == base))
      }
    }
    return left >= 0
  }

  struct Choice {
    var cells = 0
    var estimate = 0
    /// The row at which the choice among cells of the last score ended, if it did not take all of them.
    var lastRow: Int?
  }

  /// Marks the cells with the highest scores as chosen, up to an estimated number of bytes.
  ///
  /// Among cells of the lowest score, of which only some fit, it starts at `firstRow`.
  func chooseImages(
    within estimate: Int, from firstRow: Int, _ isAffected: (Int) -> Bool
  ) -> Choice {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: CellChoice.scores) { bytesOfScore in
      bytesOfScore.initialize(repeating: 0)
      for row in 0..<rows where isAffected(row) {
        for index in (row * columns)..<((row + 1) * columns)
        where marks[index].need >= CellMark.Need.image {
          bytesOfScore[Int(marks[index].score)] += Int(marks[index].cost)
        }
      }
      var threshold = CellChoice.scores
      var sum = 0
      while threshold > 0, sum + bytesOfScore[threshold - 1] <= estimate {
        threshold -= 1
        sum += bytesOfScore[threshold]
      }
      // All cells of a score from the threshold up are chosen, and some of the score below it.
      var quota = estimate - sum
      var choice = Choice()
      for n in 0..<rows {
        let row = (firstRow + n) % rows
        guard isAffected(row) else { continue }
        for index in (row * columns)..<((row + 1) * columns)
        where marks[index].need >= CellMark.Need.image {
          let cost = Int(marks[index].cost)
          var isChosen = Int(marks[index].score) >= threshold
          if !isChosen, Int(marks[index].score) == threshold - 1, quota > 0 {
            isChosen = true
            quota -= cost
            if quota <= 0 { choice.lastRow = row }
          }
          marks[index].need = isChosen ? CellMark.Need.chosen : CellMark.Need.image
          if isChosen {
            choice.cells += 1
            choice.estimate += cost
          }
        }
      }
      return choice
    }
  }

  /// Increments the age of every cell that still differs.
  func age() {
    for index in 0..<(columns * rows)
    where marks[index].mustBeSent && marks[index].age < 255 {
      marks[index].age += 1
    }
  }

  /// The rectangle of the whole screen.
  var bounds: CellRect { CellRect(x: 0, y: 0, width: columns, height: rows) }

  /// Returns the error in the image cells of a part of the screen, as in `ImageLoss.squaredError`, and the number of near
  /// cells.
  ///
  /// - Parameter differs: returns true if any cell of a row differs.
  func loss(in cells: CellRect, where differs: (Int) -> Bool) -> (squaredError: Int, near: Int) {
    let cells = cells.intersection(bounds)
    guard !cells.isEmpty else { return (0, 0) }
    return XtermPalette.rgb.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return (0, 0) }
      var sum = 0
      var near = 0
      for row in cells.y..<cells.maxY where differs(row) {
        for index in (row * columns + cells.x)..<(row * columns + cells.maxX)
        where marks[index].need != CellMark.Need.none {
          if marks[index].mustBeSent {
            sum += CellChoice.squaredError(wanted[index], shown[index], table: table)
          } else {
            near += 1
            sum += Int(CellTolerance.distance(shown[index], wanted[index]) ?? 0)
          }
        }
      }
      return (sum, near)
    }
  }
}
