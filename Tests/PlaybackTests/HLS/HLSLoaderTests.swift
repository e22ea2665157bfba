import DecodePool
import Foundation
import Libav
import TestSupport
import Testing
import Transport

@testable import Playback

/// Loading segments, whatever the server does.
@Suite(.timeLimit(.minutes(20))) struct HLSLoaderTests {
  private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  private func loader(_ server: TestServer) throws -> (HLSLoader, (String) throws -> HLSLoader.Resource) {
    let address = try #require(try WebAddress(server.url("/")))
    return (
      HLSLoader(Network(), address.origin, folder: NSTemporaryDirectory()), { HLSLoader.Resource(try address.url.resolving($0)) }
    )
  }

  private func read(_ bytes: SegmentBytes) -> [UInt8] {
    var all: [UInt8] = [], block = [UInt8](repeating: 0, count: 10_000)
    while case .bytes(let count) = block.withUnsafeMutableBytes({ bytes.waitToRead(at: all.count, into: $0) { false } }) {
      all += block[..<count]
    }
    return all
  }

  @Test func aCutConnectionContinuesAtTheExactByte() throws {
    let server = try TestServer(), bytes = Self.bytes
    server.on("/a") { request, connection in
      guard request["Range"] == nil else { return connection.respond(to: request, file: bytes, tag: "1") }
      connection.send("HTTP/1.1 200 OK\nContent-Length: \(bytes.count)\nETag: \"1\"\n\n")
      connection.send(bytes[..<100_000])
      connection.close()
    }
    let (loader, resource) = try loader(server)
    let use = try loader.use(resource("/a"), from: nil)
    withExtendedLifetime(use) { #expect(read(use.bytes) == bytes) }
    // On a busy machine, the second connection may break off, too.
    #expect(server.requests(for: "/a").count >= 2 && loader.log.failures.count >= 1)
    #expect(loader.byteCount(of: try resource("/a")) == bytes.count)
  }

  /// What is at hand is not loaded again, and what nobody uses any more is not loaded to its end.
  @Test func segmentsAreLoadedOnceForAllReaders() throws {
    let server = try TestServer(), bytes = Self.bytes
    server.on("/a") { $1.respond(to: $0, file: bytes) }
    server.on("/hangs") { $1.hang() }
    let (loader, resource) = try loader(server)
    let first = try loader.use(resource("/a"), from: nil), second = try loader.use(resource("/a"), from: nil)
    withExtendedLifetime((first, second)) {
      #expect(read(first.bytes) == bytes && read(second.bytes) == bytes && server.requests(for: "/a").count == 1)
    }
    var hanging: HLSLoader.Use? = try loader.use(resource("/hangs"), from: nil)
    let arriving = try #require(hanging?.bytes)
    #expect(loader.has(try resource("/hangs")))
    hanging = nil
    arriving.waitUntilOver(until: monotonicNanoseconds() + 10_000_000_000)
    let isKept = loader.has(try resource("/hangs"))
    #expect(arriving.isOver && !arriving.isComplete && !isKept)
  }

  @Test func closingEndsLoading() throws {
    let server = try TestServer()
    server.on("/hangs") { $1.hang() }
    let (loader, resource) = try loader(server)
    let use = try loader.use(resource("/hangs"), from: nil)
    loader.close()
    use.bytes.waitUntilOver(until: monotonicNanoseconds() + 10_000_000_000)
    #expect(use.bytes.isOver && !use.bytes.isComplete)
  }

  @Test(arguments: [1, 7, 16, 40]) func decryptionInParts(size: Int) throws {
    let key = Array(UInt8(0)...15), vector = Array(UInt8(16)...31)
    let secret: [UInt8] = [
      0x42, 0x3b, 0xde, 0x7f, 0xd8, 0x38, 0x42, 0x5d, 0x2e, 0x69, 0x05, 0x90, 0x98, 0x95, 0x36, 0x54, 0x47, 0xb7, 0xaf, 0xe7,
      0x2a, 0x32, 0xeb, 0xaf, 0x9c, 0x6a, 0x39, 0xea, 0x06, 0x44, 0x70, 0x58,
    ]
    let decryption = try #require(AESDecryption(key: key, vector: vector))
    var plain: [UInt8] = []
    for start in stride(from: 0, to: secret.count, by: size) {
      plain += decryption.decrypt(secret[start..<min(start + size, secret.count)])
    }
    #expect(plain + (decryption.finish() ?? []) == Array("one, two, three, four".utf8))
  }

  @Test func theMeterCountsAllDownloadsTogether() {
    var meter = BandwidthMeter()
    let second: UInt64 = 1_000_000_000
    meter.begin(at: second)
    meter.begin(at: second)
    meter.note(500_000, at: 2 * second)
    #expect(meter.bitsPerSecond(at: 2 * second).map { abs($0 - 4_000_000) < 1 } == true)
    // A link that becomes slow counts at once.
    #expect(meter.bitsPerSecond(at: 4 * second) == 0)
    meter.end(at: 4 * second)
    meter.end(at: 4 * second)
    #expect(meter.bitsPerSecond(at: 9 * second).map { $0 < 4_000_001 } == true)
  }

  @Test func placesOfDownloads() {
    var place = DownloadPlace(range: 100..<200)
    #expect(place.begin() == ByteRange(first: 100, last: 199) && place.advance(by: 30, validator: nil) == 30)
    #expect(place.begin() == ByteRange(first: 130, last: 199) && !place.restart())
    var whole = DownloadPlace(range: nil)
    #expect(whole.begin() == nil && whole.advance(by: 30, validator: nil) == 30 && whole.begin() == ByteRange(first: 30))
    // From a server that does not send parts, what is known comes again.
    #expect(
      whole.restart() && whole.begin() == nil && whole.advance(by: 20, validator: nil) == 0
        && whole.advance(by: 20, validator: nil) == 10)
    #expect(whole.received == 40)
  }
}
