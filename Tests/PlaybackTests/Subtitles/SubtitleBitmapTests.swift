import Foundation
import Pixels
import Playback
import TestSupport
import Testing

/// Subtitles that are images.
@Suite(.timeLimit(.minutes(10))) struct SubtitleBitmapTests {
  @Test func packingLosesNothing() {
    var random = SeededGenerator(seed: 3)
    for round in 0..<200 {
      let size = PixelSize(width: Int.random(in: 1...300, using: &random), height: Int.random(in: 1...4, using: &random))
      var indices: [UInt8] = []
      while indices.count < size.width * size.height {
        let run = Bool.random(using: &random) ? Int.random(in: 1...300, using: &random) : Int.random(in: 1...3, using: &random)
        indices += repeatElement(UInt8.random(in: 0...4, using: &random), count: run)
      }
      indices = Array(indices.prefix(size.width * size.height))
      let palette: [UInt32] = [0, 0xFF00_00FF, 0x8012_3456, 0xFFFF_FFFF]
      let bitmap = SubtitleBitmap(x: 1, y: 2, size: size, canvas: size, indices: indices, palette: palette)
      // What the palette lacks is transparent.
      #expect(bitmap.pixels() == indices.map { $0 < 4 ? palette[Int($0)] : 0 }, "round \(round)")
    }
  }

  private func cues(_ path: String) async throws -> [SubtitleCue] {
    let asset = Asset(path: path)
    _ = try await asset.load(.facts)
    let item = PlayerItem(asset: asset)
    item.selectedSubtitles = try #require(item.subtitleGroup?.options.first { $0.track.subtitleForm == .bitmap })
    return try await #require(item.subtitles).load().cues
  }

  @Test func timesAndPlacesAreTheFiles() async throws {
    var pgs = PGSFile(width: 320, height: 180)
    pgs.show(at: 1, x: 40, y: 150, width: 100, height: 20)
    pgs.show(at: 2, x: 60, y: 20, width: 30, height: 10, luma: 120)
    pgs.clear(at: 3.5)
    pgs.show(at: 5, x: 10, y: 10, width: 8, height: 8)
    let bytes = pgs.bytes
    let file = try SampleMedia.file(name: "boxes.sup", key: ["\(bytes)"]) { try Data(bytes).write(to: URL(fileURLWithPath: $0)) }
    let clip = try SampleMedia.clip(
      name: "boxes.mkv",
      arguments: [
        "-f", "lavfi", "-i", "color=blue:s=320x180:r=10:d=8", "-itsoffset", "1", "-i", file, "-map", "0", "-map", "1", "-c:v", "libx264",
        "-preset", "ultrafast", "-c:s", "copy",
      ])
    let cues = try await cues(clip)
    #expect(cues.map { [$0.timeRange.start.seconds, $0.timeRange.end.seconds] } == [[1, 2], [2, 3.5], [5, .infinity]])
    let bitmaps = cues.flatMap(\.bitmaps)
    #expect(bitmaps.map(\.x) == [38, 58, 8] && bitmaps.map(\.y) == [148, 18, 8])
    #expect(bitmaps.map(\.size.width) == [104, 34, 12] && bitmaps.allSatisfy { $0.canvas == PixelSize(width: 320, height: 180) })
    let pixels = bitmaps[0].pixels()
    #expect(pixels[0] >> 24 == 0 && pixels[10 * 104 + 50] == 0xFFFF_FFFF)
    #expect(cues.allSatisfy { $0.text.isEmpty })
  }

  /// Real discs' and broadcasts' subtitles: every image lies in its canvas, and has something to be seen.
  @Test(
    .enabled(if: SharedClips.has("tracks/sample_with_pgs_subtitles.mkv"), "\(SharedClips.missing)"),
    arguments: ["sample_with_pgs_subtitles.mkv", "sample_with_vobsub.mkv", "sample_TS_dvbsub_rs204.ts"])
  func realOnes(name: String) async throws {
    let cues = try await cues(#require(SharedClips.path("tracks/" + name)))
    #expect(!cues.isEmpty)
    for cue in cues {
      #expect(cue.timeRange.start >= .zero && cue.timeRange.end > cue.timeRange.start && !cue.bitmaps.isEmpty)
      for bitmap in cue.bitmaps {
        #expect(bitmap.pixels().contains { $0 >> 24 > 0 })
        #expect(bitmap.canvas.isEmpty || bitmap.x + bitmap.size.width <= bitmap.canvas.width)
      }
    }
  }
}
