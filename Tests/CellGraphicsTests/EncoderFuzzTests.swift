import CellGraphics
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct EncoderFuzzTests {
  static let profiles: [EncoderProfile] = ColorDepth.allCases.flatMap { depth in
    [
      EncoderProfile(colorDepth: depth),
      EncoderProfile(colorDepth: depth, synchronizedUpdates: true, repeatsGlyphs: true),
      EncoderProfile(colorDepth: depth, glyphSet: .ascii, erasesCells: true),
      EncoderProfile(
        colorDepth: depth, synchronizedUpdates: true, repeatsGlyphs: true, erasesCells: true,
        backColorErase: true),
      EncoderProfile(colorDepth: depth, backColorErase: true),
      EncoderProfile(colorDepth: depth, erasesCells: true),
      EncoderProfile(colorDepth: depth, repeatsGlyphs: true, erasesCells: true),
      EncoderProfile(colorDepth: depth, erasesCells: true, backColorErase: true),
      EncoderProfile(colorDepth: depth, erasesCells: true, backColorErase: true, hasStandardPalette: true),
    ]
  }

  /// Updates with budgets, changes between them, both qualities, images side by side, resizes and invalidations.
  @Test(arguments: profiles)
  func theTerminalShowsWhatTheEncoderThinks(profile: EncoderProfile) {
    for seed in TestSeeds.first(8, and: [380]) {
      var random = TestRandom(seed)
      // Segments are up to 128 columns long.
      var columns = seed % 8 == 0 ? Int.random(in: 130...220, using: &random) : Int.random(in: 1...70, using: &random)
      var rows = Int.random(in: 1...9, using: &random)
      var checked = CheckedEncoder(columns: columns, rows: rows, profile: profile)
      var target = random.grid(columns, rows, profile.colorDepth)
      for step in 0..<20 {
        if random.chance(12) {
          // A target of another size resizes too.
          columns = columns % 70 + 1
          rows = Int.random(in: 1...9, using: &random)
          if random.chance(2) { checked.encoder.resize(columns: columns, rows: rows) }
          checked.loseTerminal(columns: columns, rows: rows)
          target = random.grid(columns, rows, profile.colorDepth)
        } else if random.chance(12) {
          checked.encoder.invalidate()
          checked.loseTerminal(columns: columns, rows: rows)
        } else if random.chance(4) {
          target = random.grid(columns, rows, profile.colorDepth)
        } else if random.chance(3) {
          random.nudge(&target)
        } else {
          random.change(&target, profile.colorDepth, cells: random.chance(2) ? 3 : 60)
        }
        random.turn(&checked.encoder, columns, rows)
        let budget: Int? =
          random.chance(3) ? nil : [0, 1, 20, 60, 128, 300, 900].randomElement(using: &random)
        if let problem = checked.update(target, budget: budget) {
          Issue.record("seed \(seed) step \(step) \(columns)×\(rows): \(problem)")
          return
        }
      }
    }
  }

  /// The same with frames of real clips that go on, with chrome and wide glyphs over them.
  @Test(.enabled(if: !RealFrames.all.isEmpty, Comment(rawValue: SharedClips.missing)), arguments: profiles)
  func theTerminalShowsRealFrames(profile: EncoderProfile) throws {
    for seed in TestSeeds.first(1) {
      var random = TestRandom(seed)
      let frames = try #require(RealFrames.all.randomElement(using: &random))
      let columns = Int.random(in: 8...72, using: &random)
      let rows = Int.random(in: 2...16, using: &random)
      var checked = CheckedEncoder(columns: columns, rows: rows, profile: profile)
      var target = CellGrid(columns: columns, rows: rows)
      var index = Int.random(in: 0..<frames.count, using: &random)
      let isWild = random.chance(3)
      for step in 0..<Soak.cases(40, else: 12) {
        if random.chance(8) { index = Int.random(in: 0..<frames.count, using: &random) }
        // Now and then the frame stands.
        if !random.chance(4) { index = (index + 1) % frames.count }
        RealFrames.draw(frames[index], into: &target, for: profile)
        if isWild || random.chance(4) { random.change(&target, profile.colorDepth, cells: 30) }
        random.turn(&checked.encoder, columns, rows)
        let budget: Int? = random.chance(3) ? nil : [0, 60, 300, 900, 2000, 4000].randomElement(using: &random)
        if let problem = checked.update(target, budget: budget) {
          Issue.record("seed \(seed) step \(step): \(problem)")
          return
        }
      }
    }
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
