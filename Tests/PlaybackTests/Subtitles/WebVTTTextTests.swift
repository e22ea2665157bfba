import Foundation
import TestSupport
import Testing

@testable import Playback

/// Files of WebVTT that have more than cues in them.
@Suite(.timeLimit(.minutes(20))) struct WebVTTTextTests {
  /// Each block that is no cue, before and between cues.
  private static let file = """
    WEBVTT - a title
    X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000

    STYLE
    ::cue {
      color: lime;
    }

    REGION
    id:fred
    width:40%


    NOTE
    a remark
    in two lines

    name
    00:00.500 --> 00:02.000 align:left
    One <i>slanted</i>
    and more

    STYLE
    ::cue(b) { color: red; }

    ::cue(i) { color: blue; }

    NOTE one line

    00:01:00.000 --> 00:01:01.000
    Two
    00:01:02.000 --> 00:01:03.000
    Three, without a blank line

    no --> time
    of a cue

    REGION
    id:bill



    00:01:04.000 --> 00:01:05.000
    Four
    """

  private static let cues = [
    "0.5–2.0 One slanted|and more", "60.0–61.0 Two", "62.0–63.0 Three, without a blank line", "64.0–65.0 Four",
  ]

  private static func words(ofFile bytes: Data) async throws -> [String] {
    let folder = try TemporaryFolder()
    try bytes.write(to: URL(fileURLWithPath: folder.path("x.vtt")))
    let asset = Asset(path: try SampleClip.h264BFrames.path())
    _ = try await asset.load(.facts)
    let item = PlayerItem(asset: asset)
    let options = try await withCheckedThrowingContinuation { done in
      item.addSubtitles(file: folder.path("x.vtt")) { done.resume(with: $0) }
    }
    item.selectedSubtitles = options.first
    return try await #require(item.subtitles).load().cues.map { cue in
      "\(cue.timeRange.start.seconds)–\(cue.timeRange.end.seconds) \(cue.lines.map(\.text).joined(separator: "|"))"
    }
  }

  @Test(arguments: ["\n", "\r\n", "\r"], ["", "\u{FEFF}"])
  func whatIsNoCueIsLeftOut(lineEnd: String, mark: String) async throws {
    let text = mark + Self.file.replacingOccurrences(of: "\n", with: lineEnd)
    #expect(try await Self.words(ofFile: Data(text.utf8)) == Self.cues)
    #expect(try await Self.words(ofFile: Data((text + lineEnd).utf8)) == Self.cues)
  }

  @Test func inOtherEncodings() async throws {
    let data = try #require(Self.file.replacingOccurrences(of: "Four", with: "Fünf").data(using: .utf16LittleEndian))
    #expect(try await Self.words(ofFile: Data([0xFF, 0xFE]) + data) == Self.cues.dropLast() + ["64.0–65.0 Fünf"])
  }

  @Test func settingsStay() {
    let text = String(decoding: WebVTTText.cues(Array(Self.file.utf8)), as: UTF8.self)
    #expect(text.hasPrefix("WEBVTT - a title\n\n00:00:00.500 --> 00:00:02.000 align:left\nOne"))
    #expect(!text.contains("STYLE") && !text.contains("cue(") && !text.contains("fred") && !text.contains("remark"))
    #expect(WebVTTText.cues(Array("WEBVTT".utf8)) == Array("WEBVTT\n\n".utf8))
  }

  /// A line with an arrow always starts a cue, or what would be one; the same line without times is no name.
  @Test(arguments: [
    ("bad --> name\n00:03.000 --> 00:04.000\ntwo", ["3.0–4.0 two"]), ("-->\n00:03.000 --> 00:04.000\ntwo", ["3.0–4.0 two"]),
    ("00:06,500 --> 00:06,900\n00:06.500 --> 00:06.900\ncomma", ["6.5–6.9 comma"]), ("00:03.000-->00:04.000\nclose", ["3.0–4.0 close"]),
    ("00:03.000 --> 00:04.000\none\nno --> times\nlost", ["3.0–4.0 one"]), ("00:03.000\u{C}-->\u{C}00:04.000\nfed", ["3.0–4.0 fed"]),
    ("NOTE\n00:03.000 --> 00:04.000\nnamed so", ["3.0–4.0 named so"]), ("00:03.000 --> 00:04.000\none\u{C}two", ["3.0–4.0 one\u{C}two"]),
    ("00:03.04 --> 00:04.5\nshort", ["3.04–4.5 short"]),
  ])
  func arrows(block: String, cues: [String]) async throws {
    let text = "WEBVTT\n\n00:01.000 --> 00:02.000\nfirst\n\n\(block)\n\n00:07.000 --> 00:08.000\nlast\n"
    #expect(try await Self.words(ofFile: Data(text.utf8)) == ["1.0–2.0 first"] + cues + ["7.0–8.0 last"])
  }

  @Test(arguments: TestSeeds.first(50)) func anyLinesAreRead(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lines = ["", "STYLE", "00:01.000 --> 00:02.000", "-->", "x --> 1", "00:0\u{0}1.000 --> ", "a", "\r", "\u{FEFF}"]
    let text = "WEBVTT\n" + (0..<60).map { _ in lines[Int.random(in: 0..<lines.count, using: &random)] + "\n" }.joined()
    let once = WebVTTText.cues(Array(text.utf8))
    #expect(WebVTTText.cues(once) == once)
  }
}
