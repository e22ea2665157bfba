import Glibc

/// Finds subtitles (subpictures) in an MPEG program stream that libavformat has not come to.
///
/// Such a stream has no list of what is in it: libavformat knows a track once it has read a packet of it, and looks at the first 5 MB
/// only, while a film's first words may come minutes later. Here the beginning and places all over the file are looked at, always
/// the same ones, so that the tracks are found in the same order whenever the file is opened.
struct SubpictureScan {
  /// Where a packet of each begins, by the track's number in the file.
  private(set) var places: [UInt8: Int64] = [:]

  /// Bytes at the beginning that are all looked at.
  static let head: Int64 = 16 << 20
  /// Places behind these, and bytes at each.
  static let windowCount: Int64 = 64
  static let window = 256 << 10

  /// Numbers of subpictures among the tracks of private stream 1.
  static let numbers: ClosedRange<UInt8> = 0x20...0x3F
  /// Bytes of a packet at the most.
  private static let maxPacket = (64 << 10) + 6

  /// - Parameters:
  ///   - read: bytes of the file from an offset on, as many as are wanted and there.
  ///   - isCancelled: asked between two reads.
  init(byteCount: Int64, read: (Int64, Int) -> [UInt8], isCancelled: () -> Bool = { false }) {
    let head = min(byteCount, Self.head)
    var offsets = Array(stride(from: 0, to: head, by: Self.window))
    let rest = byteCount - head, count = min(Self.windowCount, (rest + Int64(Self.window) - 1) / Int64(Self.window))
    offsets += (0..<count).map { head + rest / count * $0 }
    for offset in offsets where !isCancelled() {
      // The last packet that begins in a window ends in what follows.
      look(at: read(offset, Self.window + Self.maxPacket), from: offset)
    }
  }

  private mutating func look(at bytes: [UInt8], from offset: Int64) {
    bytes.withUnsafeBytes { buffer in
      var at = 0
      while let found = Self.packet(in: buffer, from: at), found < Self.window {
        at = found + 4
        guard let (number, end) = Self.subpicture(buffer, found), places[number] == nil else { continue }
        // Other data may look like a packet, but what follows then does not.
        guard end + 3 <= buffer.count ? buffer[end] == 0 && buffer[end + 1] == 0 && buffer[end + 2] == 1 : end == buffer.count else {
          continue
        }
        places[number] = offset + Int64(found)
      }
    }
  }

  /// Where the next packet of private stream 1 begins.
  private static func packet(in buffer: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = buffer.baseAddress else { return nil }
    // The last byte of its code is the rarest.
    var at = start + 3
    while at < buffer.count, let found = memchr(base + at, 0xBD, buffer.count - at) {
      at = UnsafeRawPointer(found) - base
      if buffer[at - 1] == 1, buffer[at - 2] == 0, buffer[at - 3] == 0 { return at - 3 }
      at += 1
    }
    return nil
  }

  /// The number of a packet's track and where the packet ends; nil where it is none of subpictures.
  private static func subpicture(_ buffer: UnsafeRawBufferPointer, _ start: Int) -> (number: UInt8, end: Int)? {
    guard start + 9 < buffer.count, buffer[start + 6] & 0xC0 == 0x80 else { return nil }
    let end = start + 6 + Int(buffer[start + 4]) << 8 + Int(buffer[start + 5])
    let payload = start + 9 + Int(buffer[start + 8])
    guard payload < end, payload < buffer.count, numbers.contains(buffer[payload]) else { return nil }
    return (buffer[payload], end)
  }
}
