import Glibc

/// The work of aligning one pair.
struct PairAligner {
  typealias Pair = (candidate: Int, reference: Int)

  let reference: Pictures
  var candidate: Pictures
  /// Rates to try, in reference frames for each candidate frame.
  let rates: [Double]
  var placement: PicturePlacement
  /// The curve from the reference's levels to the candidate's, as far as it is known.
  var toneFound: ToneCurve?
  /// Inside the candidate's borders, in the orientation of `candidate`.
  var candidatePicture = PictureRect.whole

  struct PicturePlacement {
    var rect = PictureRect.whole
    var isMirrored = false
    var quarterTurns = 0
  }

  struct Outcome {
    var frames: [Int?]
    var confidences: [Float]
    var rate = 1.0
    var isRelated: Bool
    var tone: ToneCurve?
    /// Too little moves to tell frames apart.
    var isStill = false
  }

  let n: Int, m: Int
  /// The pairs to choose from.
  let windows: CellWindows
  /// Findings about the pictures so far, if the pair is a part of a longer one.
  let isPlaced: Bool

  /// Who waits for the result.
  struct Supervision {
    var progress: (Double) -> Void
    var isCancelled: () -> Bool

    func reached(_ share: Double) throws {
      if isCancelled() { throw CancellationError() }
      progress(share)
    }
  }

  let syncPoints: [SyncPoint]

  init(reference: SignatureSequence, candidate: SignatureSequence, rates: [Double], syncPoints: [SyncPoint] = []) {
    isPlaced = false
    self.syncPoints = syncPoints.filter {
      (0..<reference.count).contains($0.reference) && (0..<candidate.count).contains($0.candidate)
    }
    self.reference = Pictures(reference)
    self.candidate = Pictures(candidate)
    self.rates = rates
    placement = PicturePlacement()
    n = reference.count
    m = candidate.count
    windows = CellWindows(candidateCount: m, referenceCount: LongAligner.isLong(n, m) ? 0 : n)
  }

  /// A part of a longer pair.
  init(
    reference: Pictures, candidate: Pictures, rate: Double, windows: CellWindows, placement: PicturePlacement,
    candidatePicture: PictureRect, syncPoints: [SyncPoint]
  ) {
    isPlaced = true
    self.reference = reference
    self.candidate = candidate
    self.windows = windows
    self.placement = placement
    self.candidatePicture = candidatePicture
    self.syncPoints = syncPoints
    rates = [rate]
    n = reference.count
    m = candidate.count
  }

  func unrelated() -> Outcome {
    Outcome(
      frames: [Int?](repeating: nil, count: m), confidences: [Float](repeating: 0.9, count: m), isRelated: false)
  }

  /// Cells of the coarse grid that lie within the candidate's picture.
  func mask(_ grid: SignatureGrid, _ rect: PictureRect) -> [Bool] {
    let inside = candidatePicture
    let slack = 0.25
    let columns = (0..<grid.width).map { x in
      Double(x) + slack >= inside.left * Double(grid.width) && Double(x + 1) - slack <= inside.right * Double(grid.width)
    }
    let rows = (0..<grid.height).map { y in
      Double(y) + slack >= inside.top * Double(grid.height) && Double(y + 1) - slack <= inside.bottom * Double(grid.height)
    }
    return rows.flatMap { row in columns.map { row && $0 } }
  }

  /// The same without some cells of the coarse grid.
  func mask(_ grid: SignatureGrid, _ rect: PictureRect, without cells: [Bool]) -> [Bool] {
    let scale = grid.width / SignatureGrid.coarse.width
    return mask(grid, rect).enumerated().map { i, isUsed in
      isUsed && !cells[i / grid.width / scale * SignatureGrid.coarse.width + i % grid.width / scale]
    }
  }

  func steps(_ rate: Double) -> [Float] { [Float](repeating: Float(rate), count: m) }

  func search(_ rate: Double, _ costs: PairCosts) -> PathSearch {
    PathSearch(
      windows: windows, steps: steps(rate), hints: [Int8](repeating: -1, count: m), repeats: costs.repeats)
  }

  func pairs(_ frames: [Int?]) -> [Pair] {
    frames.enumerated().compactMap { c, r in r.map { (c, $0) } }
  }
}
