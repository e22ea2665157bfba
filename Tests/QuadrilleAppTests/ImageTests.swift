import CellGraphics
import DecodePool
import Foundation
import Pixels
import Playback
import TestSupport
import Testing

@testable import QuadrilleApp

@Suite("Images out of clips", .timeLimit(.minutes(20)))
struct ImageTests {
  @Test("the times of a contact sheet are the middles of equal parts, exactly")
  func times() {
    let times = ContactSheet.times(count: 3, duration: MediaTime(value: 3, timescale: 1))
    #expect(times == [1, 3, 5].map { MediaTime(value: $0, timescale: 2) })
    #expect(ContactSheet.times(count: 2, duration: MediaTime(value: 1, timescale: .max)).count == 2)
  }

  @Test("a strip without any frame yet hides nothing")
  func emptyStrip() throws {
    let strip = ThumbnailStrip(
      asset: Asset(path: try SampleClip.h264BFrames.path()), videoTrack: nil, duration: MediaTime(value: 3, timescale: 1),
      context: PlaybackContext(pool: DecodePool(threads: 0), bus: TimeObserverBus())) {}
    let blitter = Blitter.best(for: .unicode)
    let body = CellRect(x: 0, y: 0, width: 60, height: 20)
    #expect(strip.arrangement(in: .init(body: body, track: body, fraction: 0.5), blitter: blitter) == nil)
  }

  @Test("a contact sheet shows the frames in the order of reading")
  func sheet() throws {
    let sheet = try ContactSheet(
      clip: SampleClip.h264BFrames.path(), count: 5, columns: 3, size: PixelSize(width: 160, height: 100),
      isFixed: true)
    let image = sheet.image()
    // Frames of 160×100 with times of 9 pixels below them, and 8 between and around.
    #expect(image.size == PixelSize(width: 512, height: 242))
    let numbers = (0..<5).map { n in
      // 160×90 in the middle of 160×100.
      FrameNumber.read(width: 160, height: 90) { x, y in image[8 + (n % 3) * 168 + x, 8 + (n / 3) * 117 + 5 + y] }
    }
    #expect(numbers == [9, 27, 45, 63, 81])
    #expect(image[500, 190] == (24, 27, 34) && image[0, 0] == (24, 27, 34))
    // What is printed leads back to the frame that is shown.
    for (time, number) in zip(sheet.times, numbers) {
      let position = try #require(time.flatMap { GoToTarget($0) })
      #expect(try StillMaker(clip: SampleClip.h264BFrames.path()).still(at: position).timing.number == number)
    }
  }

  @Test("a position outside the clip has no frame", arguments: [SampleClip.h264BFrames, .rawH264, .transportStreamOffset])
  func positions(clip: SampleClip) throws {
    let path = try clip.path()
    let count = try FrameListing(path: path).lines(order: .linear).count
    func number(_ text: String) throws -> Int { try StillMaker(clip: path).still(at: #require(GoToTarget(text))).timing.number }
    #expect(try number("0%") == 0 && number("100%") == count - 1 && number("#\(count - 1)") == count - 1)
    #expect(try number("+2f") == 2 && number("+0") == 0)
    #expect(try abs(number("50%") - count / 2) <= 1)
    for text in ["99", "+99", "-1", "-1f", "#\(count)", "99:00:00"] {
      let error = #expect(throws: PlaybackError.self) { try number(text) }
      #expect(error?.reason == .noSuchFrame, "\(text)")
    }
  }

  @Test("a sheet without some of its frames says so")
  func missing() throws {
    let folder = try TemporaryFolder()
    let movie = folder.path("cut.yaml")
    try "quadrille: movie 1\npieces:\n  - clip: \(SampleClip.h264BFrames.path())\n    for: 1\n  - missing: gone\n    for: 1\n"
      .write(toFile: movie, atomically: false, encoding: .utf8)
    let sheet = try ContactSheet(clip: movie, count: 4, columns: 2, size: PixelSize(width: 64, height: 0), isFixed: false)
    #expect(sheet.images.map { $0 != nil } == [true, true, false, false])
    #expect(sheet.failure?.message(naming: "") == "\(movie):5: 2 of 4 frames are missing: gone: is missing")
    #expect {
      try StillMaker(clip: movie).still(at: GoToTarget("1.5")!)
    } throws: { ($0 as? PlaybackError)?.message(naming: "") == "\(movie):5: gone: is missing" }
    let report = InfoReport(clip: movie, isPrecise: false)
    #expect(report.failed && !report.summary.playable && report.lines.contains { $0.description.contains("gone: is missing") })
  }

  @Test("a sheet of a clip without a length in its header", arguments: [SampleClip.rawH264, .png])
  func lengths(clip: SampleClip) throws {
    let sheet = try ContactSheet(
      clip: clip.path(), count: 3, columns: 5, size: PixelSize(width: 320, height: 0), isFixed: false)
    #expect(sheet.images.allSatisfy { $0 != nil })
    #expect(sheet.columns == 3)
    #expect(throws: PlaybackError.self) {
      try ContactSheet(
        clip: SampleClip.audioOnly.path(), count: 3, columns: 5, size: PixelSize(width: 32, height: 0),
        isFixed: false)
    }
  }

  @Test("what waits to be saved is bounded, and what was not saved is told", .timeLimit(.minutes(20)))
  func pendingSaves() throws {
    let saves = PendingSaves {}
    #expect(saves.finish() == nil)
    let other = PendingSaves {}
    let tickets = (0..<PendingSaves.maxPending).map { other.begin("\($0).png") }
    #expect(tickets.allSatisfy { $0 != nil } && other.begin("x.png") == nil)
    for ticket in tickets.dropFirst(2).compactMap({ $0 }) {
      #expect(other.mayWrite(ticket))
      other.end(ticket, hasFailed: false)
    }
    let first = try #require(tickets[0])
    other.end(first, hasFailed: true)
    #expect(other.finish() == "3 of 101 frames were not saved: x.png, 0.png, 1.png")
    // It comes too late.
    #expect(!other.mayWrite(try #require(tickets[1])))
  }

  @Test("saved frames are named by clip and PTS")
  func names() {
    func timing(_ time: MediaTime, stamp: Int64? = nil) -> FrameTiming {
      FrameTiming(pts: time, duration: MediaTime(value: 1, timescale: 30), originalPTS: stamp)
    }
    func name(_ clip: String, _ time: MediaTime) -> String { FrameSaver.fileName(clip: clip, timing(time)) }
    #expect(name("https://user:word@host/films/clip.mp4?token=secret", .zero) == name("clip.mp4", .zero))
    #expect(name("https://host/?token=secret", .zero) == name("host", .zero))
    #expect(name("rtsp://user:word@camera:8554/live?password=secret", .zero) == name("camera-8554", .zero))
    #expect(name("udp://239.0.0.1:1234", .zero).hasPrefix("239.0.0.1-1234-0.00"))
    #expect(name("udp://@:1234", .zero) == name("-1234", .zero))
    #expect(FrameSaver.fileName(clip: "a.ts", timing(.zero, stamp: -7)) == "a-0.00.00.000-pts-7.png")
    // Not before the frame, where the one before it is on display.
    #expect(name("film.mkv", MediaTime(value: 101, timescale: 30)) == "film-0.00.03.367.png")
    #expect(name("/a/film.mkv", MediaTime(value: 62_500, timescale: 1000)) == "film-0.01.02.500.png")
    #expect(name("film", MediaTime(value: 3_723_001, timescale: 1000)) == "film-1.02.03.001.png")
    #expect(name("./-x.mp4", .zero) == "clip-x-0.00.00.000.png")
    #expect(name("./.hidden", .zero) == ".hidden-0.00.00.000.png")
    #expect(name(String(repeating: "ä", count: 127) + ".mp4", .zero).utf8.count <= 255)
    #expect(name("a" + String(repeating: "\u{301}", count: 110) + ".mp4", .zero) == "clip-0.00.00.000.png")
  }

  @Test("times are drawn crisply below their frames")
  func digits() {
    var rows = [[Character]](repeating: [Character](repeating: " ", count: 23), count: 7)
    DigitFont.draw("1:7.", x: 0, y: 0, scale: 1) { x, y in rows[y][x] = "#" }
    #expect(rows.map { String($0) } == [
      "  #         #####      ", " ##     #       #      ", "  #     #      #       ", "  #           #        ",
      "  #     #    #         ", "  #     #    #     ##  ", " ###         #     ##  ",
    ])
    #expect(DigitFont.width(of: "1:7.", scale: 2) == 46)
    for width in 1...1000 {
      #expect(DigitFont.rowHeight(tileWidth: width) >= 9 && DigitFont.scale(tileWidth: width) >= 1)
    }
  }

  @Test("a sheet has room for every frame where their shape changes")
  func shapes() throws {
    func part(_ shape: String, at start: Int) throws -> String {
      try SampleMedia.clip(
        name: "shape.ts",
        arguments: SampleMedia.numbered(width: 160, height: 120, rate: "25", seconds: 2) + [
          "-vf", "setsar=\(shape)", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "25", "-output_ts_offset", "\(start)",
        ])
    }
    let parts = [try part("2/1", at: 0), try part("1/2", at: 2)]
    let clip = try SampleMedia.file(name: "shapes.ts", key: parts) { path in
      try parts.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }.reduce(Data(), +).write(to: URL(fileURLWithPath: path))
    }
    for size in [PixelSize(width: 80, height: 0), PixelSize(width: 0, height: 60), PixelSize(width: 0, height: 0)] {
      let sheet = try ContactSheet(clip: clip, count: 4, columns: 2, size: size, isFixed: size.width > 0)
      let shapes = sheet.images.compactMap { $0?.size }
      #expect(shapes.count == 4 && Set(shapes).count == 2)
      #expect(shapes.allSatisfy { $0.width <= sheet.tile.width && $0.height <= sheet.tile.height })
      #expect(sheet.image().size == ContactSheet.size(count: 4, columns: 2, tile: sheet.tile))
    }
  }
}
