import Testing

@testable import Libav

/// Subtitles of program streams, found in the bytes.
@Suite(.timeLimit(.minutes(20))) struct SubpictureScanTests {
  /// A packet of private stream 1 with a track's number and some bytes, in a pack of 2048 bytes.
  private func pack(_ number: UInt8, count: Int = 100, flags: UInt8 = 0x80) -> [UInt8] {
    let length = 3 + 5 + 1 + count
    let packet = [0, 0, 1, 0xBD, UInt8(length >> 8), UInt8(length & 0xFF), flags, 0x80, 5, 0x21, 0, 1, 0, 1, number] + [UInt8](repeating: 7, count: count)
    let head: [UInt8] = [0, 0, 1, 0xBA] + [UInt8](repeating: 0x44, count: 10)
    let padding = 2048 - head.count - packet.count - 6
    return head + packet + [0, 0, 1, 0xBE, UInt8(padding >> 8), UInt8(padding & 0xFF)] + [UInt8](repeating: 0xFF, count: padding)
  }

  /// A file that is nothing but what stands at some places.
  private func scan(_ byteCount: Int64, _ parts: [Int64: [UInt8]]) -> (places: [UInt8: Int64], read: Int) {
    var sum = 0
    let scan = SubpictureScan(byteCount: byteCount) { offset, count in
      let count = Int(max(0, min(Int64(count), byteCount - offset)))
      sum += count
      var bytes = [UInt8](repeating: 0x55, count: count)
      for (place, part) in parts {
        for (i, byte) in part.enumerated() where (0..<Int64(count)).contains(place + Int64(i) - offset) { bytes[Int(place - offset) + i] = byte }
      }
      return bytes
    }
    return (scan.places, sum)
  }

  /// All of the beginning is looked at, also where one read ends and the next begins.
  @Test(arguments: [0, 2048, 262_144 - 14, 262_144 - 30, 262_144 - 16, 9_000_001, (16 << 20) - 20] as [Int64]) func atTheBeginning(place: Int64) {
    #expect(scan(1 << 30, [place: pack(0x21)]).places == [0x21: place + 14])
    #expect(scan(place + 2048, [place: pack(0x21)]).places == [0x21: place + 14])
  }

  @Test func severalTracks() {
    let found = scan(8 << 20, [2048: pack(0x25), 4096: pack(0x20), 6144: pack(0x25), 8192: pack(0x80), 10240: pack(0x40), 12288: pack(0x3F)])
    #expect(found.places == [0x25: 2062, 0x20: 4110, 0x3F: 12302])
  }

  /// Subtitles that last as long as those of a film are found; no more is read of a long file.
  @Test func placesFartherOn() {
    let byteCount: Int64 = 4 << 30
    var parts: [Int64: [UInt8]] = [:]
    for place in stride(from: byteCount / 2, to: byteCount / 2 + 256 << 20, by: 200 << 10) { parts[place] = pack(0x20) }
    let found = scan(byteCount, parts)
    #expect((found.places[0x20] ?? 0) >= byteCount / 2)
    #expect(found.read <= 48 << 20, "\(found.read)")
    // The same places each time.
    #expect(scan(byteCount, parts).places == found.places)
  }

  @Test func whatOnlyLooksLikeThem() {
    // Of another kind of stream, cut off by something else, and amid other data.
    #expect(scan(1 << 20, [2048: pack(0x20, flags: 0x21)]).places.isEmpty)
    #expect(scan(1 << 20, [2048: Array(pack(0x20).prefix(60))]).places.isEmpty)
    #expect(scan(1 << 20, [2048: [0, 0, 1, 0xBD], 9000: [0, 0, 1, 0xBD, 0xFF, 0xFF, 0x80, 0, 0, 0x20]]).places.isEmpty)
    #expect(scan(4, [0: [0, 0, 1, 0xBD]]).places.isEmpty && scan(0, [:]).places.isEmpty)
  }
}
