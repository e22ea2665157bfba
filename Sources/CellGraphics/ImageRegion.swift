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
/// The same difference is less visible in an image with much motion than in a calm one, which would otherwise get only what
/// the busy ones leave. So an image's loss is weighted by its emphasis, and by how much less it loses than the image that
/// loses most. This is the derivative of the logarithm of the loss, so that the sum of all images' decibels is as high as
/// the bytes allow.
struct RegionWeights {
  private(set) var regions: [ImageRegion] = []
  /// The mean weighted squared error of each region, smoothed over some updates; nil before the first.
  private var losses: [Float?] = []
  /// A factor for each cell, 1 or more; empty if there are fewer than two regions.
  private(set) var factors: [Float] = []
  /// Cells that are exact whatever the quality; empty if there are none.
  private(set) var exact: [Bool] = []
  private var bounds = CellRect(x: 0, y: 0, width: 0, height: 0)

  /// The maximum ratio between the weights of two images of the same emphasis.
  private static let most: Float = 8
  /// The maximum share of the bytes for still images.
  private static let maxStill: Float = 0.5
  /// The smallest visible loss: two steps of a component, squared.
  private static let minLoss: Float = 4

  mutating func set(_ regions: [ImageRegion], columns: Int, rows: Int) {
    let bounds = CellRect(x: 0, y: 0, width: columns, height: rows)
    guard regions != self.regions || bounds != self.bounds else { return }
    // A change of emphasis does not change the losses.
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

  /// The share of the bytes reserved for still images.
  var stillShare: Float {
    let still = regions.reduce(0) { $1.isStill ? $0 + $1.emphasis : $0 }
    return still > 0 ? min(still / regions.reduce(0) { $0 + $1.emphasis }, Self.maxStill) : 0
  }

  /// Updates the losses of each region after an update.
  ///
  /// - Parameter squaredError: returns the error of a part of the screen, as in `ImageLoss.squaredError`.
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
