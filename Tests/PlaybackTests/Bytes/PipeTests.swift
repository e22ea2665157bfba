import Foundation
import Glibc
import TestSupport
import Testing

@testable import Playback

/// Clips that come through a pipe.
@Suite(.timeLimit(.minutes(20))) struct PipeTests {
  /// A pipe into which a thread writes a file.
  private static func pipe(_ file: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
    try #require(mkfifo(path, 0o600) == 0)
    PipeWriter.write(try Data(contentsOf: URL(fileURLWithPath: file)), to: path, unlinks: true)
    return path
  }

  private static func clip(_ name: String, _ more: [String] = []) throws -> String {
    try SampleMedia.clip(
      name: name,
      arguments: ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=8", "-c:v", "libx264", "-g", "25", "-pix_fmt", "yuv420p"] + more)
  }

  /// Every frame can be found, in any order, as in the file.
  @Test(arguments: [
    ("piped.ts", []), ("piped.mkv", []), ("front.mp4", ["-movflags", "+faststart"]), ("behind.mp4", []),
    ("fragments.mp4", ["-movflags", "+frag_keyframe+empty_moov"]),
  ])
  func framesAreThoseOfTheFile(name: String, options: [String]) async throws {
    let file = try Self.clip(name, options)
    func numbers(_ path: String) async throws -> [Int] {
      let generator = ImageGenerator(asset: Asset(path: path))
      (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
      var numbers: [Int] = []
      for tenth in [61, 5, 79, 30, 31, 0] {
        numbers.append(try await generator.image(at: MediaTime(value: Int64(tenth) * 2 + 1, timescale: 20)).timing.number)
      }
      return numbers
    }
    let (expected, found) = try await (numbers(file), numbers(Self.pipe(file)))
    #expect(found == expected && expected == [153, 13, 198, 76, 78, 1])
  }

  @Test func theLengthIsKnownAtTheEnd() throws {
    let asset = Asset(path: try Self.pipe(Self.clip("piped.ts")))
    #expect(asset.waitForTimeline()?.frameCount == 200)
  }
}
