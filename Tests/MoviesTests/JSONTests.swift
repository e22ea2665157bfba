import PlainText
import Testing

@testable import Movies

@Suite(.timeLimit(.minutes(20))) struct JSONTests {
  private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

  @Test func numbersAndOrderStayAsTheyAre() throws {
    let text = #"{"b":1.50,"a":[1e3,-0,12345678901234567890,0.10,NaN,-Infinity,Inf,true,false,null],"c":{},"d":[],"e":""}"#
    #expect(try read(text).text(inLines: false) == text)
    let value = try read(text)
    #expect(try read(value.text(inLines: true)) == value)
  }

  @Test func textIsTextWhateverItsEscapes() throws {
    #expect(try read(#""\u00e9\ud83d\ude00\n\/\"\\\b\f\r\t""#) == .string("é😀\n/\"\\\u{8}\u{C}\r\t"))
    #expect(try read(#""\ud83d""#) == .string("\u{FFFD}"))
    #expect(try read(#""\ud83dx""#) == .string("\u{FFFD}x"))
    #expect(try read(#""\ud83d\u0041""#) == .string("\u{FFFD}A"))
    let nasty = JSONValue.string("\u{1B}[2J\u{202E}\r\n\u{85}\u{10FEFF}'\u{0}")
    let text = nasty.text(inLines: false)
    #expect(!text.unicodeScalars.contains { $0.steersTerminals })
    #expect(try read(text) == nasty)
  }

  @Test(arguments: [
    "", "{", "[1,]", "[1 2]", "{\"a\" 1}", "{a:1}", "01", "1.", ".5", "1e", "+1", "-", "nul", "\"", "\"\\x\"", "\"\\u12\"",
    "\"\n\"", "[] []",
    "{\"a\":1,}", "\u{FEFF}", "'a'", "--1", "1e+", "infinity",
  ])
  func whatIsNotJSONIsRefused(text: String) {
    #expect(throws: JSONReader.Failure.self) { try read(text) }
  }

  @Test func depthAndCountAreBounded() {
    #expect(throws: JSONReader.Failure.self) { try read(String(repeating: "[", count: 1_000_000)) }
    #expect(throws: Never.self) { try read(String(repeating: "[", count: 100) + String(repeating: "]", count: 100)) }
    #expect(throws: JSONReader.Failure.self) { try read("[" + String(repeating: "0,", count: 2_000_001) + "0]") }
    #expect(throws: JSONReader.Failure.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
  }

  @Test func linesAreNamed() {
    let failure = #expect(throws: JSONReader.Failure.self) { try read("{\n\"a\": 1,\n\"b\" 2}") }
    #expect(failure?.line == 3)
  }
}
