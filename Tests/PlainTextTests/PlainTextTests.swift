import Testing

@testable import PlainText

@Suite(.timeLimit(.minutes(20)))
struct PlainTextTests {
  @Test func numbersGetZerosAndLoseNoDigit() {
    #expect(String(7, digits: 3) == "007")
    #expect(String(1234, digits: 3) == "1234")
    #expect(String(0, digits: 1) == "0")
    #expect(String(0x2F, digits: 4, radix: 16) == "002f")
    #expect(String(UInt8.max, digits: 2, radix: 16, uppercase: true) == "FF")
    #expect(String(UInt128.max, digits: 2) == "\(UInt128.max)")
  }

  @Test func bytesHaveTwoDigitsEach() {
    #expect(String(hexadecimal: [0, 9, 0x10, 0xFF]) == "000910ff")
    #expect(String(hexadecimal: [UInt8]()).isEmpty)
  }

  @Test(arguments: [
    "\u{0}", "\u{1B}", "\u{7F}", "\u{9B}", "\n", "\u{2028}", "\u{2029}", "\u{202E}", "\u{200B}", "\u{FEFF}", "\u{E000}", "\u{0378}",
    "\u{10FFFE}",
  ] as [Unicode.Scalar])
  func whatIsNotSeenSteers(_ scalar: Unicode.Scalar) { #expect(scalar.steersTerminals) }

  @Test(arguments: ["a", " ", "~", "\"", "é", "\u{301}", "漢", "😀"] as [Unicode.Scalar])
  func whatIsSeenDoesNot(_ scalar: Unicode.Scalar) { #expect(!scalar.steersTerminals) }

  @Test func escapesForJSONAreUTF16() {
    #expect(("\u{1B}" as Unicode.Scalar).escapedForJSON == "\\u001b")
    #expect(("\u{E0001}" as Unicode.Scalar).escapedForJSON == "\\udb40\\udc01")
  }

  @Test func quotesKeepWhatNothingStandsFor() {
    #expect("a\"b\\c\nd\re\tf\u{1B}é".quoted { $0 == "\u{1B}" ? "ESC" : nil } == #""a\"b\\c\nd\re\tfESCé""#)
  }

  /// Values that the algorithm's authors publish.
  @Test(arguments: [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")])
  func hashIsTheirs(text: String, value: String) {
    var hash = FNV1a()
    for byte in text.utf8 { hash.combine(byte) }
    #expect(hash.hexadecimal == value)
  }
}
