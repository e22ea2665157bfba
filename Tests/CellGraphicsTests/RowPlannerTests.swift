@testable import CellGraphics
import TestSupport
import Testing

/// The planner beside one that leaves nothing out.
@Suite(.timeLimit(.minutes(20))) struct RowPlannerTests {
  /// A row of soft colours with edges, grain and chrome between, in the colours of a depth.
  private func row(_ columns: Int, _ depth: ColorDepth, _ random: inout TestRandom) -> [Cell] {
    var color = SIMD3<Int>(repeating: 128)
    let (step, grain) = (Int.random(in: 0...40, using: &random), Int.random(in: 0...6, using: &random))
    func next() -> CellColor {
      if random.chance(9) { for n in 0..<3 { color[n] = Int(random.byte()) } }
      for n in 0..<3 {
        color[n] = max(0, min(255, color[n] + (step == 0 || random.chance(3) ? 0 : Int.random(in: -step...step, using: &random))))
      }
      let c = (0..<3).map { UInt8(max(0, min(255, color[$0] + (grain == 0 ? 0 : Int.random(in: -grain...grain, using: &random))))) }
      return XtermPalette.nearest(to: .rgb(c[0], c[1], c[2]), depth: depth)
    }
    return (0..<columns).map { _ in
      if random.chance(20) { return random.chance(2) ? random.chromeCell() : .blank }
      if random.chance(60) {
        return Cell(glyph: 0x2592, foreground: next(), background: next(), isImage: true)
      }
      if depth == .mono { return random.imageCell(.mono) }
      let (upper, lower) = (next(), next())
      return Cell(
        glyph: upper == lower ? 0x20 : 0x2580, foreground: upper == lower ? .default : upper, background: lower,
        isImage: true)
    }
  }

  @Test(.timeLimit(.minutes(20)), arguments: [
    PlanColors.direct, .directAndPalette, .palette(.palette256), .palette(.ansi16), .palette(.ansi8), .mono,
  ])
  func nothingBetterIsLeftOut(colors: PlanColors) {
    let depth: ColorDepth =
      switch colors {
      case .direct, .directAndPalette: .trueColor
      case .palette(let depth): depth
      case .mono: .mono
      }
    for seed in TestSeeds.first(30) {
      var random = TestRandom(seed)
      let columns = Int.random(in: 1...(seed % 4 == 0 ? 200 : 90), using: &random)
      let wanted = row(columns, depth, &random)
      // Some of what is shown is right, some old, some unknown.
      let old = row(columns, depth, &random)
      let shown = zip(wanted, old).map { wanted, old in
        !wanted.isImage || random.chance(3) ? wanted : random.chance(30) ? Cell.unknown : old
      }
      let marks = (0..<columns).map { x in
        CellMark(
          need: wanted[x].looksLike(shown[x]) ? CellMark.Need.none : CellMark.Need.image,
          age: random.chance(3) ? random.byte() : 0)
      }
      let factors: [Float]? = random.chance(2) ? nil : (0..<columns).map { _ in [1, 1.7, 4.2].randomElement(using: &random) ?? 1 }
      let lambdas: [Float] = [0.01, 1, 30, 170.3, 900, 5000, 1e6]
      let lambda = lambdas[Int.random(in: 0..<lambdas.count, using: &random)]
      let canEraseLine = random.chance(2)
      let canEraseCells = random.chance(2)
      let pen = CellPainter.Pen(
        foreground: depth == .mono ? .default : wanted.randomElement(using: &random)?.foreground ?? .default,
        background: depth == .mono ? .default : wanted.randomElement(using: &random)?.background ?? .default)
      let weighsAge = random.chance(2)
      let repeats = random.chance(2)
      let expected = ReferencePlanner(
        lambda: lambda, colors: colors, canEraseLine: canEraseLine, canEraseCells: canEraseCells, repeats: repeats,
        weighsAge: weighsAge
      ).plan(wanted: wanted, shown: shown, marks: marks, factors: factors, pen: pen)
      var planned = [Cell](repeating: .unknown, count: columns)
      let bytes = PlanMemory.with(columns: columns, colors: colors) { memory in
        let planner = RowPlanner(
          lambda: lambda, columns: columns, erasing: .init(line: canEraseLine, cells: canEraseCells), repeats: repeats,
          weighsAge: weighsAge, memory: memory)
        return planned.withUnsafeMutableBufferPointer { planned in
          func plan(_ factors: UnsafePointer<Float>?) -> Float {
            planner.plan(
              wanted: wanted, shown: shown, marks: marks, factors: factors, pen: pen, planned: planned.baseAddress!
            ).bytes
          }
          return factors.map { $0.withUnsafeBufferPointer { plan($0.baseAddress) } } ?? plan(nil)
        }
      }
      let different = planned.indices.first { planned[$0] != expected.cells[$0] }
      #expect(different == nil && bytes == expected.bytes, "seed \(seed), λ \(lambda), \(columns) columns")
      guard different == nil else { return }
    }
  }

  /// Where bytes cost nothing, what is planned is what is meant, cell for cell: there plans and the exact encoder meet.
  @Test(arguments: [PlanColors.direct, .palette(.palette256), .palette(.ansi16), .palette(.ansi8), .mono])
  func withoutAPriceForBytesPlansAreExact(colors: PlanColors) {
    let depth: ColorDepth =
      switch colors {
      case .palette(let depth): depth
      case .mono: .mono
      case .direct, .directAndPalette: .trueColor
      }
    for seed in TestSeeds.first(20) {
      var random = TestRandom(seed)
      let columns = Int.random(in: 1...(seed % 4 == 0 ? 200 : 90), using: &random)
      let (wanted, shown) = (row(columns, depth, &random), row(columns, depth, &random))
      let marks = (0..<columns).map {
        CellMark(need: wanted[$0].looksLike(shown[$0]) ? CellMark.Need.none : CellMark.Need.image)
      }
      var planned = [Cell](repeating: .unknown, count: columns)
      PlanMemory.with(columns: columns, colors: colors) { memory in
        let planner = RowPlanner(
          lambda: LambdaSearch.range.lowerBound, columns: columns, erasing: .init(line: true, cells: true), repeats: true,
          weighsAge: true, memory: memory)
        planned.withUnsafeMutableBufferPointer { planned in
          // A row has cells.
          _ = planner.plan(
            wanted: wanted, shown: shown, marks: marks, factors: nil, pen: .init(), planned: planned.baseAddress!)
        }
      }
      let different = planned.indices.first { !planned[$0].looksLike(wanted[$0]) }
      #expect(different == nil, "seed \(seed), column \(different ?? 0) of \(columns)")
    }
  }
}
