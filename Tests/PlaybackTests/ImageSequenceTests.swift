import Foundation
import Libav
import TestSupport
import Testing

@testable import Playback

/// Image sequences as clips: found, listed, decoded in any order, and with images missing or damaged.
@Suite(.timeLimit(.minutes(20))) struct ImageSequenceTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Writes numbered frames, the first of which shows 0.
  private func make(_ name: String, first: Int = 1, count: Int = 12, size: String = "160x90", options: [String] = []) throws {
    let sides = size.split(separator: "x").compactMap { Int($0) }
    try MediaTool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin"] + SampleMedia.numbered(width: sides[0], height: sides[1], rate: "25", seconds: Double(count) / 25)
        + options + ["-start_number", "\(first)", folder.path(name)])
  }

  private func remove(_ names: String...) throws { for name in names { try FileManager.default.removeItem(atPath: folder.path(name)) } }
  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.path(name))) }
  private func write(_ bytes: Data, _ name: String) throws { try bytes.write(to: URL(fileURLWithPath: folder.path(name))) }
  private func sequence(_ name: String, rate: Ratio = ImageSequence.defaultFrameRate) throws -> ImageSequence {
    try #require(try ImageSequence.named(folder.path(name), frameRate: rate))
  }

  private func numbers(_ sequence: ImageSequence) async throws -> [Int?] {
    try await Asset(sequence: sequence).linearFrames(PixelSize(width: 160, height: 90)).map(FrameNumber.read)
  }

  private static let formats: [(ending: String, options: [String])] = [
    ("png", []), ("jpg", ["-q:v", "2"]), ("tiff", []), ("exr", ["-pix_fmt", "gbrpf32le"]), ("dpx", []), ("bmp", []), ("webp", ["-c:v", "libwebp", "-lossless", "1", "-f", "image2"]),
    ("ppm", []), ("jxl", []), ("jp2", []), ("tga", []),
  ]

  @Test(arguments: formats.indices) func framesEqualTheReference(index: Int) throws {
    let (ending, options) = Self.formats[index]
    let encoders = String(decoding: try MediaTool.run("ffmpeg", ["-v", "error", "-encoders"]), as: UTF8.self)
    if ending == "jxl", !encoders.contains("libjxl") { return }
    try make("f_%03d.\(ending)", count: 6, options: options)
    let expected = try MediaTool.frameHashes(["-framerate", "25", "-i", folder.path("f_%03d.\(ending)")])
    let sequence = try sequence("f_%03d.\(ending)")
    for order in FrameListing.Order.allCases {
      let lines = try FrameListing(sequence: sequence).lines(order: order)
      #expect(lines.map(\.md5) == expected && expected.count == 6, "\(order)")
      #expect(lines.map(\.pts) == [0, 1, 2, 3, 4, 5] && lines.allSatisfy { $0.duration == 1 })
    }
  }

  @Test func aVideoMadeFromItIsTheSame() throws {
    try make("f_%03d.png", count: 10)
    try MediaTool.run("ffmpeg", ["-v", "error", "-nostdin", "-i", folder.path("f_%03d.png"), "-c:v", "ffv1", folder.path("f.mkv")])
    let own = try FrameListing(sequence: try sequence("f_%03d.png")).lines(order: .linear).map(\.md5)
    // FFV1 keeps the pixels, in another layout of the same format's planes.
    let format = ["-pix_fmt", "rgb24"]
    let images = try MediaTool.frameHashes(["-i", folder.path("f_%03d.png")] + format)
    #expect(try MediaTool.frameHashes(["-i", folder.path("f.mkv")] + format) == images && own == images)
  }

  @Test func theFrameRateIsExact() async throws {
    try make("f_%03d.png", count: 4)
    let asset = Asset(sequence: try sequence("f_%03d.png", rate: Ratio(30000, 1001)))
    let facts = try await asset.load(.facts)
    #expect(facts.preferredVideoTrack?.frameRate == Ratio(30000, 1001) && facts.format == "image2")
    #expect(facts.preferredVideoTrack?.duration == MediaTime(value: 4004, timescale: 30000))
    let index = try await asset.scannedIndex()
    #expect(index.timeline?.frameCount == 4 && index.timeline?.time(ofFrame: 3) == MediaTime(value: 3003, timescale: 30000))
  }

  @Test func missingNumbersShowTheImageBefore() async throws {
    try make("f_%02d.png", first: 6, count: 10)
    try remove("f_08.png", "f_13.png", "f_14.png")
    let sequence = try sequence("f_%02d.png")
    #expect(sequence.numbers == 6...15 && sequence.frameCount == 10 && sequence.imageCount == 7)
    #expect(sequence.missingNumbers == [8...8, 13...14])
    #expect(Asset(sequence: sequence).remarks == ["3 numbers missing: 8, 13–14"])
    #expect(try await numbers(sequence) == [0, 1, 1, 3, 4, 5, 6, 6, 6, 9])
    let shuffled = try FrameListing(sequence: sequence).lines(order: .shuffle).map(\.md5)
    #expect(try FrameListing(sequence: sequence).lines(order: .linear).map(\.md5) == shuffled)
  }

  @Test(arguments: ["png", "jpg"]) func damagedImagesAreShownAsMissing(ending: String) async throws {
    try make("f_%02d.\(ending)", first: 0, count: 8)
    let whole = try bytes("f_03.\(ending)")
    try write(whole.prefix(whole.count / 2), "f_03.\(ending)")
    try write(Data(), "f_04.\(ending)")
    try write(Data(count: whole.count), "f_06.\(ending)")
    let sequence = try sequence("f_%02d.\(ending)")
    let asset = Asset(sequence: sequence)
    #expect(try await asset.linearFrames(PixelSize(width: 160, height: 90)).map(FrameNumber.read) == [0, 1, 2, 2, 2, 5, 5, 7])
    #expect(asset.remarks == ["3 images damaged or incomplete: 3–4, 6"])
    #expect(try FrameListing(sequence: sequence).lines(order: .reverse).count == 8)
    // Written to its end while it plays.
    try write(whole, "f_03.\(ending)")
    #expect(try await asset.linearFrames(PixelSize(width: 160, height: 90)).map(FrameNumber.read) == [0, 1, 2, 3, 3, 5, 5, 7])
    #expect(asset.remarks == ["2 images damaged or incomplete: 4, 6"])
  }

  @Test func theFirstImageMayBeDamaged() async throws {
    try make("f_%02d.png", first: 0, count: 4)
    try write(Data(), "f_00.png")
    try write(Data("text".utf8), "f_01.png")
    #expect(try await numbers(try sequence("f_%02d.png")) == [2, 2, 2, 3])
  }

  @Test func withoutAnImageItFails() throws {
    for name in ["a_1.png", "a_2.png"] { try write(Data("text".utf8), name) }
    let sequence = try sequence("a_%d.png")
    #expect(throws: PlaybackError.nothingDecodable) { try FrameListing(sequence: sequence).lines(order: .linear) }
  }

  /// As AVIF is: the image is a packet of a container.
  @Test func imagesMayBeInContainers() async throws {
    for number in 0..<3 {
      try MediaTool.run(
        "ffmpeg",
        ["-v", "error", "-nostdin"]
          + SampleMedia.numbered(width: 160, height: 90, rate: "25", seconds: 1, filters: "select='eq(n,\(number))'")
          + ["-frames:v", "1", "-f", "gif", folder.path("f_\(number).png")])
    }
    try write(Data("GIF89a".utf8), "f_3.png")
    #expect(try await numbers(try sequence("f_%d.png")) == [0, 1, 2, 2])
  }

  @Test func sizesMayDiffer() async throws {
    try make("f_%02d.png", first: 0, count: 3)
    try make("g_%02d.png", first: 3, count: 3, size: "320x180")
    for number in 3...5 { try FileManager.default.moveItem(atPath: folder.path("g_0\(number).png"), toPath: folder.path("f_0\(number).png")) }
    #expect(try await numbers(try sequence("f_%02d.png")) == [0, 1, 2, 0, 1, 2])
  }

  /// The images are named like a playlist and a device; only they are opened.
  @Test func anImageThatIsSomethingElseIsDamaged() async throws {
    try make("f_%02d.png", first: 0, count: 5)
    try write(Data("#EXTM3U\n#EXT-X-TARGETDURATION:1\n/etc/passwd\n".utf8), "f_01.png")
    try write(Data("ffconcat version 1.0\nfile /etc/passwd\n".utf8), "f_02.png")
    let sequence = try sequence("f_%02d.png")
    try remove("f_03.png")
    #expect(mkfifo(folder.path("f_03.png"), 0o600) == 0)
    #expect(try await numbers(sequence) == [0, 0, 0, 0, 4])
  }

  @Test func itIsFoundByPatternGlobAndFolder() throws {
    for name in ["a_0001.png", "a_0002.png", "b 1.jpg", "b 2.jpg", "cover.png", ".a_0003.png", "c_%04d.png", "c_0001.png"] { try write(Data([1]), name) }
    func patterns(_ name: String) throws -> [String] {
      try ImageSequence.find(folder.path(name)).map { String($0.pattern.dropFirst(folder.path.utf8.count + 1)) }
    }
    #expect(try patterns("a_%04d.png") == ["a_%04d.png"] && patterns("a_####.png") == ["a_%04d.png"] && patterns("a_*.png") == ["a_%04d.png"])
    #expect(try patterns("") == ["a_%04d.png", "b %d.jpg"] && patterns("*.jpg") == ["b %d.jpg"])
    // A file of exactly that name wins.
    #expect(try patterns("c_%04d.png").isEmpty && patterns("a_%d.png").isEmpty && patterns("cover.png").isEmpty && patterns("none/%d.png").isEmpty)
    #expect(try ImageSequence.find("https://example.com/a*b_%04d.png").isEmpty)
    #expect(throws: PlaybackError.self) { try ImageSequence.named(folder.path) }
    #expect(throws: ImageSequence.noMatch) { try ImageSequence.named(folder.path("x_%d.png")) }
  }

  @Test func namesMayContainAnything() async throws {
    try make("f_%02d.png", first: 0, count: 3)
    let odd = "a\n%é\u{1B}[31m "
    try FileManager.default.createDirectory(atPath: folder.path("%03d*"), withIntermediateDirectories: true)
    for number in 0..<3 {
      try FileManager.default.moveItem(atPath: folder.path("f_0\(number).png"), toPath: folder.path("%03d*/\(odd)\(number)%.png"))
    }
    let found = try ImageSequence.find(folder.path("%03d*"))
    #expect(found.count == 1 && found.first?.pattern == folder.path("%03d*/a\n%%é\u{1B}[31m %d%%.png"))
    #expect(try await numbers(try #require(found.first)) == [0, 1, 2])
    #expect(try ImageSequence.find(try #require(found.first).pattern) == found)
  }

  /// Neither opening nor indexing reads the images.
  @Test func manyImagesAreNotRead() async throws {
    try make("f_%05d.png", first: 0, count: 1, size: "64x48")
    for number in 1..<2000 { #expect(link(folder.path("f_00000.png"), folder.path("f_\(String(format: "%05d", number)).png")) == 0) }
    let asset = Asset(sequence: try sequence("f_%05d.png"))
    let index = try await asset.scannedIndex()
    #expect(index.timeline?.frameCount == 2000)
    let demuxer = try MediaInput(try sequence("f_%05d.png")).open(Interrupter()).demuxer
    let before = demuxer.readByteCount
    _ = try PacketScan(demuxer: demuxer, stream: 0).read()
    #expect(demuxer.readByteCount == before && before < 100_000)
  }
}
