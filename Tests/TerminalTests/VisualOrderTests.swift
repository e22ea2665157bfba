import TestSupport
import Testing

@testable import Terminal

@Suite(.timeLimit(.minutes(20))) struct VisualOrderTests {
  @Test(arguments: [
    ("plain text", "plain text"), ("", ""), ("שלום", "םולש"), ("abc שלום def", "abc םולש def"),
    ("שלום עולם!", "!םלוע םולש"), ("שלום (abc) 123", "123 (abc) םולש"), ("(שלום)", "(םולש)"), ("a (שלום) b", "a (םולש) b"),
    ("世界 שלום", "世界 םולש"), ("אב 12:30 גד", "דג 12:30 בא"),
  ])
  func glyphsStandWhereTheyAreSeen(text: String, seen: String) {
    #expect(TerminalText(text).visual.description == seen)
  }

  /// A zero-width non-joiner keeps letters apart that would be joined, and is no glyph.
  @Test func nonJoinersPartLetters() {
    let text = TerminalText("\u{645}\u{6CC}\u{200C}\u{62E}\u{648}")
    #expect(text.columns == 4 && text.description == "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}")
    #expect(text.visual.description == "\u{FEEE}\u{FEA7}\u{FBFD}\u{FEE3}")
    #expect(TerminalText("\u{645}\u{6CC}\u{62E}\u{648}").visual.description == "\u{FEEE}\u{FEA8}\u{FBFF}\u{FEE3}")
    #expect(TerminalText("\u{200C}a\u{200C}") .columns == 1)
  }

  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("\"שלום\": 1/1  n next", "\"םולש\": 1/1  n next"), ("שיר.mp4: no such file", "ריש.mp4: no such file"),
    ("\"שלום עולם\": not found", "\"םלוע םולש\": not found"), ("saved שלום 12 (2)", "saved םולש 12 (2)"),
    ("a אב b גד", "a בא b דג"),
  ])
  func linesRunToTheRight(text: String, seen: String) {
    #expect(TerminalText(text).visualInLine.description == seen)
  }

  /// A row of a longer line runs as that does, whatever it begins with.
  @Test(arguments: [
    ("NASA אב.", TerminalText.Direction.rightToLeft, ".בא NASA"), ("NASA!", .rightToLeft, "!NASA"), ("אב NASA.", .leftToRight, "בא NASA."),
    ("NASA!", .leftToRight, "NASA!"), ("(אב", .rightToLeft, "בא)"),
  ])
  func rowsOfLines(text: String, direction: TerminalText.Direction, seen: String) {
    #expect(TerminalText(text).visualGlyphs(running: direction).map(\.text.description).joined() == seen)
  }

  @Test func theFirstLetterSaysWhichWay() {
    #expect(TerminalText("12: שלום abc").direction == .rightToLeft && TerminalText("abc שלום").direction == .leftToRight)
    #expect(TerminalText("abc").direction == nil && TerminalText("").direction == nil)
  }

  @Test func arabicLettersAreJoined() {
    // Seen from the left: final meem, medial alef joined with lam, initial seen.
    let seen = TerminalText("سلام").visual.description.unicodeScalars.map(\.value)
    #expect(seen == [0xFEE1, 0xFEFC, 0xFEB3])
  }

  @Test func eachGlyphKnowsWhereItComesFrom() {
    let glyphs = TerminalText("ab שלום").visualGlyphs
    #expect(glyphs.map(\.source) == [0, 1, 2, 6, 5, 4, 3])
    #expect(glyphs.map(\.text.description).joined() == "ab םולש")
    #expect(TerminalText("世a").visualGlyphs.map(\.text.columns) == [2, 1])
  }

  @Test(arguments: TestSeeds.first(50))
  func nothingIsLostOrGrows(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let ranges: [ClosedRange<UInt32>] = [0x20...0x7E, 0x590...0x5F4, 0x600...0x6FF, 0x4E00...0x4E20, 0x2000...0x206F, 0x10800...0x10FFF]
    let scalars = (0..<Int.random(in: 0...60, using: &random)).compactMap { _ in
      Unicode.Scalar(UInt32.random(in: ranges[Int.random(in: 0..<ranges.count, using: &random)], using: &random))
    }
    let text = TerminalText(String(String.UnicodeScalarView(scalars)))
    let visual = text.visual
    #expect(visual.columns <= text.columns)
    #expect(Set(text.visualGlyphs.map(\.source)).count == text.visualGlyphs.count)
    // Harmless as all text is: made harmless again it is the same.
    #expect(TerminalText(visual.description).columns == visual.columns)
  }
}
