/// Mixtures of two palette entries for every colour.
///
/// For each colour, the pair whose mixture loses least: the error of its mean, plus its grain (the variance of the mixed
/// colours), weighted by `Dithering.grainWeight`. Grain of hue weighs more than grain of brightness: pixels of a terminal are
/// too large to merge, and specks of a foreign colour hide what a frame shows. With 256 colours, the candidates are the corners of the colour's cell in
/// the cube and the two greys next to it; with 16 and 8, all.
struct PaletteMixtures {
  private let weights = SIMD4<Float>(2, 4, 3, 0)
  /// The weight of grain in bright colours.
  private let minWeight: Float
  /// The weight that grain of hue has besides.
  private let hueWeight: Float
  private let count: Float
  /// The candidates for every colour; empty with 256 colours.
  private let few: [Entry]

  /// - Parameter count: the number of parts in a mixture.
  init(_ depth: ColorDepth, _ dithering: Dithering, count: Int) {
    // Few colours are far apart: without more grain, most of the others would be lost.
    minWeight = dithering.grainWeight * (depth == .palette256 ? 1 : 0.5)
    hueWeight = minWeight * (depth == .palette256 ? 0.75 : 3)
    self.count = Float(count)
    let entries =
      switch depth {
      case .ansi8: 8
      case .ansi16: 16
      case .palette256, .trueColor, .mono: 0
      }
    few = XtermPalette.rgb.prefix(entries).enumerated().map { index, rgb in
      Entry(index: UInt8(index), color: PlanColor.components(rgb))
    }
  }

  /// A mixture of two entries, darker one first.
  struct Mixture {
    var darker: UInt8
    var lighter: UInt8
    /// The number of parts of the lighter one.
    var parts: Int
  }

  private struct Entry {
    var index: UInt8
    var color: SIMD4<Float>
  }

  func mixture(red: Int, green: Int, blue: Int) -> Mixture {
    let wanted = SIMD4<Float>(Float(red), Float(green), Float(blue), 0)
    if !few.isEmpty { return few.withUnsafeBufferPointer { best(of: $0, for: wanted) } }
    return withUnsafeTemporaryAllocation(of: Entry.self, capacity: 10) { entries in
      // All ten are written before any is read.
      fill(entries, red, green, blue)
      return best(of: UnsafeBufferPointer(entries), for: wanted)
    }
  }

  private func best(of entries: UnsafeBufferPointer<Entry>, for wanted: SIMD4<Float>) -> Mixture {
    let grainWeight = grainWeight(of: wanted)
    var best = (cost: Float.infinity, first: 0, second: 0, parts: Float(0))
    for first in 0..<entries.count {
      let offset = wanted - entries[first].color
      let own = (offset * offset * weights).sum()
      if own < best.cost { best = (own, first, first, 0) }
      for second in (first + 1)..<max(first + 1, entries.count) {
        let way = entries[second].color - entries[first].color
        let weighed = way * weights
        let square = (way * weighed).sum()
        guard square > 0 else { continue }
        let along = (offset * weighed).sum()
        // A difference of brightness is the same in all components: their weighted mean.
        let brightness = weighed.sum() / weights.sum()
        let hue = max(0, 1 - brightness * brightness * weights.sum() / square)
        let grainWeight = min(grainWeight + hueWeight * hue, 0.9)
        // The ratio at which mean and grain together cost least, before it is rounded to whole parts.
        let part = (along / square - grainWeight / 2) / (1 - grainWeight)
        let parts = (min(max(part, 0), 1) * count).rounded()
        guard parts > 0, parts < count else { continue }
        let share = parts / count
        let cost = own - 2 * share * along + share * share * square + grainWeight * share * (1 - share) * square
        if cost < best.cost { best = (cost, first, second, parts) }
      }
    }
    let (first, second) = (entries[best.first], entries[best.second])
    if luma(first.color) <= luma(second.color) {
      return Mixture(darker: first.index, lighter: second.index, parts: Int(best.parts))
    }
    return Mixture(darker: second.index, lighter: first.index, parts: Int(count - best.parts))
  }

  /// Returns the weight of grain, which is most visible in dark colours, where a step is a larger part of the brightness.
  private func grainWeight(of color: SIMD4<Float>) -> Float {
    // With few colours, everything would be black otherwise.
    guard few.isEmpty else { return minWeight }
    let darkness = 1 - luma(color) / 2550
    return min(minWeight * (1 + 4 * darkness * darkness * darkness * darkness), 0.9)
  }

  /// Returns the luma, 0–2550.
  private func luma(_ color: SIMD4<Float>) -> Float { (color * SIMD4(3, 6, 1, 0)).sum() }

  private func fill(_ entries: UnsafeMutableBufferPointer<Entry>, _ red: Int, _ green: Int, _ blue: Int) {
    let (r, g, b) = (Self.step(below: red), Self.step(below: green), Self.step(below: blue))
    for corner in 0..<8 {
      let (x, y, z) = (r + corner >> 2, g + corner >> 1 & 1, b + corner & 1)
      entries.initializeElement(at: corner, to: Entry(index: UInt8(16 + 36 * x + 6 * y + z), color: Self.color(x, y, z)))
    }
    let mean = (2 * red + 4 * green + 3 * blue) / 9
    let grey = max(0, min(22, (mean - 8) / 10))
    for n in 0...1 {
      let level = Float(8 + 10 * (grey + n))
      entries.initializeElement(
        at: 8 + n, to: Entry(index: UInt8(232 + grey + n), color: SIMD4(level, level, level, 0)))
    }
  }

  /// Returns the cube's last step at or below a component that has another step above it.
  private static func step(below value: Int) -> Int { value < 95 ? 0 : min(4, (value - 55) / 40) }

  private static func color(_ x: Int, _ y: Int, _ z: Int) -> SIMD4<Float> {
    let levels = XtermPalette.cubeLevels
    return SIMD4(Float(levels[x]), Float(levels[y]), Float(levels[z]), 0)
  }
}
