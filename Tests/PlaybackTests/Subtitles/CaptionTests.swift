import Foundation
import Libav
import TestSupport
import Testing

@testable import Playback

/// Captions in the frames of video, and in files.
@Suite(.timeLimit(.minutes(10))) struct CaptionTests {
  private func options(_ item: PlayerItem) async -> [MediaSelectionOption] {
    await withCheckedContinuation { continuation in item.addCaptions { continuation.resume() } }
    return item.subtitleGroup?.options ?? []
  }

  private func item(_ path: String) async throws -> PlayerItem {
    let asset = Asset(path: path)
    _ = try await asset.load(.facts)
    return PlayerItem(asset: asset)
  }

  @Test(arguments: ["captions.mp4", "captions.ts", "captions.mkv"]) func captionsInFrames(name: String) async throws {
    let item = try await item(CaptionedVideo.clip(name))
    let option = try #require(await options(item).first)
    #expect(option.track.codec == "eia_608" && option.isPlayable && option.track.subtitleForm == .text)
    item.selectedSubtitles = option
    let cues = try await #require(item.subtitles).load().cues
    #expect(cues.map(\.text) == ["Hello there", "Second one!"])
    let times = cues.map { [$0.timeRange.start.seconds, $0.timeRange.end.seconds] }
    for (time, expected) in zip(times.joined(), [40.0 / 30, 70.0 / 30, 100.0 / 30, 5]) { #expect(abs(time - expected) < 0.04, "\(times)") }
  }

  /// Nothing here decodes EIA-708; that it is there is told.
  @Test func whatCannotBeDecodedIsNamed() async throws {
    let item = try await item(CaptionedVideo.clip("later.mp4", kind: 3))
    let option = try #require(await options(item).first)
    #expect(option.track.codec == "eia_708" && !option.isPlayable)
  }

  /// As broadcasts carry both: the older ones can be seen, and the others are named.
  @Test func bothKindsAtOnce() async throws {
    let item = try await item(CaptionedVideo.clip("both.mp4", hasLaterOnes: true))
    let options = await options(item)
    #expect(options.map(\.track.codec) == ["eia_608", "eia_708"] && options.map(\.isPlayable) == [true, false])
    item.selectedSubtitles = options[0]
    #expect(try await #require(item.subtitles).load().cues.map(\.text) == ["Hello there", "Second one!"])
    item.selectedSubtitles = options[1]
    let track = try #require(item.subtitles)
    guard case .failed(let error) = track.status else { return #expect(Bool(false), "\(track.status)") }
    #expect(error.reason == .unknownCodec && track.timeline.cues.isEmpty)
  }

  @Test func withoutCaptionsNothingIsOffered() async throws {
    for clip in [SampleClip.h264BFrames, .audioOnly] { #expect(await options(try item(clip.path())).filter { $0.track.roles.contains(.captions) }.isEmpty) }
  }

  @Test func filesOfCaptions() async throws {
    let text = """
      Scenarist_SCC V1.0

      00:00:01:00\t9420 9420 94ae 94ae 9470 9470 c8e5 ecec ef80 942f 942f

      00:00:03:00\t942c 942c

      """
    let file = try SampleMedia.file(name: "c.scc", key: [text]) { try Data(text.utf8).write(to: URL(fileURLWithPath: $0)) }
    let item = try await item(SampleClip.h264BFrames.path())
    let options = try await withCheckedThrowingContinuation { continuation in
      item.addSubtitles(file: file) { continuation.resume(with: $0) }
    }
    item.selectedSubtitles = options.first
    let cues = try await #require(item.subtitles).load().cues
    #expect(cues.map(\.text) == ["Hello"])
    #expect(cues.first.map { abs($0.timeRange.start.seconds - 1) < 0.5 && abs($0.timeRange.end.seconds - 3) < 0.2 } ?? false, "\(cues)")
  }

  @Test func damagedMessagesAreHarmless() throws {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = CaptionExtractor.kinds(of: bytes)
      var unit: [UInt8] = [0, 0, 0, 1, 6, 4] + bytes
      if Bool.random(using: &random), unit.count > 16 {
        let marker: [UInt8] = [0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3]
        unit.replaceSubrange(7..<15, with: marker)
      }
      let packet = try Packet()
      try packet.prepend(unit)
      _ = CaptionExtractor(codec: "h264", headers: [])?.triplets(in: packet)
      _ = CaptionExtractor(codec: "hevc", headers: [])?.triplets(in: packet)
      _ = CaptionExtractor(codec: "mpeg2video", headers: [])?.triplets(in: packet)
    }
  }
}
