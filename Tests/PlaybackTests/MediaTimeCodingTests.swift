import Foundation
import Playback
import Testing

/// Times as text of JSON.
@Suite(.timeLimit(.minutes(20))) struct MediaTimeCodingTests {
  private static let rounded = MediaTime(seconds: 0.1, preferredTimescale: 3)

  @Test(arguments: [
    .zero, .invalid, .indefinite, .positiveInfinity, .negativeInfinity, MediaTime(value: 1001, timescale: 30000),
    MediaTime(value: .min, timescale: .max), rounded,
  ])
  func itComesBack(time: MediaTime) throws {
    let range = TimeRange(start: time, duration: time)
    let found = try JSONDecoder().decode(TimeRange.self, from: JSONEncoder().encode(range))
    #expect(found == range && found.start.flags == time.flags && found.start.timescale == time.timescale)
  }

  @Test func anExactNumberHasTwoParts() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = try encoder.encode(MediaTime(value: 1001, timescale: 30000))
    #expect(String(decoding: text, as: UTF8.self) == #"{"timescale":30000,"value":1001}"#)
  }

  @Test(arguments: [
    #"{"value":1,"timescale":0}"#, #"{"value":1,"timescale":-25}"#, #"{"value":1,"timescale":25,"flags":5}"#,
    #"{"value":1,"timescale":0,"flags":5}"#, #"{"value":0,"timescale":0,"flags":13}"#, #"{"value":1}"#, #"{"value":1.5,"timescale":1}"#,
  ])
  func whatIsNoTimeIsRefused(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(MediaTime.self, from: Data(text.utf8)) }
  }
}
