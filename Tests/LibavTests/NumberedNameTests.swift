import Testing

@testable import Libav

/// Names that differ in a number.
@Suite(.timeLimit(.minutes(20))) struct NumberedNameTests {
  @Test(arguments: [
    (1, 7, "a7.png"), (1, 12345, "a12345.png"), (4, 7, "a0007.png"), (4, 12345, "a12345.png"), (4, -7, "a-007.png"), (1, -7, "a-7.png"),
    (1, Int.max, "a9223372036854775807.png"), (1, Int.min, "a-9223372036854775808.png"), (4, 0, "a0000.png"),
  ]) func numbersAreWrittenAsPrintfDoes(width: Int, number: Int, text: String) {
    let name = NumberedName(prefix: "a", width: width, suffix: ".png")
    #expect(name.name(number) == text)
    #expect(name.number(in: text) == number)
  }

  @Test(arguments: [
    (1, "a07.png"), (4, "a007.png"), (4, "a00007.png"), (4, "a+007.png"), (1, "a.png"), (1, "a7.jpg"), (1, "b7.png"), (1, "a 7.png"),
    (1, "a9223372036854775808.png"), (1, "a99999999999999999999999.png"), (4, "a--01.png"), (1, "a-0.png"), (1, "a７.png"),
    (1, "a7\n.png"), (3, "a.png"),
  ]) func otherWaysToWriteThemAreOtherNames(width: Int, text: String) {
    #expect(NumberedName(prefix: "a", width: width, suffix: ".png").number(in: text) == nil)
  }

  /// Composed and decomposed accents are different files.
  @Test func namesAreComparedByBytes() {
    let composed = NumberedName(prefix: "\u{E9}", width: 1, suffix: ""), decomposed = NumberedName(prefix: "e\u{301}", width: 1, suffix: "")
    #expect(composed != decomposed && composed.number(in: "e\u{301}1") == nil && decomposed.number(in: "e\u{301}1") == 1)
  }

  @Test func framesFindTheirImages() {
    let name = NumberedName(prefix: "", width: 1, suffix: "")
    let files = SequenceFiles(name, numbers: [5, 6, 9], byteCounts: [1, 2, 3], stamp: 0)
    #expect(files.holdsMissing && files.frameCount == 5 && (0..<5).map(files.image(ofFrame:)) == [0, 1, 1, 1, 2])
    #expect(files.missing == [7...8] && files.byteCount == 6)
    // A time of day is no frame number.
    let far = SequenceFiles(name, numbers: [20_240_101_120_000, 20_240_101_120_500, 20_240_102_120_000], byteCounts: [1, 1, 1], stamp: 0)
    #expect(!far.holdsMissing && far.frameCount == 3 && (0..<3).map(far.image(ofFrame:)) == [0, 1, 2])
    let extreme = SequenceFiles(name, numbers: [.min, .max], byteCounts: [1, 1], stamp: 0)
    #expect(!extreme.holdsMissing && extreme.frameCount == 2 && extreme.missing.count == 1)
  }
}
