import Pixels
import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct HLSVariantChoiceTests {
  private typealias Conditions = HLSVariantChoice.Conditions

  /// Heights and kilobits per second; height 0 for none.
  private func choice(_ ladder: [(Int, Int)]) throws -> HLSVariantChoice {
    let lines = ladder.enumerated().map { index, entry in
      let size = entry.0 == 0 ? "" : ",RESOLUTION=\(entry.0 * 16 / 9)x\(entry.0)"
      return "#EXT-X-STREAM-INF:BANDWIDTH=\(entry.1 * 1000)\(size)\n\(index).m3u8\n"
    }
    return try HLSVariantChoice(HLSSamples.multivariant("#EXTM3U\n" + lines.joined())) { _ in true }
  }

  private func box(_ height: Int) -> PixelSize { PixelSize(width: height * 16 / 9, height: height) }

  private static let ladder = [(720, 3000), (180, 200), (360, 800), (360, 1200), (1080, 6000)]

  @Test(arguments: [
    (100, 50.0, 1), (180, 50, 1), (200, 50, 3), (200, 1.2, 2), (720, 50, 0), (1000, 50, 4), (2000, 50, 4), (2000, 4, 0),
    (2000, 0.1, 1),
  ])
  func theSmallestThatCovers(height: Int, megabits: Double, index: Int) throws {
    var choice = try choice(Self.ladder)
    #expect(choice.update(for: Conditions(displaySize: box(height), bandwidth: megabits * 1e6)) == index)
    #expect(choice.variant?.uri == "\(index).m3u8")
  }

  @Test func narrowFramesCoverByTheirWidth() throws {
    let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1920x800\na\n"
      + "#EXT-X-STREAM-INF:BANDWIDTH=2,RESOLUTION=3840x1600\nb\n"
    var choice = try HLSVariantChoice(HLSSamples.multivariant(text)) { _ in true }
    #expect(choice.update(for: Conditions(displaySize: PixelSize(width: 1920, height: 1080))) == 0)
  }

  @Test func limitsAndHiddenPanes() throws {
    var choice = try choice(Self.ladder)
    #expect(choice.update(for: Conditions(displaySize: box(2000), bandwidth: 50e6, preferredPeakBitRate: 1e6)) == 2)
    #expect(choice.update(for: Conditions(displaySize: box(2000), bandwidth: 50e6, preferredMaximumResolution: box(200))) == 1)
    var conditions = Conditions(displaySize: box(2000), bandwidth: 50e6, buffered: .positiveInfinity, preferredPeakBitRate: 1)
    #expect(choice.update(for: conditions) == nil, "the least, although it exceeds the limit")
    conditions.preferredPeakBitRate = 0
    #expect(choice.update(for: conditions) == 4)
    #expect(choice.update(for: Conditions(displaySize: nil, bandwidth: 50e6)) == 1)
  }

  @Test func upWithABufferDownAtOnce() throws {
    var choice = try choice(Self.ladder)
    var conditions = Conditions(displaySize: box(1080))
    #expect(choice.update(for: conditions) == 3, "80 % of what is assumed")
    #expect(choice.update(for: conditions) == nil)
    conditions.bandwidth = 4e6
    conditions.buffered = MediaTime(value: 7, timescale: 1)
    #expect(choice.update(for: conditions) == nil)
    conditions.buffered = MediaTime(value: 8, timescale: 1)
    #expect(choice.update(for: conditions) == 0)
    conditions.bandwidth = 3.1e6
    #expect(choice.update(for: conditions) == nil, "less than needed for the change is enough to stay")
    conditions.bandwidth = 2.9e6
    #expect(choice.update(for: conditions) == 3)
    conditions.bandwidth = 50e6
    conditions.buffered = MediaTime(value: 3, timescale: 1)
    #expect(choice.update(for: conditions) == nil)
    conditions.bufferGoal = MediaTime(value: 6, timescale: 1)
    #expect(choice.update(for: conditions) == 4, "near the live edge, half of what can be buffered")
    conditions.displaySize = box(100)
    #expect(choice.update(for: conditions) == 1, "a smaller pane needs less at once")
  }

  @Test func failedVariantsAreReplaced() throws {
    var choice = try choice([(360, 800), (360, 800), (180, 200)])
    let conditions = Conditions(displaySize: box(360), bandwidth: 50e6)
    #expect(choice.update(for: conditions) == 0, "the first of equal ones")
    choice.exclude(0)
    #expect(choice.variant == nil && choice.update(for: conditions) == 1)
    choice.exclude(1)
    #expect(choice.update(for: conditions) == 2)
    choice.exclude(2)
    #expect(choice.update(for: conditions) == nil && choice.current == nil)
  }

  @Test func unknownSizesGoByBandwidth() throws {
    var choice = try choice([(0, 800), (0, 3000), (0, 0)])
    #expect(choice.update(for: Conditions(displaySize: box(100), bandwidth: 50e6)) == 1)
    #expect(choice.update(for: Conditions(displaySize: box(100), bandwidth: 1e6)) == 0)
    #expect(choice.update(for: Conditions(displaySize: box(100), bandwidth: 0.5e6)) == 2)
  }

  @Test func onlyWhatCanBeDecoded() throws {
    let playlist = try HLSSamples.multivariant(HLSSamples.bipbop)
    var choice = try HLSVariantChoice(playlist) { $0 != "avc1.64002a" }
    let conditions = Conditions(displaySize: box(2000), bandwidth: 50e6, buffered: .positiveInfinity)
    #expect(choice.update(for: conditions) == 0, "the first of those with the same address, and none without video")
    choice.exclude(0)
    #expect(choice.update(for: conditions) == 3)
    choice.exclude(3)
    #expect(choice.update(for: conditions) == nil)
    let missing = "avc1.64001f, avc1.640020, avc1.64002a, mp4a.40.2"
    #expect(throws: HLSPlaylistError("has no variant that can be decoded: no decoder for \(missing)")) {
      try HLSVariantChoice(playlist) { $0 == "ac-3" }
    }
    var sound = try HLSVariantChoice(playlist) { $0.hasPrefix("mp4a") }
    #expect(sound.update(for: conditions) == 5)
  }

  @Test func standardRangeAndScores() throws {
    let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9,VIDEO-RANGE=PQ\na\n#EXT-X-STREAM-INF:BANDWIDTH=2,VIDEO-RANGE=SDR\nb\n"
    var choice = try HLSVariantChoice(HLSSamples.multivariant(text)) { _ in true }
    #expect(choice.update(for: Conditions(displaySize: box(10))) == 1)
    let scored = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9,SCORE=1\na\n#EXT-X-STREAM-INF:BANDWIDTH=2,SCORE=3\nb\n"
    var other = try HLSVariantChoice(HLSSamples.multivariant(scored)) { _ in true }
    #expect(other.update(for: Conditions(displaySize: box(10))) == 1)
  }

  @Test func renditionsAreChosenLikeTracks() throws {
    let playlist = try HLSSamples.multivariant(HLSSamples.bipbop), variant = playlist.variants[0]
    let languages = [LanguageTag("fr"), LanguageTag("en"), LanguageTag("de")].compactMap { $0 }
    let sound = try #require(playlist.selectionGroup(.audible, of: variant))
    #expect(sound.options.map(\.track.index) == [0, 1, 2] && sound.defaultOption?.track.index == 0)
    #expect(sound.option(for: [languages[0]])?.displayName == "Français, doublé")
    #expect(sound.option(for: [languages[1]])?.track.index == 0, "not the one that describes what is visible")
    #expect(sound.options[2].track.roles == [.visuallyImpaired] && sound.options[0].track.channelCount == 2)
    #expect(playlist.selectionGroup(.audible, of: playlist.variants[4])?.options.map(\.track.index) == [3])
    let subtitles = try #require(playlist.selectionGroup(.legible, of: variant))
    #expect(subtitles.options.map(\.track.index) == [5, 6] && subtitles.defaultOption == nil
      && subtitles.options[1].track.isForced)
    #expect(subtitles.automaticOption(wishes: [], languages: languages, spoken: languages[2])?.track.index == 6)
    #expect(playlist.renditions(.closedCaptions, of: variant) == [4] && playlist.selectionGroup(.visual, of: variant) == nil)
    #expect(playlist.selectionGroup(.legible, of: playlist.variants[5]) == nil)
  }
}
