import CVTerm
import CellGraphics
import TestSupport
import Testing

/// The encoder against an emulator that others wrote.
@Suite(.timeLimit(.minutes(20))) struct VTermCrossCheckTests {
  /// Owns one libvterm instance; used by one test, on one thread.
  private final class Emulator {
    private let terminal: OpaquePointer
    private let screen: OpaquePointer

    init(columns: Int, rows: Int) throws {
      terminal = try #require(vterm_new(Int32(rows), Int32(columns)))
      vterm_set_utf8(terminal, 1)
      screen = try #require(vterm_obtain_screen(terminal))
      vterm_screen_reset(screen, 1)
    }

    deinit { vterm_free(terminal) }

    func feed(_ bytes: [UInt8]) {
      bytes.withUnsafeBytes { raw in
        _ = vterm_input_write(terminal, raw.bindMemory(to: CChar.self).baseAddress, raw.count)
      }
    }

    func cell(_ column: Int, _ row: Int) -> Cell {
      var cell = VTermScreenCell()
      vterm_screen_get_cell(screen, VTermPos(row: Int32(row), col: Int32(column)), &cell)
      func color(_ color: VTermColor) -> CellColor {
        if color.type & 6 != 0 { return .default }
        if color.type & 1 != 0 { return .indexed(color.indexed.idx) }
        return .rgb(color.rgb.red, color.rgb.green, color.rgb.blue)
      }
      var attributes: CellAttributes = []
      if cell.attrs.bold != 0 { attributes.insert(.bold) }
      if cell.attrs.italic != 0 { attributes.insert(.italic) }
      if cell.attrs.underline != 0 { attributes.insert(.underline) }
      if cell.attrs.reverse != 0 { attributes.insert(.reverse) }
      let glyph = cell.chars.0
      return Cell(
        glyph: glyph == UInt32.max ? 0 : glyph == 0 ? 0x20 : glyph, foreground: color(cell.fg),
        background: color(cell.bg), attributes: attributes)
    }
  }

  /// This emulator repeats other glyphs than half blocks only, so `repeatsGlyphs` stays out.
  @Test(arguments: ColorDepth.allCases, [true, false])
  func theEmulatorShowsTheTarget(depth: ColorDepth, erases: Bool) throws {
    let profile = EncoderProfile(
      colorDepth: depth, synchronizedUpdates: !erases, erasesCells: erases, backColorErase: erases,
      hasStandardPalette: erases)
    for seed in TestSeeds.first(12) {
      var random = TestRandom(seed)
      let columns = Int.random(in: 2...60, using: &random)
      let rows = Int.random(in: 1...9, using: &random)
      let emulator = try Emulator(columns: columns, rows: rows)
      var encoder = DifferenceEncoder(columns: columns, rows: rows, profile: profile)
      var target = random.grid(columns, rows, depth)
      for step in 0..<15 {
        // Frames of real clips among what is random, where there are some.
        if step % 5 == 3, !RealFrames.all.isEmpty {
          let frames = RealFrames.all[Int(seed % UInt64(RealFrames.all.count))]
          RealFrames.draw(frames[(Int(seed % 1000) * 7 + step) % frames.count], into: &target, for: profile)
        }
        if random.chance(2) { random.change(&target, depth, cells: 40) } else { random.nudge(&target) }
        encoder.quality = random.chance(2) ? .high : .exact
        encoder.regions = random.regions(columns, rows)
        var bytes: [UInt8] = []
        _ = encoder.encode(target, imageBudget: random.chance(2) ? nil : 400, into: &bytes)
        emulator.feed(bytes)
        let shown = encoder.shown
        for row in 0..<rows {
          for column in 0..<columns {
            var wanted = shown[column: column, row: row]
            var actual = emulator.cell(column, row)
            // This emulator knows no dim, and says nothing of the right half's colours.
            wanted.attributes.remove(.dim)
            if wanted.glyph == 0 { (wanted, actual) = (Cell(glyph: wanted.glyph), Cell(glyph: actual.glyph)) }
            if !looksSame(actual, wanted) {
              Issue.record("seed \(seed) step \(step) (\(column), \(row)): \(actual), not \(wanted)")
              return
            }
          }
        }
      }
    }
  }
}
