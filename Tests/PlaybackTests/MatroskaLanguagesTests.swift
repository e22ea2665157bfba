import Foundation
import Playback
import TestSupport
import Testing

/// Languages of Matroska files that have them by BCP 47, too.
@Suite(.timeLimit(.minutes(20))) struct MatroskaLanguagesTests {
  /// Two subtitle tracks in Chinese, as libavformat writes them, with names of eight letters.
  private static func clip() throws -> String {
    let text = try TemporaryFolder()
    defer { withExtendedLifetime(text) {} }
    try Data("1\n00:00:00,000 --> 00:00:01,000\nHello\n".utf8).write(to: URL(fileURLWithPath: text.path("a.srt")))
    return try SampleMedia.clip(
      name: "chinese.mkv",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=2", "-i", text.path("a.srt"), "-map", "0:v", "-map", "1:s", "-map", "1:s",
        "-c:v", "mpeg4", "-c:s", "srt", "-metadata:s:s:0", "language=chi", "-metadata:s:s:1", "language=chi",
        "-metadata:s:s:0", "title=Simplist", "-metadata:s:s:1", "title=Tradiont",
      ])
  }

  /// The file with a name of eight letters in place of which the tag stands that is meant.
  private func languages(_ tags: [String: String]) async throws -> [String?] {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: Self.clip()))
    for (name, tag) in tags {
      #expect(name.utf8.count == tag.utf8.count + 1)
      let former = Data([0x53, 0x6E, 0x80 | UInt8(name.utf8.count)]) + Data(name.utf8)
      let range = try #require(bytes.range(of: former))
      bytes.replaceSubrange(range, with: Data([0x22, 0xB5, 0x9D, 0x80 | UInt8(tag.utf8.count)]) + Data(tag.utf8))
    }
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try bytes.write(to: URL(fileURLWithPath: folder.path("a.mkv")))
    let facts = try await Asset(path: folder.path("a.mkv")).load(.facts)
    return facts.tracks.map(\.language)
  }

  @Test func theyGoBeforeTheOlderOnes() async throws {
    #expect(try await languages([:]) == [nil, "chi", "chi"])
    #expect(try await languages(["Simplist": "zh-Hans", "Tradiont": "zh-Hant"]) == [nil, "zh-Hans", "zh-Hant"])
    #expect(try await languages(["Tradiont": "zh-Hant"]) == [nil, "chi", "zh-Hant"])
  }

  @Test func theirNamesTellThemApart() {
    #expect(LanguageTag("zh-Hans")?.displayName != LanguageTag("zh-Hant")?.displayName)
  }
}
