import Playback
import TestSupport
import Testing

@testable import QuadrilleApp

/// Captions in the frames of broadcasts, which often are of two kinds.
@Suite(.timeLimit(.minutes(20))) struct CaptionChoiceTests {
  /// Returns a pane's subtitles for a clip whose captions have been searched for.
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
    #expect(subtitles.chooseNext() == "subtitles off" && subtitles.selected == nil)
    #expect(subtitles.choose(subtitles.options[1]) == "subtitles: EIA-708 captions (2/2): no decoder")
  }

  @Test func whereNoneCanBeDecodedItIsSaid() async throws {
    let subtitles = try await subtitles(of: CaptionedVideo.clip("later.mp4", kind: 3))
    #expect(subtitles.chooseNext() == "subtitles: EIA-708 captions: no decoder")
  }

  /// A minute of filling, in which something is said at a place that is looked at by everyone, or at one that only who reads all comes to.
  @Test(arguments: [(785, true), (740, false)]) func infoLooksAtPlaces(frame: Int, isSeen: Bool) throws {
    let clip = try CaptionedVideo.clip(
      "minute.mp4", seconds: 60, pairs: CaptionedVideo.popOn("Here", at: frame, until: frame + 10))
    let glance = InfoReport(clip: clip, isPrecise: false)
    #expect(glance.contents.captions == (isSeen ? ["EIA-608 captions"] : nil))
    #expect(glance.contents.captions_undecided == (isSeen ? nil : true))
    #expect(glance.lines.contains { $0.description.contains("no caption text in the parts examined") } == !isSeen)
    let all = InfoReport(clip: clip, isPrecise: false, cues: true)
    #expect(all.contents.captions == ["EIA-608 captions"] && all.contents.captions_undecided == nil)
    #expect(all.contents.subtitles?.map { $0.cues.map(\.text) } == [["Here"]])
    #expect(!all.lines.contains { $0.description.contains("no caption text") })
  }

  @Test func bothAreNamed() throws {
    let report = InfoReport(clip: try CaptionedVideo.clip("both.mp4", hasLaterOnes: true), isPrecise: false)
    #expect(report.contents.captions == ["EIA-608 captions", "EIA-708 captions"])
    let lines = report.lines.map(\.description)
    #expect(lines.contains { $0.hasSuffix(" EIA-608 captions in the frames") })
    #expect(lines.contains { $0.hasSuffix(" EIA-708 captions in the frames (no decoder)") })
  }
}
