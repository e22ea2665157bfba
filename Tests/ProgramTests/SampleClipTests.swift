import Foundation
import Pixels
import TestSupport
import Testing

/// The sample clips are what they say, as ffprobe and ffmpeg see them.
@Suite(.timeLimit(.minutes(10))) struct SampleClipTests {
  private static let frames = SampleClip.allCases.filter { $0.frameCount != nil }

  @Test(arguments: frames)
  func hasItsFrames(clip: SampleClip) throws {
    let path = try clip.path()
    let frames = try MediaTool.probe(path, entries: "frame=pict_type")
    #expect(frames.count == clip.frameCount)
  }

  @Test(arguments: frames.filter { $0 != .interlacedTopFirst && $0 != .tracksAndChapters })
  func showsItsNumbers(clip: SampleClip) throws {
    let size = PixelSize(width: 97, height: 61)
    let images = try SampleMedia.referenceFrames(
      try clip.path(), size: size, filters: upright(clip), limit: 45)
    let numbers =
      switch clip {
      case .variableFrameRate: (0..<90).filter { [0, 1, 3].contains($0 % 7) }
      case .editList: Array(15..<90)
      default: Array(0..<90)
      }
    #expect(!images.isEmpty && images.map(FrameNumber.read) == numbers.prefix(images.count).map { $0 })
  }

  /// ffmpeg turns a frame by itself; the numbers are across its unturned top.
  private func upright(_ clip: SampleClip) -> String {
    switch clip {
    case .rotated90: "transpose=cclock"
    case .rotated180: "hflip,vflip"
    case .rotated270: "transpose=clock"
    default: ""
    }
  }

  @Test(
    arguments: [
      (.h264BFrames, "stream=codec_name,has_b_frames", "h264,2"),
      (.transportStreamOffset, "stream=codec_name", "h264"),
      (.hevc10Bit, "stream=codec_name,pix_fmt", "hevc,yuv420p10le"),
      (.h264FullChroma, "stream=pix_fmt", "yuv444p"), (.h264TenBit422, "stream=pix_fmt", "yuv422p10le"),
      (.losslessBGRA, "stream=pix_fmt", "bgra"), (.paletted, "stream=pix_fmt", "pal8"),
      (.oddSize, "stream=width,height", "317,239"), (.anamorphic, "stream=sample_aspect_ratio", "16:9"),
      (.hdrPQ, "stream=color_transfer", "smpte2084"), (.hdrHLG, "stream=color_transfer", "arib-std-b67"),
      (.fullRange, "stream=color_range", "pc"), (.bt601, "stream=color_space", "smpte170m"),
      (.vp9Alpha, "stream_tags=alpha_mode", "1"), (.vp8Alpha, "stream_tags=alpha_mode", "1"),
      (.interlacedTopFirst, "stream=field_order", "tt"), (.ntsc, "stream=r_frame_rate", "30000/1001"),
    ] as [(SampleClip, String, String)])
  func isWhatItSays(clip: SampleClip, entries: String, expected: String) throws {
    #expect(try MediaTool.probe(try clip.path(), entries: entries).first == expected)
  }

  @Test func startsAndDurations() throws {
    let start = try MediaTool.probe(try SampleClip.transportStreamOffset.path(), entries: "stream=start_time")
    #expect(try #require(start.first.flatMap(Double.init)) > 10)
    let times = try MediaTool.probe(try SampleClip.variableFrameRate.path(), entries: "frame=pts_time")
      .compactMap(Double.init)
    #expect(times.prefix(4).map { Int(($0 * 30).rounded()) } == [0, 1, 3, 7])
  }

  @Test func severalTracks() throws {
    let path = try SampleClip.tracksAndChapters.path()
    for (stream, count) in [("v", 2), ("a", 2), ("s", 2)] {
      #expect(try MediaTool.probe(path, stream: stream, entries: "stream=index").count == count)
    }
    let data = try MediaTool.run("ffprobe", ["-v", "error", "-show_chapters", "-show_format", path])
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("title=Middle") && text.contains("A titled clip"))
  }

  @Test func damagedOnesAreDamaged() throws {
    let truncated = try Data(contentsOf: URL(fileURLWithPath: try SampleClip.truncated.path()))
    let corrupted = try Data(contentsOf: URL(fileURLWithPath: try SampleClip.corrupted.path()))
    #expect(truncated.count == corrupted.count * 3 / 5)
    let size = PixelSize(width: 64, height: 36)
    let numbers = try SampleMedia.referenceFrames(try SampleClip.corrupted.path(), size: size).map(
      FrameNumber.read)
    #expect(numbers.first == 0 && numbers.last == 89 && numbers.count < 90 || numbers.contains(nil))
    #expect(try Data(contentsOf: URL(fileURLWithPath: try SampleClip.empty.path())).isEmpty)
    #expect(try MediaTool.probe(try SampleClip.audioOnly.path(), entries: "stream=index").isEmpty)
    #expect(throws: MediaTool.Failure.self) {
      try MediaTool.probe(try SampleClip.notMedia.path(), entries: "stream")
    }
  }

  @Test func transparentOnesAreTransparent() throws {
    let path = try SampleClip.gifTransparent.path()
    let size = PixelSize(width: 64, height: 36)
    // alphaextract shows transparency as black.
    let image = try #require(
      try SampleMedia.referenceFrames(path, size: size, filters: "format=rgba,alphaextract", limit: 1).first)
    #expect(image[10, 20].red == 0 && image[50, 20].red == 255)
  }

  @Test func aClipIsMadeOnceForAllWhoAskAtOnce() async throws {
    let key = [UUID().uuidString]
    let counter = SampleMedia.folder.appendingPathComponent("count-\(key[0])").path
    defer { try? FileManager.default.removeItem(atPath: counter) }
    try FileManager.default.createDirectory(at: SampleMedia.folder, withIntermediateDirectories: true)
    let paths = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try SampleMedia.file(name: "once.txt", key: key) { path in
            let before = (try? String(contentsOfFile: counter, encoding: .utf8)) ?? ""
            try (before + "x").write(toFile: counter, atomically: true, encoding: .utf8)
            try "made".write(toFile: path, atomically: true, encoding: .utf8)
          }
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(paths.count == 1)
    #expect(try String(contentsOfFile: counter, encoding: .utf8) == "x")
    try FileManager.default.removeItem(atPath: try #require(paths.first))
  }

  @Test func numbersAreNotGuessed() {
    let gray = PixelImage(size: PixelSize(width: 64, height: 36)) { $0.update(repeating: 128) }
    #expect(FrameNumber.read(gray) == nil)
    // A frame whose parity square is wrong.
    let wrong = FrameNumber.read(width: 160, height: 80) { x, _ in
      [0, 13, 15].contains(x / 10) ? (255, 255, 255) : (0, 0, 0)
    }
    #expect(wrong == nil)
    let right = FrameNumber.read(width: 160, height: 80) { x, _ in
      [0, 13, 14, 15].contains(x / 10) ? (235, 235, 235) : (16, 16, 16)
    }
    #expect(right == 1)
  }
}
