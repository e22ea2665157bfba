import Pixels

/// Encodes the difference between a target grid and what the terminal shows.
///
/// It must be the only source of the program's output. Deliver every byte it appends, in order, and do not mix in bytes
/// that print, change colours or move the cursor; otherwise call `invalidate()`. Hide the cursor. Not thread-safe.
public struct DifferenceEncoder: Sendable {
  /// The terminal's capabilities. Changing colours or glyphs makes the next update clear the screen and send everything.
  public var profile: EncoderProfile {
    didSet {
      if profile.colorDepth != oldValue.colorDepth || profile.glyphSet != oldValue.glyphSet {
        resize(columns: grid.columns, rows: grid.rows)
      }
    }
  }

  /// The screen as the terminal shows it once it has processed all output, each cell as the profile can express it.
  ///
  /// After `init`, `invalidate` and `resize`, every cell is `Cell.unknown` until the next update.
  public var shown: CellGrid { grid }

  /// The images that share the bytes of each update; they should not overlap. Cells in none of them have the least weight.
  /// With fewer than two regions, all cells have the same weight.
  public var regions: [ImageRegion] {
    get { weights.regions }
    set { weights.set(newValue, columns: grid.columns, rows: grid.rows) }
  }

  /// The required fidelity of images. On a change back to `exact`, approximated cells are sent again.
  public var quality = ImageQuality.exact

  private var grid: CellGrid
  private var wanted: [Cell] = []
  /// Those of the target.
  private var fitted: [FittedCell] = []
  private var marks: [CellMark] = []
  /// For each row, the number of cells to send as chrome and as image, and of those that are near enough.
  private var rowNeeds: [(chrome: Int32, image: Int32, near: Int32)] = []
  /// The tolerances with which the last update decided which cells are near enough.
  private var measure = Measure(tolerance: .none, exact: [])
  /// The number of image cells in each row.
  private var rowImages: [Int32] = []
  /// Rows that show a wide glyph, whose halves need attention.
  private var rowHasWide: [Bool] = []
  /// The screen that a plan produces.
  private var planned: [Cell] = []
  private var rate = RateControl()
  private var refinement = Refinement.coarse
  private var weights = RegionWeights()
  private var scratch: [UInt8] = []
  private var pen = CellPainter.Pen()
  private var cursor = CellPainter.Cursor.unknown
  private var mustClear = true
  /// Rows compared cell by cell in the last update, and rows planned: unchanged rows cost neither.
  private(set) var rowsCompared = 0
  private(set) var rowsPlanned = 0
  /// The row at which the choice among equally different cells continues.
  private var firstRow = 0
  /// Actual bytes per 256 estimated ones, from the last update that had to choose.
  private var bytesPer256 = 256

  /// Creates an encoder for a terminal whose content is unknown.
  public init(columns: Int, rows: Int, profile: EncoderProfile) {
    self.profile = profile
    grid = CellGrid(columns: columns, rows: rows, filledWith: .unknown)
    resize(columns: columns, rows: rows)
  }

  /// Discards what is known of the terminal: the next update clears the screen and sends everything.
  public mutating func invalidate() {
    mustClear = true
    refinement = .coarse
    grid.fill(with: .unknown)
  }

  /// Records that other output has moved the cursor, and changed nothing else.
  public mutating func forgetCursor() { cursor = .unknown }

  /// Resizes the screen and discards what is known of the terminal.
  public mutating func resize(columns: Int, rows: Int) {
    grid.resize(columns: columns, rows: rows, filledWith: .unknown)
    let count = grid.columns * grid.rows
    wanted = Array(repeating: .unknown, count: count)
    marks = Array(repeating: CellMark(), count: count)
    planned = isPlanning ? Array(repeating: .unknown, count: count) : []
    rowNeeds = Array(repeating: (0, 0, 0), count: grid.rows)
    rowImages = Array(repeating: 0, count: grid.rows)
    rowHasWide = Array(repeating: false, count: grid.rows)
    scratch = Array(repeating: 0, count: CellPainter.rowCapacity(columns: grid.columns))
    weights.set(weights.regions, columns: grid.columns, rows: grid.rows)
    firstRow = 0
    mustClear = true
  }

  /// Returns the cell as the terminal will show it, limited to the profile's colour depth and glyph set.
  ///
  /// Halves of wide glyphs are returned unchanged, as they depend on their neighbours.
  public func expressed(_ cell: Cell) -> Cell { CellNormalizer(profile).normal(cell) }

  /// Appends the bytes that bring the terminal closer to `target`.
  ///
  /// Chrome cells that differ are sent first, all of them, from top to bottom. Image cells follow within `imageBudget`
  /// bytes (nil: no limit; 0: none). The budget covers everything needed to send them and is never exceeded. Cells that do
  /// not fit are approximated or left as they are, starting where the least is lost. Encoding the same target again sends
  /// more of it, and nothing once the result is exact, or as close as `quality` requires. A target of another size resizes
  /// the encoder.
  public mutating func encode(
    _ target: CellGrid, imageBudget: Int?, into bytes: inout [UInt8]
  ) -> EncodeResult {
    if target.columns != grid.columns || target.rows != grid.rows {
      resize(columns: target.columns, rows: target.rows)
    }
    guard grid.columns > 0, grid.rows > 0 else { return EncodeResult() }
    (rowsCompared, rowsPlanned) = (0, 0)
    fitted = target.fitted
    defer { fitted = [] }
    let start = bytes.count
    let clears = mustClear
    if clears {
      grid.fill(with: .blank)
      for row in rowHasWide.indices { rowHasWide[row] = false }
    }
    let need = compare(target, isAnew: clears)
    var result = EncodeResult()
    result.cellsLeft = need.chrome + need.image
    result.cellsNear = need.near
    result.loss.cells = rowImages.reduce(0) { $0 + Int($1) }
    guard clears || result.cellsLeft > 0 || result.cellsNear > 0 else { return result }

    let isSynchronized = profile.synchronizedUpdates
    if isSynchronized { bytes.append(contentsOf: DifferenceEncoder.synchronizedBegin) }
    if clears {
      bytes.append(contentsOf: DifferenceEncoder.clear)
      pen = CellPainter.Pen()
      cursor = CellPainter.Cursor(column: 0, row: 0)
      mustClear = false
    }
    let closing = isSynchronized ? DifferenceEncoder.synchronizedEnd.count : 0
    let hasChrome = clears || need.chrome > 0
    // Without chrome, the wrapping is there for the images alone.
    let wrapping = hasChrome ? 0 : bytes.count - start + closing
    let budget = imageBudget.map { max(0, $0 - wrapping) }
    var imageBytes = 0
    withPainter(left: result.cellsLeft) { painter, encoder in
      if need.chrome > 0 {
        for row in 0..<painter.rows where encoder.rowNeeds[row].chrome > 0 {
          _ = painter.paintRow(row, need: CellMark.Need.chrome, limit: .max)
          painter.flush(into: &bytes)
        }
      }
      let before = bytes.count
      if need.image > 0 { encoder.paintImages(&painter, budget: budget, into: &bytes) }
      imageBytes = bytes.count - before
      if let imageBudget, imageBudget > 0, painter.cellsLeft > 0 { painter.age() }
      let needs = encoder.rowNeeds
      func differs(_ row: Int) -> Bool { needs[row] != (0, 0, 0) }
      if painter.cellsLeft > 0 || !painter.tolerance.isNone {
        (result.loss.squaredError, result.cellsNear) = painter.loss(in: painter.bounds, where: differs)
      }
      if painter.cellsLeft > 0 || result.cellsNear > 0 {
        encoder.weights.learn { painter.loss(in: $0, where: differs).squaredError }
      }
      result.cellsSent = painter.cellsSent
      result.cellsLeft = painter.cellsLeft
    }
    if !hasChrome, imageBytes == 0 {
      bytes.removeLast(bytes.count - start)
    } else if isSynchronized {
      bytes.append(contentsOf: DifferenceEncoder.synchronizedEnd)
    }
    result.bytes = bytes.count - start
    result.imageBytes = imageBytes > 0 ? imageBytes + wrapping : 0
    return result
  }

  private static let synchronizedBegin = Array("\u{1B}[?2026h".utf8)
  private static let synchronizedEnd = Array("\u{1B}[?2026l".utf8)
  private static let clear = Array("\u{1B}[m\u{1B}[H\u{1B}[2J".utf8)

  // MARK: The steps of an update

  /// The tolerances that decide which cells are near enough, and the cells without tolerance.
  private struct Measure: Equatable {
    var tolerance: CellTolerance
    var exact: [Bool]
  }

  /// Fills `wanted` and marks what differs from `grid`; returns how many cells of each kind do.
  ///
  /// - Parameter isAnew: whether the screen is cleared before.
  private mutating func compare(_ target: CellGrid, isAnew: Bool) -> (chrome: Int, image: Int, near: Int) {
    let normalizer = CellNormalizer(profile)
    let measure = Measure(tolerance: CellTolerance(quality, profile), exact: weights.exact)
    let (tolerance, exact) = (measure.tolerance, measure.exact)
    let isSameMeasure = measure == self.measure && !isAnew
    self.measure = measure
    let columns = grid.columns
    let rows = grid.rows
    var chrome = 0
    var image = 0
    var near = 0
    var hasNewTarget = false
    var compared = 0
    target.withCells { target in
      grid.withMutableCells { shown in
        wanted.withUnsafeMutableBufferPointer { wanted in
          marks.withUnsafeMutableBufferPointer { marks in
            exact.withUnsafeBufferPointer { exact in
              guard let target = target.baseAddress, let shown = shown.baseAddress,
                let wanted = wanted.baseAddress, let marks = marks.baseAddress
              else { return }
              for row in 0..<rows {
                let base = row * columns
                var comparison = RowComparison(
                  columns: columns, target: target + base, shown: shown + base, wanted: wanted + base,
                  marks: marks + base, tolerance: tolerance, exact: exact.isEmpty ? nil : exact.baseAddress.map { $0 + base })
                // Rows that stand still are many, and quickly told; of what was left unsent in them nothing is.
                if comparison.isShown {
                  if rowNeeds[row] != (0, 0, 0) { (marks + base).update(repeating: CellMark(), count: columns) }
                  rowNeeds[row] = (0, 0, 0)
                  continue
                }
                // So are those that stand still near to their target.
                let needs = rowNeeds[row]
                if isSameMeasure, needs.near > 0, needs.chrome == 0, needs.image == 0, !rowHasWide[row], comparison.isWanted {
                  near += Int(needs.near)
                  continue
                }
                compared += 1
                comparison.run(normalizer)
                if comparison.hasNewTarget { hasNewTarget = true }
                if comparison.hasOddGlyphs || rowHasWide[row] {
                  rowHasWide[row] = comparison.settleWideGlyphs()
                }
                rowNeeds[row] = (Int32(comparison.chrome), Int32(comparison.image), Int32(comparison.near))
                rowImages[row] = Int32(comparison.imageCells)
                chrome += comparison.chrome
                image += comparison.image
                near += comparison.near
              }
            }
          }
        }
      }
    }
    rowsCompared = compared
    if hasNewTarget { refinement = .coarse }
    return (chrome, image, near)
  }

  /// Lends the encoder's memory to a painter, and takes pen and cursor back from it.
  private mutating func withPainter(
    left: Int, _ body: (inout CellPainter, inout DifferenceEncoder) -> Void
  ) {
    // Taken out, so that the painter's pointers and `self` never reach the same array.
    var cells: [Cell] = []
    var wanted: [Cell] = []
    var marks: [CellMark] = []
    var scratch: [UInt8] = []
    swap(&cells, &grid.cells)
    swap(&wanted, &self.wanted)
    swap(&marks, &self.marks)
    swap(&scratch, &self.scratch)
    let exact = weights.exact
    cells.withUnsafeMutableBufferPointer { shown in
      wanted.withUnsafeMutableBufferPointer { wanted in
        marks.withUnsafeMutableBufferPointer { marks in
          scratch.withUnsafeMutableBytes { out in
            exact.withUnsafeBufferPointer { exact in
              guard let shown = shown.baseAddress, let wanted = wanted.baseAddress,
                let marks = marks.baseAddress, let out = out.baseAddress
              else { return }
              var painter = CellPainter(
                columns: grid.columns, rows: grid.rows, profile: profile, wanted: wanted, shown: shown,
                marks: marks, out: out, end: out, pen: pen, cursor: cursor)
              painter.cellsLeft = left
              painter.hasShapes = !fitted.isEmpty
              painter.tolerance = measure.tolerance
              painter.exact = exact.isEmpty ? nil : exact.baseAddress
              body(&painter, &self)
              pen = painter.pen
              cursor = painter.cursor
            }
          }
        }
      }
    }
    swap(&cells, &grid.cells)
    swap(&wanted, &self.wanted)
    swap(&marks, &self.marks)
    swap(&scratch, &self.scratch)
  }

  private mutating func paintImages(
    _ painter: inout CellPainter, budget: Int?, into bytes: inout [UInt8]
  ) {
    guard let budget, budget < painter.cellsLeft * CellPainter.worstCell else {
      for row in 0..<painter.rows where rowNeeds[row].image > 0 {
        _ = painter.paintRow(row, need: CellMark.Need.image, limit: .max)
        painter.flush(into: &bytes)
      }
      return
    }
    // The shortest thing worth sending: a move and a glyph.
    let least = 4
    guard budget >= least else { return }
    if isPlanning { return paintPlanned(&painter, budget: budget, into: &bytes) }
    painter.scoreImages(weighedBy: weights.factors) { rowNeeds[$0].image > 0 }
    var remaining = budget
    let passes = 4
    for pass in 1...passes where painter.cellsLeft > 0 && remaining >= least {
      let estimate = pass == passes ? Int.max : remaining * 256 / bytesPer256
      let choice = painter.chooseImages(within: estimate, from: firstRow) {
        rowNeeds[$0].image > 0
      }
      guard choice.cells > 0 else { break }
      var spent = 0
      var stoppedAt: Int?
      for n in 0..<painter.rows {
        let row = (firstRow + n) % painter.rows
        guard rowNeeds[row].image > 0 else { continue }
        let isDone = painter.paintRow(row, need: CellMark.Need.chosen, limit: remaining - spent)
        spent += painter.flush(into: &bytes)
        if !isDone {
          stoppedAt = row
          break
        }
      }
      remaining -= spent
      if pass == 1, choice.estimate > 0, stoppedAt == nil {
        bytesPer256 = max(64, min(1024, spent * 256 / choice.estimate))
      } else if stoppedAt != nil, pass == 1 {
        // Estimated too low: what was chosen costs more than the budget.
        bytesPer256 = min(1024, bytesPer256 + bytesPer256 / 8 + 1)
      }
      if let row = stoppedAt ?? choice.lastRow { firstRow = row }
      if stoppedAt != nil { break }
    }
  }

  // MARK: Within a budget, by plans

  /// The next pass of an image that takes more than one update.
  private enum Refinement {
    /// The whole image at once, as well as the bytes allow.
    case coarse
    /// Row by row, to look like the target; its λ is found when this pass begins.
    case fine(lambda: Float?)
    /// Row by row, cell by cell.
    case exact
  }

  /// True if cells that do not fit are approximated: half blocks can be, shades cannot.
  private var isPlanning: Bool { profile.glyphSet == .unicode }

  /// Sends as it is what fits; what does not waits for the next update.
  private mutating func paintWhole(_ painter: inout CellPainter, limit: Int, into bytes: inout [UInt8]) {
    var spent = 0
    for n in 0..<painter.rows {
      let row = (firstRow + n) % painter.rows
      guard rowNeeds[row].image > 0 else { continue }
      let isDone = painter.paintRow(row, need: CellMark.Need.image, limit: limit - spent)
      spent += painter.flush(into: &bytes)
      guard isDone else {
        firstRow = row
        return
      }
    }
  }

  /// Sends what is worth its bytes: of a new image all rows at once, then what is finer, row by row.
  private mutating func paintPlanned(_ painter: inout CellPainter, budget: Int, into bytes: inout [UInt8]) {
    if case .exact = refinement { return paintWhole(&painter, limit: budget, into: &bytes) }
    if painter.isLikelyToFit(budget, { rowNeeds[$0].image > 0 }) {
      return paintWhole(&painter, limit: budget, into: &bytes)
    }
    let before = bytes.count
    if case .coarse = refinement {
      paintStill(&painter, limit: Int(weights.stillShare * Float(budget)), into: &bytes)
    }
    while paintPlan(&painter, budget: budget - (bytes.count - before), into: &bytes), case .fine(_?) = refinement {}
    if case .exact = refinement {
      paintWhole(&painter, limit: budget - (bytes.count - before), into: &bytes)
    }
  }

  /// Sends images that rest as they are: what moves would leave them as they were planned once.
  private mutating func paintStill(_ painter: inout CellPainter, limit: Int, into bytes: inout [UInt8]) {
    let tolerance = painter.tolerance
    painter.tolerance = .none
    defer { painter.tolerance = tolerance }
    var spent = 0
    for region in weights.regions where region.isStill {
      let cells = region.cells.intersection(painter.bounds)
      for row in cells.y..<cells.maxY where rowNeeds[row].image > 0 {
        let isDone = painter.paintPart(row, cells.x..<cells.maxX, limit: limit - spent)
        spent += painter.flush(into: &bytes)
        guard isDone else { return }
      }
    }
  }

  /// Makes a plan and paints what of it fits, and tells what comes next. Returns whether all of it did.
  private mutating func paintPlan(_ painter: inout CellPainter, budget: Int, into bytes: inout [UInt8]) -> Bool {
    var isDone = false
    var planned: [Cell] = []
    swap(&planned, &self.planned)
    let weights = weights
    let affected = (0..<painter.rows).map { (firstRow + $0) % painter.rows }.filter { rowNeeds[$0].image > 0 }
    rowsPlanned = affected.count
    planned.withUnsafeMutableBufferPointer { planned in
      guard let planned = planned.baseAddress else { return }
      weights.factors.withUnsafeBufferPointer { factors in
        PlanMemory.with(columns: grid.columns, colors: PlanColors(profile)) { memory in
          var pass = PlanPass(
            painter: painter, rows: affected, memory: memory, planned: planned,
            factors: factors.isEmpty ? nil : factors.baseAddress)
          pass.fitted = fitted
          if case .fine(let lambda) = refinement {
            let regions = weights.regions.map(\.cells)
            let lambda = lambda ?? pass.fineLambda(below: rate.lambda, in: regions)
            pass.refine(at: lambda, budget: budget) { painter in painter.flush(into: &bytes) }
            if pass.stoppedAt != nil {
              refinement = .fine(lambda: lambda)
            } else {
              refinement = pass.finerLambda(than: lambda, in: regions).map { .fine(lambda: $0) } ?? .exact
            }
          } else {
            pass.run(&rate, budget: budget) { painter in painter.flush(into: &bytes) }
            refinement = .fine(lambda: nil)
          }
          painter = pass.painter
          if let row = pass.stoppedAt { firstRow = row }
          isDone = pass.stoppedAt == nil
        }
      }
    }
    swap(&planned, &self.planned)
    return isDone
  }
}
