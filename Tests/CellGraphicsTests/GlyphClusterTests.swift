import Testing

@testable import CellGraphics

/// Letters with marks in one number.
@Suite(.timeLimit(.minutes(20))) struct GlyphClusterTests {
  private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

  @Test(arguments: [
    "ก\u{E34}", "ก\u{E35}\u{E48}", "ש\u{5C1}\u{5B8}", "م\u{64E}\u{651}", "ک\u{650}", "क\u{941}", "ব\u{9C1}", "x\u{301}", "а\u{301}",
    "\u{FEE3}\u{64E}", "\u{FB35}\u{5B9}",
  ])
  func comesBackAsItWas(text: String) throws {
    let all = scalars(text)
    let code = GlyphCluster.code(all[0], Array(all.dropFirst()))
    #expect(code > 0x10FFFF && code != Cell.unknown.glyph && GlyphCluster.isCluster(code))
    #expect(GlyphCluster.scalars(of: code) == all && GlyphCluster.base(code) == all[0].value)
    #expect(!GlyphWidth.isCertainlyOne(code) && !GlyphWidth.cannotStandAlone(code))
  }

  @Test func whatDoesNotFitIsLeftOut() {
    let letter: Unicode.Scalar = "ก"
    #expect(GlyphCluster.code(letter, []) == letter.value)
    // Marks of another script, letters beyond the first plane, blanks, a third mark.
    #expect(GlyphCluster.code(letter, ["\u{64E}"]) == letter.value)
    #expect(GlyphCluster.code("😀", ["\u{301}"]) == 0x1F600)
    #expect(GlyphCluster.code(" ", ["\u{301}"]) == 0x20)
    #expect(GlyphCluster.scalars(of: GlyphCluster.code(letter, ["\u{E34}", "\u{E48}", "\u{E49}"])).count == 3)
    #expect(GlyphCluster.scalars(of: GlyphCluster.code("x", ["\u{301}", "\u{302}"])).count == 2)
  }

  @Test func otherNumbersAreAsEver() {
    for value: UInt32 in [0x20, 0x41, 0x2580, 0x4E2D, 0x1F600, 0x10FFFF] {
      #expect(GlyphCluster.scalars(of: value).map(\.value) == [value] && GlyphCluster.base(value) == value)
    }
    #expect(GlyphCluster.scalars(of: Cell.unknown.glyph).isEmpty && GlyphCluster.scalars(of: 0xD800).isEmpty)
    #expect(GlyphCluster.scalars(of: 0x110000).isEmpty)
  }

  @Test func isSentAsText() {
    var grid = CellGrid(columns: 6, rows: 2)
    let code = GlyphCluster.code("ก", ["\u{E35}", "\u{E48}"])
    for column in [0, 1, 5] { grid[column: column, row: 0] = Cell(glyph: code, foreground: .rgb(200, 0, 0)) }
    var encoder = DifferenceEncoder(columns: 6, rows: 2, profile: EncoderProfile(colorDepth: .trueColor))
    var bytes: [UInt8] = []
    _ = encoder.encode(grid, imageBudget: nil, into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self).ranges(of: "ก\u{E35}\u{E48}").count == 3)
    bytes = []
    _ = encoder.encode(grid, imageBudget: nil, into: &bytes)
    #expect(bytes.isEmpty)
  }

  /// Of a letter with marks REP repeats the last mark, or nobody knows what.
  @Test func onlySingleCharactersAreRepeated() {
    for (glyph, repeats) in [(0x2580, true), (GlyphCluster.code("ก", ["\u{E35}", "\u{E48}"]), false), (0x5D0, false)] as [(UInt32, Bool)] {
      var grid = CellGrid(columns: 12, rows: 2)
      for column in 0..<12 { grid[column: column, row: 0] = Cell(glyph: glyph, foreground: .rgb(200, 0, 0)) }
      let profile = EncoderProfile(colorDepth: .trueColor, repeatsGlyphs: true, marksDirection: true)
      var encoder = DifferenceEncoder(columns: 12, rows: 2, profile: profile)
      var bytes: [UInt8] = []
      _ = encoder.encode(grid, imageBudget: nil, into: &bytes)
      #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}[11b") == repeats)
    }
  }

  /// Where the terminal may order text by itself, each letter that runs to the left is kept where it is.
  @Test(arguments: [false, true]) func lettersThatRunToTheLeftAreMarked(isMarked: Bool) {
    var grid = CellGrid(columns: 8, rows: 1)
    let glyphs = scalars("aםוש").map(\.value) + [GlyphCluster.code("ש", ["\u{5B8}"]), 0xFEE1, 0x1E900, 0x4E]
    for (column, glyph) in glyphs.enumerated() { grid[column: column, row: 0] = Cell(glyph: glyph) }
    var encoder = DifferenceEncoder(columns: 8, rows: 1, profile: EncoderProfile(colorDepth: .trueColor, marksDirection: isMarked))
    var bytes: [UInt8] = []
    _ = encoder.encode(grid, imageBudget: nil, into: &bytes)
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
    #expect(text.count { $0 == "\u{200E}" } == (isMarked ? 6 : 0))
    for (i, scalar) in text.enumerated() where scalar == "\u{200E}" {
      let former = text[text.index(text.startIndex, offsetBy: i - 1)]
      #expect(GlyphWidth.isRightToLeft(former.value) && former != "a")
    }
  }
}
