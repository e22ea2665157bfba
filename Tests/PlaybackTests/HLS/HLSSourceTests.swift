import Foundation
import Libav
import TestSupport
import Testing

@testable import Playback

/// HTTP Live Streaming from a server.
@Suite(.timeLimit(.minutes(20))) struct HLSSourceTests {
  /// A segment of two seconds whose timestamps begin anew, in a colour.
  private static func segment(_ colour: String, size: String = "96x64") throws -> [UInt8] {
    let path = try SampleMedia.clip(
      name: "segment.ts",
      arguments: ["-f", "lavfi", "-i", "color=\(colour):s=\(size):r=25:d=2", "-c:v", "libx264", "-g", "50", "-pix_fmt", "yuv420p"])
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static let head = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n"

  private func server(_ playlist: String, _ files: [String: [UInt8]]) throws -> TestServer {
    let server = try TestServer()
    server.on("/list.m3u8") { $1.respond(200, body: Array(playlist.utf8)) }
    for (path, bytes) in files { server.on(path) { $1.respond(to: $0, file: bytes) } }
    return server
  }

  /// The pixel in the middle of the frame at a time, and the frame's start in seconds.
  private func colour(_ server: TestServer, at seconds: [Double]) async throws -> [(rgb: [UInt8], start: Double)] {
    let generator = ImageGenerator(asset: Asset(path: server.url("/list.m3u8")))
    (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
    var colours: [(rgb: [UInt8], start: Double)] = []
    for second in seconds {
      let still = try await generator.image(at: MediaTime(seconds: second, preferredTimescale: 1000))
      let image = still.image
      let middle = (image.size.height / 2 * image.size.width + image.size.width / 2) * 3
      colours.append((image.withBytes { Array($0[middle..<middle + 3]) }, still.timing.pts.seconds))
    }
    return colours
  }

  private func isNear(_ colour: [UInt8], _ other: [UInt8]) -> Bool { zip(colour, other).allSatisfy { abs(Int($0) - Int($1)) < 8 } }

  /// Timestamps that begin anew, and another size, stay on one timeline.
  @Test func discontinuitiesAreOnOneTimeline() async throws {
    let list = Self.head + "#EXTINF:2,\na.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\nb.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\nc.ts\n#EXT-X-ENDLIST\n"
    let server = try server(
      list, ["/a.ts": Self.segment("red"), "/b.ts": Self.segment("lime", size: "160x90"), "/c.ts": Self.segment("blue")])
    let found = try await colour(server, at: [0, 1.99, 2.01, 5.9, 3.5, 0.5])
    let expected: [([UInt8], Double)] = [
      ([255, 0, 0], 0), ([255, 0, 0], 1.96), ([0, 255, 0], 2), ([0, 0, 255], 5.88), ([0, 255, 0], 3.48), ([255, 0, 0], 0.48),
    ]
    for (a, b) in zip(found, expected) { #expect(isNear(a.rgb, b.0) && abs(a.start - b.1) < 0.001, "\(a), not \(b)") }
    #expect(try await Asset(path: server.url("/list.m3u8")).load(.duration).seconds == 6)
  }

  /// A segment that is not there is passed over; its time shows what follows.
  @Test func missingSegmentsArePassedOver() async throws {
    let list = Self.head + "#EXTINF:2,\na.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\nmissing.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\nc.ts\n#EXT-X-ENDLIST\n"
    let server = try server(list, ["/a.ts": Self.segment("red"), "/c.ts": Self.segment("blue")])
    let found = try await colour(server, at: [1, 5])
    #expect(isNear(found[0].rgb, [255, 0, 0]) && isNear(found[1].rgb, [0, 0, 255]) && abs(found[1].start - 5) < 0.05)
  }

  @Test func bytesOfOneFile() async throws {
    let (a, b) = try (Self.segment("red"), Self.segment("lime"))
    let list =
      Self.head
      + "#EXTINF:2,\n#EXT-X-BYTERANGE:\(a.count)@0\nall.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\n#EXT-X-BYTERANGE:\(b.count)\nall.ts\n#EXT-X-ENDLIST\n"
    let server = try server(list, ["/all.ts": a + b])
    let found = try await colour(server, at: [3])
    #expect(isNear(found[0].rgb, [0, 255, 0]))
    #expect(server.requests(for: "/all.ts").allSatisfy { $0["Range"] != nil })
  }

  /// Nothing that a playlist names is opened but what is on the web.
  @Test(arguments: ["file:///etc/passwd", "concat:a|b", "data:,x", "pipe:0", "ftp://127.0.0.1/a"]) func otherSchemesAreRefused(uri: String) async throws {
    let server = try server(Self.head + "#EXTINF:2,\n\(uri)\n#EXT-X-ENDLIST\n", [:])
    let error = await #expect(throws: PlaybackError.self) { try await Asset(path: server.url("/list.m3u8")).load(.tracks) }
    #expect(error?.message.contains("address") == true, "\(error?.message ?? "")")
  }

  @Test func decryption() {
    let key = Array(UInt8(0)...15), vector = Array(UInt8(16)...31)
    let secret: [UInt8] = [0x42, 0x3b, 0xde, 0x7f, 0xd8, 0x38, 0x42, 0x5d, 0x2e, 0x69, 0x05, 0x90, 0x98, 0x95, 0x36, 0x54, 0x47, 0xb7, 0xaf, 0xe7, 0x2a, 0x32, 0xeb, 0xaf, 0x9c, 0x6a, 0x39, 0xea, 0x06, 0x44, 0x70, 0x58]
    #expect(AESDecryption.decrypted(secret, key: key, vector: vector) == Array("one, two, three, four".utf8))
    #expect(AESDecryption.decrypted(secret, key: vector, vector: vector) == nil)
    #expect(AESDecryption.decrypted(Array(secret.dropLast()), key: key, vector: vector) == nil)
  }
}
