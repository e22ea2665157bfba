import CellGraphics
import TestSupport
import Testing

@Suite struct EncoderFuzzTests {
  static let profiles: [EncoderProfile] = ColorDepth.allCases.flatMap { depth in
    [
      EncoderProfile(colorDepth: depth),
      EncoderProfile(colorDepth: depth, synchronizedUpdates: true, repeatsGlyphs: true),
      EncoderProfile(colorDepth: depth, glyphSet: .ascii, erasesCells: true),
      EncoderProfile(
        colorDepth: depth, synchronizedUpdates: true, repeatsGlyphs: true, erasesCells: true,
        backColorErase: true),
      EncoderProfile(colorDepth: depth, backColorErase: true),
      EncoderProfile(colorDepth: depth, erasesCells: true, backColorErase: true),
      EncoderProfile(colorDepth: depth, erasesCells: true, backColorErase: true, hasStandardPalette: true),
    ]
  }

  /// Updates with budgets, changes between them, both qualities, images side by side, resizes and invalidations: the terminal always shows
  /// `shown`, the budget holds, and what is said to be exact is.
  @Test(arguments: profiles)
  func theTerminalShowsWhatTheEncoderThinks(profile: EncoderProfile) {
    for seed in TestSeeds.first(24, and: [380]) {
      var random = TestRandom(seed)
      var columns = Int.random(in: 1...70, using: &random)
      var rows = Int.random(in: 1...9, using: &random)
      var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: profile)
      var terminal = ReferenceTerminal(columns: columns, rows: rows, profile: profile)
      var target = random.grid(columns, rows, profile.colorDepth)
      for step in 0..<20 {
        if random.chance(12) {
          // A target of another size resizes too.
          columns = columns % 70 + 1
          rows = Int.random(in: 1...9, using: &random)
          if random.chance(2) { encoder.resize(columns: columns, rows: rows) }
          terminal = ReferenceTerminal(columns: columns, rows: rows, profile: profile)
          target = random.grid(columns, rows, profile.colorDepth)
        } else if random.chance(12) {
          encoder.invalidate()
          terminal = ReferenceTerminal(columns: columns, rows: rows, profile: profile)
        } else if random.chance(4) {
          target = random.grid(columns, rows, profile.colorDepth)
        } else if random.chance(3) {
          random.nudge(&target)
        } else {
          random.change(&target, profile.colorDepth, cells: random.chance(2) ? 3 : 60)
        }
        if random.chance(4) { encoder.quality = encoder.quality == .exact ? .high : .exact }
        if random.chance(4) { encoder.regions = random.regions(columns, rows) }
        let budget: Int? =
          random.chance(3) ? nil : [0, 1, 20, 60, 128, 300, 900].randomElement(using: &random)
        var bytes: [UInt8] = [1, 2, 3]
        let result = encoder.encode(target, imageBudget: budget, into: &bytes)
        terminal.feed(bytes.dropFirst(3))
        #expect(Array(bytes.prefix(3)) == [1, 2, 3])
        #expect(result.bytes == bytes.count - 3)
        if let budget { #expect(result.imageBytes <= budget) }
        let difference = terminal.firstDifference(from: encoder.shown)
        if !terminal.faults.isEmpty || difference != nil || terminal.isSynchronizing {
          Issue.record(
            "seed \(seed) step \(step) \(columns)×\(rows): \(terminal.faults.prefix(3)) \(difference ?? "")")
          return
        }
        if let problem = disagreement(encoder, target, result) {
          Issue.record("seed \(seed) step \(step): \(problem)")
          return
        }
        if result.isExact {
          var more: [UInt8] = []
          #expect(encoder.encode(target, imageBudget: nil, into: &more).bytes == 0)
          #expect(more.isEmpty)
        }
      }
    }
  }

  /// What is wrong with the result, judged from the target without the encoder's own marks.
  func disagreement(_ encoder: DifferenceEncoder, _ target: CellGrid, _ result: EncodeResult) -> String? {
    let shown = encoder.shown
    var left = 0
    var near = 0
    for row in 0..<target.rows {
      var column = 0
      while column < target.columns {
        let cell = target[column: column, row: row]
        var wanted = encoder.expressed(cell)
        let next = column + 1 < target.columns ? target[column: column + 1, row: row].glyph : 1
        let isWide = ReferenceTerminal.isWide(wanted.glyph)
        if cell.glyph == 0 || isWide && next != 0 {
          wanted.glyph = 0x20
          wanted = encoder.expressed(wanted)
        }
        if !shown[column: column, row: row].looksLike(wanted) {
          if !cell.isImage { return "chrome at (\(column), \(row)) is not \(wanted)" }
          if isNear(shown[column: column, row: row], wanted, encoder) { near += 1 } else { left += 1 }
        }
        column += isWide && next == 0 ? 2 : 1
      }
    }
    if result.isExact != (left + near == 0) { return "isExact is \(result.isExact), but \(left + near) cells differ" }
    if near != result.cellsNear { return "\(result.cellsNear) cells near, in truth \(near)" }
    return left == result.cellsLeft ? nil : "\(result.cellsLeft) cells left, in truth \(left)"
  }

  /// Whether a cell is 46 dB near to what is wanted, and may be.
  private func isNear(_ shown: Cell, _ wanted: Cell, _ encoder: DifferenceEncoder) -> Bool {
    func isDirect(_ color: CellColor) -> Bool { if case .rgb = color.kind { true } else { false } }
    guard encoder.quality == .high, encoder.profile.colorDepth == .trueColor, encoder.profile.glyphSet == .unicode,
      [shown, wanted].allSatisfy({
        ($0.glyph == 0x20 || $0.glyph == 0x2580 && isDirect($0.foreground)) && isDirect($0.background)
          && $0.attributes == [] && $0.isImage
      })
    else { return false }
    return Double(squaredError(shown, wanted)) <= 6 * 65_025 / 39_811
  }

  @Test(arguments: ColorDepth.allCases, [128, 200, 1000])
  func theSameTargetBecomesExact(depth: ColorDepth, budget: Int) {
    let profile = EncoderProfile(colorDepth: depth, synchronizedUpdates: true)
    var random = TestRandom(7)
    var encoder = DifferenceEncoder(columns: 40, rows: 10, profile: profile)
    var terminal = ReferenceTerminal(columns: 40, rows: 10, profile: profile)
    let target = random.grid(40, 10, depth)
    var updates = 0
    while updates < 1000 {
      updates += 1
      var bytes: [UInt8] = []
      let result = encoder.encode(target, imageBudget: budget, into: &bytes)
      terminal.feed(bytes)
      if result.isExact { break }
    }
    #expect(updates < 1000)
    #expect(terminal.faults.isEmpty)
    #expect(terminal.firstDifference(from: encoder.shown) == nil)
    var bytes: [UInt8] = []
    let again = encoder.encode(target, imageBudget: budget, into: &bytes)
    #expect(again.isExact && bytes.isEmpty && again.cellsSent == 0 && again.loss.squaredError == 0)
  }
}
