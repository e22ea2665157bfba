/// The blocks into which XPSNR divides a picture, and their weights.
struct XPSNRBlocks {
  /// Some columns and rows of a plane.
  struct Area: Hashable {
    var x, y, width, height: Int
  }

  /// The side of a block of luma; 0 for pictures that are too small for blocks.
  let side: Int
  /// True for pictures above 2048×1152, whose activity is taken of 2×2 samples at a time.
  let isHalved: Bool
  /// The blocks of each plane, row by row. Those of chroma have the weights of the luma blocks of the same number.
  let areas: [[Area]]

  private let form: MetricForm
  private let columns: Int
  private let isSmoothed: Bool
  private let unit, leastActivity: Double

  init(form: MetricForm) {
    self.form = form
    let (width, height) = (form.luma.width, form.luma.height)
    // Everything is relative to pictures of 3840×2160.
    let share = Double(width * height) / (3840 * 2160)
    side = 4 * Int(32 * share.squareRoot() + 0.5)
    isHalved = width * height > 2048 * 1152
    isSmoothed = width * height <= 640 * 480
    columns = side > 0 ? (width + side - 1) / side : 0
    areas = form.planes.map { [side] plane in
      let (across, down) = (side * plane.width / form.luma.width, side * plane.height / form.luma.height)
      return side > 0 ? Self.areas(plane, width: max(1, across), height: max(1, down)) : []
    }
    unit = (16 * Double(1 << (2 * form.depth - 9)) / max(1e-5, share).squareRoot()).squareRoot()
    leastActivity = Double(1 << (form.depth - 6))
  }

  private static func areas(_ size: MetricForm.PlaneSize, width: Int, height: Int) -> [Area] {
    stride(from: 0, to: size.height, by: height).flatMap { y in
      stride(from: 0, to: size.width, by: width).map { x in
        Area(x: x, y: y, width: min(width, size.width - x), height: min(height, size.height - y))
      }
    }
  }

  /// The part of a block whose texture is taken: without the edge of the picture. Nil if nothing is left.
  func inner(_ area: Area) -> Area? {
    let edge = isHalved ? 2 : 1
    let (left, top) = (area.x > 0 ? 0 : edge, area.y > 0 ? 0 : edge)
    let right = area.x + area.width < form.luma.width ? 0 : edge, bottom = area.y + area.height < form.luma.height ? 0 : edge
    let inner = Area(
      x: area.x + left, y: area.y + top, width: area.width - left - right, height: area.height - top - bottom)
    return inner.width > 0 && inner.height > 0 ? inner : nil
  }

  /// The weights of all blocks, by their activities.
  func weights(activities: [Double?]) -> [Double] {
    let weights = activities.map { $0.map { 1 / max($0, leastActivity) } ?? 1 }
    return isSmoothed ? smoothed(weights) : weights
  }

  /// A sum of weighted errors, in the unit of squared errors.
  func rounded(_ sum: Double) -> UInt64 { sum <= 0 ? 0 : UInt64(sum * unit + 0.5) }

  /// In small pictures, no block weighs more than the heaviest of its neighbours at the left, at the right and above. Blocks are
  /// limited in their order, so that a neighbour at the left already is.
  private func smoothed(_ weights: [Double]) -> [Double] {
    var weights = weights
    for i in weights.indices {
      let column = i % columns
      // The block before this one is limited now that its neighbour at the right, this one, is known. The last block of a row has
      // none.
      var most = column == 0 ? (i > 1 ? weights[i - 2] : 0) : weights[i]
      if column > 1 { most = max(most, weights[i - 2]) }
      if i > columns { most = max(most, weights[i - 1 - columns]) }
      if i > 0 { weights[i - 1] = min(weights[i - 1], most) }
    }
    let last = weights.count - 1
    if last > columns { weights[last] = min(weights[last], max(weights[last - 1], weights[last - columns])) }
    return weights
  }
}
