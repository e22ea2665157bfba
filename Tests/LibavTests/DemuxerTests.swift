import Foundation
import Glibc
import TestSupport
import Testing

@testable import Libav

/// Files that are opened and files that are refused, and why.
@Suite(.timeLimit(.minutes(20))) struct DemuxerTests {
  private func open(_ path: String) throws -> Demuxer { try Demuxer(path: path, interrupter: Interrupter()) }

  private func file(_ name: String, _ content: String) throws -> String { try file(name, Data(content.utf8)) }
  private func file(_ name: String, _ content: Data) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("demuxer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent(name)
    try content.write(to: url)
    return url.path
  }

  private func remove(_ path: String) {
    try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
  }

  /// Reads a file to its end and tells whether that is in the middle of something.
  private func isCutOff(_ path: String) throws -> Bool {
    let demuxer = try open(path)
    let packet = try Packet()
    var errors = 0
    while errors < 20 {
      do {
        if try demuxer.read(into: packet) == .endOfFile { break }
      } catch { errors += 1 }
    }
    return demuxer.isCutOff
  }

  @Test(arguments: [
    TimingClip.fragmented, .negative, .openGOPTransport, .h264InAVI, .alternateReferenceIVF, .sizeChangeFlash, .wrapMPEG2,
    .theora,
  ])
  func aFileThatIsCutOff(clip: TimingClip) throws {
    let path = try clip.path()
    #expect(try !isCutOff(path))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for share in [0.5, 0.6, 0.9, 0.99] {
      // Not between two packets of a transport stream, where nothing tells it.
      let length = Int(Double(bytes.count) * share) / 188 * 188 + 41
      let part = try file((path as NSString).lastPathComponent, bytes.prefix(length))
      defer { remove(part) }
      #expect(try isCutOff(part), "\(share)")
    }
  }

  /// Writes a clip anew with tables that claim so many samples in the bytes of one.
  private func claiming(_ count: UInt32, of clip: TimingClip) throws -> String {
    let path = try clip.path()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    func put(_ value: UInt32, in box: String, at offset: Int) throws {
      let place = try #require(bytes.firstRange(of: Data(box.utf8))).lowerBound + offset
      bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: value.bigEndian) { Data($0) })
    }
    // Behind the name, version and flags: one entry of so many samples; samples of one byte; all in one chunk.
    try put(1, in: "stts", at: 8)
    try put(count, in: "stts", at: 12)
    try put(1, in: "stsz", at: 8)
    try put(count, in: "stsz", at: 12)
    try put(1, in: "stsc", at: 8)
    try put(count, in: "stsc", at: 16)
    return try file("claim.mp4", bytes)
  }

  @Test func tablesThatCannotBeTrueAreRefusedBeforeMemoryIsTaken() throws {
    let path = try claiming(30_000_000, of: .fastStart)
    defer { remove(path) }
    #expect(throws: DemuxerError.tooManySamples(30_000_000)) { try open(path) }
  }

  /// As many as a film of ten hours has are let through, and so is the beginning of a long clip.
  @Test func tablesOfLongClipsAreNotRefused() throws {
    for path in [try claiming(900_000, of: .fastStart), try TimingClip.fastStart.path()] { _ = try open(path) }
    // A table of a million entries of four bytes each, in a file that is cut off soon behind it.
    let table = 20 + 4 * 1_500_000
    let boxes: [(String, Int)] = [("moov", table + 40), ("trak", table + 32), ("mdia", table + 24), ("minf", table + 16), ("stbl", table + 8)]
    var bytes = boxes.reduce(into: Data()) { $0 += number($1.1) + Data($1.0.utf8) }
    bytes += number(table) + Data("stsz".utf8) + number(0) + number(0) + number(1_500_000) + Data(count: 4 * 1_500_000)
    let claim = SampleClaim(movieBoxes(bytes)).count
    #expect(claim == 1_500_000 && claim < bytes.count)
  }

  /// Boxes within boxes cost no more of the stack than those of a real file.
  @Test func boxesAreReadToADepth() {
    let bytes = (0..<10_000).reversed().reduce(into: Data()) { $0 += number(8 * ($1 + 1)) + Data("moov".utf8) }
    var count = 0
    movieBoxes(bytes).forEach { _ in count += 1 }
    #expect(count == 8)
  }

  private func movieBoxes(_ bytes: Data) -> MovieBoxes {
    MovieBoxes(byteCount: Int64(bytes.count)) { Array(bytes.dropFirst(Int($0)).prefix($1)) }
  }

  private func number(_ value: Int) -> Data { withUnsafeBytes(of: UInt32(value).bigEndian) { Data($0) } }

  /// Old QuickTime sound is told in samples of one tick, far more than bytes, and indexed by its chunks.
  @Test func soundInTicksIsNotCounted() throws {
    let path = try SampleMedia.clip(
      name: "sound.mov", arguments: ["-f", "lavfi", "-i", "sine=duration=60", "-ac", "1", "-c:a", "adpcm_ima_qt"])
    _ = try open(path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(SampleClaim(movieBoxes(bytes)).count < 100_000)
  }

  @Test func whatTellsNoLengthIsNotCalledCutOff() throws {
    for clip in [TimingClip.withoutCues, .rawMPEG4, .gif, .variableRate, .h264InMXF, .missingDTS, .deltaPNG] {
      #expect(try !isCutOff(clip.path()), "\(clip)")
    }
  }

  @Test func aTransportStreamThatEndsInsideAPacket() throws {
    func isCutOff(_ bytes: [UInt8]) -> Bool {
      FileExtent(byteCount: Int64(bytes.count)) { Array(bytes.dropFirst(Int($0)).prefix($1)) }.isCutOff(format: "mpegts")
    }
    for (size, before) in [(188, 0), (192, 4), (204, 0)] {
      var bytes: [UInt8] = []
      for n in 0..<20 {
        var packet = [UInt8](repeating: 0, count: size)
        for i in packet.indices { packet[i] = UInt8(truncatingIfNeeded: n &* 31 &+ i &* i) }
        packet[before] = 0x47
        bytes += packet
      }
      #expect(!isCutOff(bytes))
      // Bytes before the first packet do not matter.
      #expect(!isCutOff([1, 2, 3] + bytes))
      for rest in [1, 4, 77, size - 1] {
        #expect(isCutOff(Array(bytes.dropLast(size - rest))), "\(size): \(rest)")
      }
    }
    #expect(!isCutOff([]) && !isCutOff([0x47, 1, 2]))
    #expect(!isCutOff([UInt8](repeating: 0x47, count: 3000)))
  }

  @Test func noFiles() throws {
    #expect(throws: FileInputError.notFound) { try open("/no/such/clip.mp4") }
    #expect(throws: FileInputError.notFound) { try open("") }
    #expect(throws: FileInputError.notFound) { try open("/dev/null/x") }
    #expect(throws: FileInputError.isFolder) { try open(NSTemporaryDirectory()) }
    #expect(throws: FileInputError.isFolder) { try open("/") }
    for device in ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/tty"] {
      #expect(throws: FileInputError.isDevice) { try open(device) }
    }
    #expect(throws: FileInputError.isEmpty) { try open(try SampleClip.empty.path()) }
    #expect(throws: FileInputError.system(errno: ENAMETOOLONG)) {
      try open(String(repeating: "x", count: 300))
    }
  }

  @Test func aSocket() throws {
    let path = NSTemporaryDirectory() + "socket-\(UInt32.random(in: 0 ... .max))"
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(descriptor)
      unlink(path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(code == 0)
    #expect(throws: FileInputError.isSocket) { try open(path) }
  }

  @Test func garbage() throws {
    var random = SeededGenerator(seed: 1)
    for count in [1, 7, 100, 5000, 200_000] {
      let path = try file(
        "clip.mp4", Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }))
      defer { remove(path) }
      #expect(throws: (any Error).self) { _ = try ClipReader(path) }
    }
    let text = try file("clip.dat", String(repeating: "Nothing to see here.\n", count: 100))
    defer { remove(text) }
    #expect(throws: (any Error).self) { _ = try ClipReader(text) }
  }

  @Test(arguments: [
    ("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nother.ts\n#EXT-X-ENDLIST\n"),
    ("a.mp4", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nother.m3u8\n"),
    ("a.ffconcat", "ffconcat version 1.0\nfile other.mp4\n"),
    ("a.mkv", "ffconcat version 1.0\nfile /etc/passwd\n"),
    ("a.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n"),
    ("a.m3u", "other.mp4\n"), ("a.m3u8", "#EXTM3U\n#EXTINF:5,Other\nother.mp4\n"),
    ("A.PLS", "[playlist]\nFile1=other.mp4\nNumberOfEntries=1\n"),
    ("a.xspf", "<?xml version=\"1.0\"?>\n<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"></playlist>\n"),
    ("a.asx", "<asx version=\"3.0\"><entry><ref href=\"other.wmv\"/></entry></asx>\n"),
    ("a.mpd", "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"></MPD>\n"),
  ])
  func playlistsAreRefusedByName(name: String, content: String) throws {
    let path = try file(name, content)
    defer { remove(path) }
    do {
      _ = try open(path)
      Issue.record("\(name) was opened")
    } catch DemuxerError.playlist(let format) {
      #expect(!format.isEmpty)
    } catch DemuxerError.unknownFormat where name.hasSuffix("mpd") {
      // Not every build of libav knows it.
    }
  }

  /// A list's name does no harm to a clip.
  @Test func aClipThatIsNamedLikeAPlaylistIsOpened() throws {
    let path = try file("a.m3u8", Data(contentsOf: URL(fileURLWithPath: try SampleClip.h264BFrames.path())))
    defer { remove(path) }
    #expect(try open(path).streams.contains { $0.kind == .video })
  }

  @Test func absurdSizesAreRefusedBeforeMemoryIsTaken() throws {
    for (width, height) in [
      (16385, 16), (16, 16385), (65_535, 65_535), (1_000_000, 1_000_000), (20_000, 20_000),
    ] {
      let path = try file("a.y4m", "YUV4MPEG2 W\(width) H\(height) F25:1 Ip A1:1 C420\nFRAME\n")
      defer { remove(path) }
      #expect(throws: (any Error).self, "\(width)×\(height)") { try open(path) }
      // Beyond that libav itself refuses.
      if width < 20_000 {
        #expect(throws: DemuxerError.tooLarge(width: width, height: height)) { try open(path) }
      }
      // A PNG header says its size as well.
      var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
      for side in [width, height] { png += withUnsafeBytes(of: UInt32(side).bigEndian) { Data($0) } }
      png += Data([8, 2, 0, 0, 0]) + Data(repeating: 0, count: 4000)
      let image = try file("a.png", png)
      defer { remove(image) }
      #expect(throws: (any Error).self) {
        let reader = try ClipReader(image)
        _ = try reader.next()
        _ = try reader.scaler.scale(reader.frame, to: ScaleRequest(size: reader.frame.size))
      }
    }
    // The largest that is allowed is no error of size.
    let allowed = try file(
      "a.y4m", "YUV4MPEG2 W16384 H2 F25:1 Ip A1:1 C420\nFRAME\n" + String(repeating: "x", count: 49_152))
    defer { remove(allowed) }
    #expect(try open(allowed).streams.first?.size.width == 16384)
  }

  @Test(arguments: [
    "a:b.mov", "%03d.png", "concat:x", "-x", "file:z", "pipe:0", "crypto:a", "[a-z]*.png", "Ünï 寿.mkv",
  ])
  func namesAreTakenLiterally(name: String) throws {
    // The one with a pattern also where files lie that match it.
    let path = try file(name, try Data(contentsOf: URL(fileURLWithPath: SampleClip.png.path())))
    defer { remove(path) }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    for n in 1...3 { try Data("no picture".utf8).write(to: folder.appendingPathComponent("00\(n).png")) }
    let reader = try ClipReader(path)
    #expect(try reader.next() && reader.frame.size == reader.stream.size && reader.stream.size.width == 320)
    #expect(try !reader.next())
    #expect(throws: FileInputError.notFound) { try open(name) }
  }

  @Test func anInterruptEndsAHangingRead() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    // A writer that never writes, and none at all.
    for hasWriter in [false, true] {
      let writer = hasWriter ? Glibc.open(path, O_RDWR | O_NONBLOCK) : -1
      let interrupter = Interrupter()
      Thread.detachNewThread { interrupter.interrupt() }
      do {
        _ = try Demuxer(path: path, interrupter: interrupter)
        Issue.record("an empty pipe was opened")
      } catch let error as AVError {
        #expect(error.isInterrupted)
      }
      if writer >= 0 { close(writer) }
    }
  }

  @Test func aPipeCanBePlayed() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    let clip = try Data(contentsOf: URL(fileURLWithPath: SampleClip.transportStreamOffset.path()))
    PipeWriter.write(clip, to: path)
    let reader = try ClipReader(path)
    #expect(!reader.demuxer.isSeekable && reader.demuxer.byteCount == 0)
    var count = 0
    while try reader.next() { count += 1 }
    #expect(count == 90)
  }

  @Test func whatHeadersTell() throws {
    let demuxer = try open(try SampleClip.tracksAndChapters.path())
    #expect(demuxer.streams.map(\.kind) == [.video, .video, .audio, .audio, .subtitle, .subtitle])
    #expect(demuxer.metadata["title"] == "A titled clip" && demuxer.chapters.count == 3)
    #expect(demuxer.isSeekable && demuxer.byteCount > 1000)
    let turned = try open(try SampleClip.rotated90.path()).streams[0]
    #expect(turned.orientation.quarterTurns == 1 && !turned.orientation.isMirrored)
    #expect(try open(try SampleClip.transportStreamOffset.path()).mayBeDiscontinuous)
    #expect(try open(try SampleClip.vp9Alpha.path()).streams[0].hasAlphaLayer)
  }

  @Test func seekingAndRewinding() throws {
    let reader = try ClipReader(try SampleClip.h264BFrames.path())
    var times: [Int64?] = []
    while try reader.next() { times.append(reader.frame.bestEffortTimestamp) }
    #expect(times.count == 90)
    for number in [0, 29, 30, 45, 89] {
      try reader.demuxer.seek(stream: reader.stream.index, toKeyAtOrBefore: times[number] ?? 0)
      let packet = try Packet()
      repeat {
        #expect(try reader.demuxer.read(into: packet) == .packet)
      } while packet.streamIndex != reader.stream.index
      #expect(packet.isKey && (packet.pts ?? .max) <= times[number] ?? 0)
      #expect(times.firstIndex(of: packet.pts) == number / 30 * 30)
    }
    try reader.demuxer.rewind()
    let packet = try Packet()
    repeat { _ = try reader.demuxer.read(into: packet) } while packet.streamIndex != reader.stream.index
    #expect(packet.pts == times[0])
  }
}
