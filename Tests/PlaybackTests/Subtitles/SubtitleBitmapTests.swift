import Foundation
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Subtitles that are images.
@Suite(.timeLimit(.minutes(20))) struct SubtitleBitmapTests {
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
    let file = try pgs.file(named: "boxes.sup")
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

  /// Colours that come out of a file: red is red, and blue is blue.
  @Test(arguments: [("sup", "copy"), ("dvb", "dvbsub")]) func coloursAreTheFiles(name: String, codec: String) async throws {
    var pgs = PGSFile(width: 320, height: 180)
    pgs.show(at: 1, x: 40, y: 150, width: 100, height: 20, luma: 81, red: 240, blue: 90)
    pgs.clear(at: 2)
    pgs.show(at: 3, x: 40, y: 150, width: 100, height: 20, luma: 41, red: 110, blue: 240)
    pgs.clear(at: 4)
    let file = try pgs.file(named: "colours.sup")
    let clip = try SampleMedia.clip(
      name: "colours-\(name).mkv",
      arguments: [
        "-f", "lavfi", "-i", "color=green:s=320x180:r=10:d=6", "-itsoffset", "1", "-i", file, "-map", "0", "-map", "1", "-c:v", "libx264",
        "-preset", "ultrafast", "-c:s", codec,
      ])
    // Red, green, blue of the middle of each box.
    let colours = try await cues(clip).flatMap(\.bitmaps).map { bitmap in
      let pixel = bitmap.pixels()[bitmap.size.height / 2 * bitmap.size.width + bitmap.size.width / 2]
      return (0..<4).map { Int(pixel >> (8 * $0) & 0xFF) }
    }
    try #require(colours.count == 2, "\(colours)")
    for (place, colour) in [0, 2].map({ ($0, colours[$0 / 2]) }) {
      #expect(colour[place] > 200 && colour[2 - place] < 60 && colour[1] < 60 && colour[3] == 255, "\(colours)")
    }
  }

  /// Broadcasts say how long a page lasts at the most; the next one comes sooner. Where recordings are joined, time stamps jump, and
  /// what is shown goes on.
  @Test func pagesOfBroadcastsThatWereJoined() async throws {
    var pgs = PGSFile(width: 320, height: 180)
    pgs.show(at: 1, x: 40, y: 150, width: 100, height: 20)
    pgs.clear(at: 3)
    let images = try pgs.file(named: "pages.sup")
    func part(_ offset: Int) throws -> Data {
      let path = try SampleMedia.clip(
        name: "part\(offset).ts",
        arguments: [
          "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-itsoffset", "1", "-i", images, "-map", "0", "-map", "1", "-c:v",
          "libx264", "-preset", "ultrafast", "-g", "25", "-c:s", "dvbsub", "-output_ts_offset", "\(offset)",
        ])
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    let folder = try TemporaryFolder()
    try (part(0) + part(1000) + part(20)).write(to: URL(fileURLWithPath: folder.path("joined.ts")))
    let cues = try await cues(folder.path("joined.ts"))
    #expect(cues.map { ($0.timeRange.start.seconds * 10).rounded() / 10 } == [1, 5, 9])
    // Cleared long before the half minute that ffmpeg gives them.
    #expect(cues.allSatisfy { $0.timeRange.duration < MediaTime(value: 3, timescale: 1) })
  }

  /// `clip.idx` says when, in which language and in which colours the images of `clip.sub` are shown.
  @Test func filesOfImagesWithAnIndex() async throws {
    var pgs = PGSFile(width: 320, height: 180)
    pgs.show(at: 1, x: 40, y: 150, width: 100, height: 20)
    pgs.clear(at: 2)
    pgs.show(at: 3, x: 60, y: 20, width: 30, height: 10)
    pgs.clear(at: 4)
    let images = try pgs.file(named: "two.sup")
    let folder = try TemporaryFolder()
    let clip = folder.path("a:b.mp4")
    try FileManager.default.copyItem(atPath: SampleClip.h264BFrames.path(), toPath: clip)
    _ = try MediaTool.run("ffmpeg", ["-v", "error", "-i", images, "-c:s", "dvdsub", "-f", "vob", "file:" + folder.path("a:b.sub")])
    let positions: [Int] = try MediaTool.probe(folder.path("a:b.sub"), stream: "s:0", entries: "packet=pos").compactMap { Int($0) }
    let places = positions.map { $0 / 2048 * 2048 }
    try #require(places.count == 2, "\(places)")
    let colors = ["000000", "ff0000"] + Array(repeating: "00ff00", count: 14)
    let index = """
      # VobSub index file, v7 (do not modify this line!)
      size: 320x180
      palette: \(colors.joined(separator: ", "))
      id: fr, index: 0
      timestamp: 00:00:00:500, filepos: \(String(places[0], radix: 16))
      timestamp: 00:00:02:000, filepos: \(String(places[1], radix: 16))

      """
    try Data(index.utf8).write(to: URL(fileURLWithPath: folder.path("a:b.idx")))
    let asset = Asset(path: clip)
    _ = try await asset.load(.facts)
    let item = PlayerItem(asset: asset)
    await withCheckedContinuation { done in item.addSubtitlesBeside { done.resume() } }
    let options = try #require(item.subtitleGroup?.options)
    #expect(options.map { $0.file?.hasSuffix("a:b.idx") } == [true] && options.map { $0.language?.description } == ["fr"])
    item.selectedSubtitles = options.first
    let cues = try await #require(item.subtitles).load().cues
    #expect(cues.map(\.timeRange.start.seconds) == [0.5, 2])
    #expect(cues.flatMap(\.bitmaps).allSatisfy { $0.canvas == PixelSize(width: 320, height: 180) } && cues.count == 2)
    // Its colours are those that the index tells: red, green and black, as bytes of red, green, blue and coverage.
    let colours = Set(cues.flatMap(\.bitmaps).flatMap { $0.pixels() }.filter { $0 >> 24 == 255 }.map { $0 & 0xFFFFFF })
    #expect(colours.isSubset(of: [0x0000FF, 0x00FF00, 0]) && !colours.isSubset(of: [0]), "\(colours)")
    // Without its images it is nothing.
    try FileManager.default.removeItem(atPath: folder.path("a:b.sub"))
    let alone = PlayerItem(asset: asset)
    let result = await withCheckedContinuation { done in alone.addSubtitles(file: folder.path("a:b.idx")) { done.resume(returning: $0) } }
    guard case .failure(let error) = result else { return #expect(Bool(false), "it was taken") }
    #expect(error.reason == .notFound && error.message == "companion file is missing: a:b.sub")
  }

  /// A disc's stream whose first words come behind all that libavformat looks at: 5 MB.
  @Test func thoseOfAProgramStreamThatBeginLate() async throws {
    let clip = try Self.lateSubtitles()
    let told = try MediaTool.run(
      "ffprobe",
      [
        "-v", "error", "-probesize", "50M", "-analyzeduration", "50M", "-select_streams", "s", "-show_entries", "packet=pos", "-of",
        "csv=p=0", "file:" + clip,
      ])
    let places = String(decoding: told, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    try #require((places.min() ?? 0) > 6_000_000, "\(places)")
    #expect(try MediaTool.probe(clip, stream: "s", entries: "stream=index").isEmpty, "libavformat finds them by itself")
    let asset = Asset(path: clip)
    let facts = try await asset.load(.facts)
    #expect(facts.tracks.map(\.mediaType) == [.video, .text, .text])
    let item = PlayerItem(asset: asset)
    let options = try #require(item.subtitleGroup?.options)
    #expect(options.allSatisfy { $0.track.codec == "dvd_subtitle" && $0.isPlayable } && options.count == 2)
    // The first track begins sooner than the second, wherever the file is opened.
    for (option, starts) in zip(options, [[11.0, 13], [12, 14]]) {
      item.selectedSubtitles = option
      let cues = try await #require(item.subtitles).load().cues
      #expect(cues.map { ($0.timeRange.start.seconds * 10).rounded() / 10 } == starts && cues.allSatisfy { !$0.bitmaps.isEmpty })
    }
    // What was looked at farther on is not missing at the beginning.
    let frames = try await asset.scannedIndex().content.timeline?.frameCount
    #expect(frames == 400)
  }

  /// Sixteen seconds of noise with two tracks of images, of which the first begins at 11 s, and the second at 12 s.
  private static func lateSubtitles() throws -> String {
    func images(_ times: [Double]) throws -> String {
      var pgs = PGSFile(width: 320, height: 240)
      for time in times {
        pgs.show(at: time, x: 100, y: 200, width: 80, height: 20)
        pgs.clear(at: time + 0.5)
      }
      return try pgs.file(named: "late.sup")
    }
    return try SampleMedia.clip(
      name: "late.vob",
      arguments: [
        "-f", "lavfi", "-i", "nullsrc=s=320x240:r=25:d=16,geq=lum='random(1)*255':cb=128:cr=128", "-itsoffset", "11", "-i",
        images([1, 3]), "-itsoffset", "12", "-i", images([1, 3]), "-map", "0", "-map", "1", "-map", "2", "-c:v", "mpeg2video", "-b:v",
        "7M", "-minrate", "7M", "-maxrate", "7M", "-bufsize", "1835k", "-c:s", "dvdsub",
      ])
  }

  /// A film in Matroska keeps its disc's colours beside the track.
  @Test func coloursOfADiscInsideAFile() async throws {
    var pgs = PGSFile(width: 320, height: 180)
    pgs.show(at: 1, x: 40, y: 150, width: 100, height: 20, luma: 81, red: 240, blue: 90)
    pgs.clear(at: 2)
    pgs.show(at: 3, x: 40, y: 150, width: 100, height: 20, luma: 41, red: 110, blue: 240)
    pgs.clear(at: 4)
    let file = try pgs.file(named: "disc.sup")
    // Of the colours of which the disc has sixteen, those that come next to red and to blue.
    let (reddish, bluish): (UInt32, UInt32) = (0xD02018, 0x1828C8)
    let palette = ["000000", "d02018", "1828c8"] + Array(repeating: "40c040", count: 13)
    let clip = try SampleMedia.clip(
      name: "disc.mkv",
      arguments: [
        "-f", "lavfi", "-i", "color=green:s=320x180:r=10:d=6", "-itsoffset", "1", "-i", file, "-map", "0", "-map", "1", "-c:v", "libx264",
        "-preset", "ultrafast", "-c:s", "dvdsub", "-palette", palette.joined(separator: ","),
      ])
    let cues = try await cues(clip)
    try #require(cues.count == 2)
    for (cue, colour) in zip(cues, [reddish, bluish]) {
      let pixels: [UInt32] = cue.bitmaps.flatMap { $0.pixels() }
      let seen = Set(pixels.filter { $0 >> 24 == 255 }.map { $0 & 0xFFFFFF })
      // The lowest byte is red.
      let expected: UInt32 = (colour & 0xFF) << 16 | (colour & 0xFF00) | colour >> 16
      #expect(seen.contains(expected) && seen.isSubset(of: [expected, 0]), "\(seen.map { String($0, radix: 16) })")
    }
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
