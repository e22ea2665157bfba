import Foundation
import TestSupport
import Testing

@testable import Playback

/// Rendered transitions against those of FFmpeg's `xfade` filter.
@Suite(.timeLimit(.minutes(20))) struct BlendingTests {
  /// Made of RGB: colours that no display can show are clipped before they are mixed.
  private static func sample(_ source: String) throws -> Asset {
    Asset(
      path: try SampleMedia.clip(
        name: "blending.mkv", arguments: ["-f", "lavfi", "-i", "\(source)=s=160x90:r=25:d=2", "-pix_fmt", "yuv444p", "-c:v", "ffv1"]))
  }

  private static func seconds(_ range: Range<Int64>) -> TimeRange {
    TimeRange(start: MediaTime(value: range.lowerBound, timescale: 1), end: MediaTime(value: range.upperBound, timescale: 1))
  }

  private static func values(_ arguments: [String]) throws -> [UInt8] {
    [UInt8](try MediaTool.run("ffmpeg", ["-v", "error", "-nostdin"] + arguments + ["-f", "rawvideo", "-pix_fmt", "yuv444p", "-"]))
  }

  /// The largest and the mean difference of all values of all frames.
  private func difference(from name: String, _ transition: VideoTransition, _ blending: ColorBlending) throws -> (worst: Int, mean: Double) {
    let a = try Self.sample("testsrc"), b = try Self.sample("rgbtestsrc")
    var movie = Composition()
    try movie.append(Self.seconds(0..<2), of: a)
    try movie.insert(Self.seconds(0..<2), of: b, at: MediaTime(value: 1, timescale: 1), track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(timeRange: Self.seconds(1..<2), transition: transition, from: 0, to: 1)
    ]
    movie.videoComposition.blending = blending
    let folder = try TemporaryFolder()
    let path = folder.path("out.mkv")
    let result = try VideoRenderer(asset: Asset(composition: movie)).render(to: path)
    #expect(result.frameCount == 75)
    let filter = "xfade=transition=\(name):duration=1:offset=1"
    let expected = try Self.values(["-i", a.path, "-i", b.path, "-filter_complex", filter])
    let found = try Self.values(["-i", path])
    #expect(expected.count == 75 * 3 * 160 * 90 && found.count == expected.count)
    let differences = zip(found, expected).map { abs(Int($0) - Int($1)) }
    return (differences.max() ?? 0, Double(differences.reduce(0, +)) / Double(max(1, differences.count)))
  }

  @Test func dissolvesAreThoseOfXfade() throws {
    let coded = try difference(from: "fade", .crossDissolve, .coded)
    #expect(coded.worst <= 3 && coded.mean < 0.5, "\(coded)")
    let linear = try difference(from: "fade", .crossDissolve, .linear)
    #expect(linear.worst > 30 && linear.mean > 2, "\(linear)")
  }
}
