import Playback
import TestSupport
import Testing

@testable import QuadrilleApp

/// Captions in the frames of broadcasts, which often are of two kinds.
@Suite(.timeLimit(.minutes(10))) struct CaptionChoiceTests {
  /// What a pane knows of the subtitles of a clip, whose captions have been looked for.
  private func subtitles(of clip: String) async throws -> PaneSubtitles {
    let asset = Asset(path: clip)
    _ = try await asset.load(.facts)
    let item = PlayerItem(asset: asset)
    await withCheckedContinuation { done in item.addCaptions { done.resume() } }
    let subtitles = PaneSubtitles(PlayOptions.SubtitleOptions(), files: []) {}
    subtitles.didOpen(item, spoken: nil)
    return subtitles
  }

  @Test func theKindThatCannotBeDecodedIsPassedOver() async throws {
    let subtitles = try await subtitles(of: CaptionedVideo.clip("both.mp4", hasLaterOnes: true))
    #expect(subtitles.chooseNext() == "subtitles: EIA-608 captions (1/2)")
    #expect(subtitles.chooseNext() == "no subtitles" && subtitles.selected == nil)
    #expect(subtitles.choose(subtitles.options[1]) == "subtitles: EIA-708 captions (2/2): cannot be decoded here")
  }

  @Test func whereNoneCanBeDecodedItIsSaid() async throws {
    let subtitles = try await subtitles(of: CaptionedVideo.clip("later.mp4", kind: 3))
    #expect(subtitles.chooseNext() == "subtitles: EIA-708 captions: cannot be decoded here")
  }

  @Test func bothAreNamed() throws {
    let report = InfoReport(clip: try CaptionedVideo.clip("both.mp4", hasLaterOnes: true), isPrecise: false)
    #expect(report.contents.captions == ["EIA-608 captions", "EIA-708 captions"])
    let lines = report.lines.map(\.description)
    #expect(lines.contains { $0.hasSuffix(" EIA-608 captions in the frames") })
    #expect(lines.contains { $0.hasSuffix(" EIA-708 captions in the frames, which cannot be decoded here") })
  }
}
