/// A part of the screen with its own image, when several share the bytes of an update.
public struct ImageRegion: Hashable, Sendable {
  public var cells: CellRect
  /// The weight of losses in this region; above 0, normally 1.
  public var emphasis: Float
  /// True if the image is unchanged since the last update. Beside moving images, it is sent cell by cell with a share of
  /// the bytes.
  public var isStill: Bool
  /// True if the image must be exact whatever the encoder's `quality`, for one that is examined closely.
  public var isExact: Bool

  public init(cells: CellRect, emphasis: Float = 1, isStill: Bool = false, isExact: Bool = false) {
    self.cells = cells
    self.emphasis = emphasis
    self.isStill = isStill
    self.isExact = isExact
  }
}

/// The weight of each cell's loss, when images share the bytes of an update.
///
/// In an image that moves much, the same difference is seen less than in a calm one, which would else get what the wild
/// ones leave. So an image's loss weighs by its emphasis, and by how much less it loses than the one that loses most: the
/// derivative of its logarithm, so that the sum of all images' decibels is as high as the bytes allow.
struct RegionWeights {
  private(set) var regions: [ImageRegion] = []
  /// Mean weighted squares of each, smoothed over some updates; nil before the first.
  private var losses: [Float?] = []
  /// A factor for each cell, 1 or more; empty where there are fewer than two regions.
  private(set) var factors: [Float] = []
  /// Which cells are exact whatever the quality is; empty where none is.
  private(set) var exact: [Bool] = []
  private var bounds = CellRect(x: 0, y: 0, width: 0, height: 0)

  /// An image weighs at most so many times what another one of the same emphasis does.
  private static let most: Float = 8
  /// What rests has no more than this part of the bytes.
  private static let maxStill: Float = 0.5
  /// Less than this cannot be seen: squares of two steps of a component.
  private static let minLoss: Float = 4

  mutating func set(_ regions: [ImageRegion], columns: Int, rows: Int) {
    let bounds = CellRect(x: 0, y: 0, width: columns, height: rows)
    guard regions != self.regions || bounds != self.bounds else { return }
    // A change of emphasis changes nothing of what is lost.
    if regions.map(\.cells) != self.regions.map(\.cells) {
      losses = Array(repeating: nil, count: regions.count)
    }
    self.regions = regions
    self.bounds = bounds
    factors = regions.count > 1 ? Array(repeating: 1, count: columns * rows) : []
    exact = regions.contains(where: \.isExact) ? Array(repeating: false, count: columns * rows) : []
    for region in regions where region.isExact {
      let cells = region.cells.intersection(bounds)
      for y in cells.y..<cells.maxY {
        for x in cells.x..<cells.maxX { exact[y * columns + x] = true }
      }
    }
    weigh()
  }

  /// The part of the bytes that images which rest have to themselves.
  var stillShare: Float {
    let still = regions.reduce(0) { $1.isStill ? $0 + $1.emphasis : $0 }
    return still > 0 ? min(still / regions.reduce(0) { $0 + $1.emphasis }, Self.maxStill) : 0
  }

  /// Learns what each region has lost in an update.
  ///
  /// - Parameter squaredError: what a part of the screen has lost, as in `ImageLoss.squaredError`.
  mutating func learn(_ squaredError: (CellRect) -> Int) {
    guard !factors.isEmpty else { return }
    for (n, region) in regions.enumerated() {
      let cells = region.cells.intersection(bounds)
      let now = cells.isEmpty ? 0 : Float(squaredError(cells)) / Float(6 * cells.width * cells.height)
      losses[n] = losses[n].map { $0 * 0.8 + now * 0.2 } ?? now
    }
    weigh()
  }

  private mutating func weigh() {
    guard !factors.isEmpty else { return }
    let known = losses.compactMap { $0 }.map { max($0, Self.minLoss) }
    let highest = known.max() ?? 1
    var weights = zip(regions, losses).map { region, loss in
      max(region.emphasis, 0.01) * min(highest / max(loss ?? highest, Self.minLoss), Self.most)
    }
    let least = weights.min() ?? 1
    weights = weights.map { $0 / least }
    for (region, weight) in zip(regions, weights) {
      let cells = region.cells.intersection(bounds)
      for y in cells.y..<cells.maxY {
        for x in cells.x..<cells.maxX { factors[y * bounds.width + x] = weight }
      }
    }
  }
}
