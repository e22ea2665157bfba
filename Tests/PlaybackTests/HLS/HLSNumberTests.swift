import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct HLSNumberTests {
  @Test(arguments: [
    ("0", 0), ("6", 6_000_000_000), ("6.006", 6_006_000_000), ("6.", 6_000_000_000), (".5", 500_000_000),
    ("-1.25", -1_250_000_000),
    ("+2", 2_000_000_000), ("1.0000000004", 1_000_000_000), ("1.0000000005", 1_000_000_001), ("0.9999999999", 1_000_000_000),
    ("00010.10", 10_100_000_000), ("315360001", .max), ("99999999999999999999999", .max), ("-99999999999999999999999", -.max),
  ] as [(String, Int64)])
  func seconds(text: String, nanoseconds: Int64) {
    #expect(HLSNumber.nanoseconds(Array(text.utf8)[...]) == nanoseconds)
  }

  @Test(arguments: ["", ".", "-", "1e3", "1,5", "0x1", "inf", "nan", "1.2.3", " 1", "1 ", "--1", "١"])
  func thatIsNoNumber(text: String) {
    #expect(HLSNumber.nanoseconds(Array(text.utf8)[...]) == nil && HLSNumber.block(Array(text.utf8)[...]) != [])
    #expect(HLSNumber.integer(Array(text.utf8)[...]) == nil)
  }

  @Test(arguments: [("0x1", 1), ("0Xff", 255), ("0x000000000000000000000000000000Ab", 0xAB)])
  func blocks(text: String, last: UInt8) {
    #expect(HLSNumber.block(Array(text.utf8)[...]) == Array(repeating: 0, count: 15) + [last])
  }

  @Test(arguments: ["", "0x", "1", "0xg", "0x100000000000000000000000000000000", "0x-1", "0x\u{FF11}"])
  func thatIsNoBlock(text: String) {
    #expect(HLSNumber.block(Array(text.utf8)[...]) == nil)
  }

  @Test func ranges() {
    #expect(HLSNumber.byteRange(Array("10@5".utf8)[...], next: 7) == 5..<15
      && HLSNumber.byteRange(Array("10".utf8)[...], next: 7) == 7..<17)
    for text in ["", "0@1", "@5", "10@-1", "a@1", "10@b", "9223372036854775807@1"] {
      #expect(HLSNumber.byteRange(Array(text.utf8)[...], next: 7) == nil, "\(text)")
    }
    #expect(HLSNumber.byteRange(Array("1".utf8)[...], next: .max) == nil)
  }

  /// Expected values by `date -u -d … +%s`.
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2010-02-19T14:54:23.031+08:00", 1_266_562_463_031),
    ("2010-02-19T14:54:23.031+0800", 1_266_562_463_031),
    ("2010-02-19T14:54:23,031+08", 1_266_562_463_031), ("20100219T065423.031Z", 1_266_562_463_031),
    ("2010-02-19 06:54:23.031", 1_266_562_463_031),
    ("2000-02-29t23:59:60z", 951_868_800_000), ("2024-12-31T23:59:59.999-12:30", 1_735_734_599_999),
    ("1969-12-31T23:59Z", -60_000),
    ("1900-03-01T00:00:00Z", -2_203_891_200_000),
  ])
  func dates(text: String, milliseconds: Int64) {
    #expect(HLSDate.nanoseconds(Array(text.utf8)[...]) == milliseconds * 1_000_000)
  }

  @Test(arguments: [
    "", "today", "2010-02-19", "2010-13-19T00:00:00Z", "2010-00-19T00:00:00Z", "2010-01-32T00:00:00Z", "2010-01-01T25:00:00Z",
    "2010-01-01T00:60:00Z", "2010-01-01T00:00:61Z", "2010-01-01T00:00:00.Z", "2010-01-01T00:00:00Zx", "2010-01-01T00:00:00+1",
    "2010-01-01T00:00:00+24:00", "0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z",
  ])
  func thatIsNoDate(text: String) {
    #expect(HLSDate.nanoseconds(Array(text.utf8)[...]) == nil)
  }
}
