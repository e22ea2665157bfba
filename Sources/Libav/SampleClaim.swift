/// How many samples the sample tables of a movie box claim (ISO 14496-12, 8.6.1.2 and 8.7.3).
///
/// libav makes an entry of its index of each of them when it opens the file, however many the tables claim in a few
/// bytes; so a claim that cannot be true is looked for before.
struct SampleClaim {
  /// Bytes at a place of the file, at the most so many.
  let read: (_ offset: Int64, _ count: Int) -> [UInt8]

  private static let maxBoxes = 10_000
  private static let containers: Set<String> = ["moov", "trak", "mdia", "minf", "stbl"]

  private struct Track {
    var isSound = false
    /// Sound told in samples of one tick is indexed by its chunks.
    var isInTicks = false
    var count: Int64 = 0

    var entries: Int64 { isSound && isInTicks ? 0 : count }
  }

  /// Samples of all tracks of which libav would make entries; 0 where there are no such tables.
  func count(byteCount: Int64) -> Int64 {
    var tracks: [Track] = []
    var left = Self.maxBoxes
    walk(0..<byteCount, &left, &tracks)
    return tracks.reduce(0) { $0 + $1.entries }
  }

  private func walk(_ range: Range<Int64>, _ left: inout Int, _ tracks: inout [Track]) {
    var place = range.lowerBound
    while place + 8 <= range.upperBound, left > 0 {
      left -= 1
      let head = read(place, 32)
      guard head.count >= 8 else { return }
      var size = Int64(Self.number(head, 0))
      let name = String(decoding: head[4..<8], as: UTF8.self)
      var content: Int64 = 8
      if size == 1, head.count >= 16 {
        guard let long = Int64(exactly: UInt64(Self.number(head, 8)) << 32 | UInt64(Self.number(head, 12))) else { return }
        (size, content) = (long, 16)
      } else if size == 0 {
        size = range.upperBound - place
      }
      guard size >= content, size <= Int64.max - place else { return }
      let end = min(place + size, range.upperBound)
      if name == "trak" { tracks.append(Track()) }
      if Self.containers.contains(name) {
        walk(place + content..<max(place + content, end), &left, &tracks)
      } else if content == 8, !tracks.isEmpty {
        note(name, head, &tracks[tracks.count - 1])
      }
      place = end
    }
  }

  private func note(_ name: String, _ head: [UInt8], _ track: inout Track) {
    switch name {
    case "hdlr" where head.count >= 20: track.isSound = head[16..<20].elementsEqual("soun".utf8)
    case "stts" where head.count >= 24: track.isInTicks = Self.number(head, 12) == 1 && Self.number(head, 20) == 1
    // Behind version and flags: the size of all, or how each is told, and the count.
    case "stsz" where head.count >= 20, "stz2" where head.count >= 20: track.count = Int64(Self.number(head, 16))
    default: break
    }
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
