import Foundation
import TestSupport
import Testing

@testable import Playback

/// MPEG streams that were joined: their time stamps go back where the second begins, by less than ten seconds, too.
@Suite(.timeLimit(.minutes(20))) struct JoinedRecordingTests {
  /// A hundred frames in four seconds, with an image over those of 1 s to 3 s.
  private static func part() throws -> Data {
    var pgs = PGSFile(width: 320, height: 180)
    pgs.show(at: 1, x: 40, y: 150, width: 100, height: 20)
    pgs.clear(at: 3)
    let images = try pgs.file(named: "pages.sup")
    let path = try SampleMedia.clip(
      name: "part.ts",
      arguments: SampleMedia.numbered(rate: "25", seconds: 4) + [
        "-itsoffset", "1", "-i", images, "-map", "0", "-map", "1", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25",
        "-pix_fmt", "yuv420p", "-c:s", "dvbsub",
      ])
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private static func joined(_ count: Int, in folder: TemporaryFolder) throws -> Asset {
    let path = folder.path("joined.ts"), part = try part()
    try Data((0..<count).map { _ in part }.joined()).write(to: URL(fileURLWithPath: path))
    return Asset(path: path)
  }

  /// With the index of its frames known from the start, or nothing.
  @Test(arguments: [false, true]) func playingGoesOn(isIndexed: Bool) async throws {
    let folder = try TemporaryFolder(), asset = try Self.joined(2, in: folder)
    let index = isIndexed ? try await asset.scannedIndex() : nil
    let stage = try await FileStage(asset, index: index)
    stage.run(seconds: 0.1)
    stage.player.play()
    stage.run(seconds: 12)
    #expect(stage.frames.compactMap(\.number) == Array(0..<100) + Array(0..<100))
    for (i, frame) in stage.frames.enumerated() {
      #expect(abs(frame.timing.pts.seconds - Double(i) / 25) < 0.001, "frame \(i) at \(frame.timing.pts)")
      #expect(i == 0 || abs(frame.host - Double(i) / 25) < 0.03, "frame \(i) came at \(frame.host)")
    }
    #expect(stage.player.statistics.dropped == 0)
    #expect(stage.events.all.filter { $0 == .playedToEnd }.count == 1)
    #expect(abs(stage.player.duration.seconds - 8) < 0.001 && stage.player.currentTime() == stage.player.duration)
  }

  @Test func goingThereIsExact() async throws {
    let folder = try TemporaryFolder(), asset = try Self.joined(3, in: folder)
    let stage = try await FileStage(asset, index: asset.scannedIndex())
    stage.run(seconds: 0.1)
    for frame in [150, 99, 100, 299, 0, 201] {
      stage.player.seek(to: MediaTime(value: Int64(2 * frame + 1), timescale: 50), toleranceBefore: .zero, toleranceAfter: .zero) { _ in }
      stage.run(seconds: 0.1)
      #expect(stage.frames.last?.number == frame % 100 && stage.player.displayedTiming?.number == frame)
    }
  }

  @Test func whatIsShownBesideGoesOn() async throws {
    let folder = try TemporaryFolder(), asset = try Self.joined(3, in: folder)
    let facts = try await asset.load(.facts)
    let item = PlayerItem(asset: asset)
    item.selectedSubtitles = try #require(item.subtitleGroup?.options.first)
    let cues = try await #require(item.subtitles).load().cues
    #expect(cues.map { ($0.timeRange.start.seconds * 10).rounded() / 10 } == [1, 5, 9], "\(facts.startTime)")
    for (i, cue) in cues.enumerated() { #expect(abs(cue.timeRange.end.seconds - Double(3 + 4 * i)) < 0.2, "\(cue.timeRange)") }
  }

  @Test func theLengthIsThatOfAll() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.joined(3, in: folder).path
    let precise = Asset(path: path, options: Asset.Options(prefersPreciseDurationAndTiming: true))
    #expect(try await abs(precise.load(.duration).seconds - 12) < 0.001)
  }
}
