import Glibc

/// Finds subtitles (subpictures) in an MPEG program stream that libavformat has not reached.
///
/// Such a stream has no table of contents. libavformat knows a track once it has read one of its packets, and probes only
/// the first 5 MB, while a film's first subtitle may come minutes later. This examines the beginning and places throughout
/// the file, always the same ones, so that the tracks are always found in the same order.
struct SubpictureScan {
  /// The position of a packet of each track, by the track's number in the file.
  private(set) var places: [UInt8: Int64] = [:]

  /// The number of bytes at the beginning that are examined completely.
  static let head: Int64 = 16 << 20
  /// The number of later places, and the bytes examined at each.
  static let windowCount: Int64 = 64
  static let window = 256 << 10

  /// The numbers of subpictures among the tracks of private stream 1.
  static let numbers: ClosedRange<UInt8> = 0x20...0x3F
  /// The maximum size of a packet in bytes.
  private static let maxPacket = (64 << 10) + 6

  /// - Parameters:
  ///   - read: returns up to a number of bytes of the file from an offset.
  ///   - isCancelled: called between two reads.
  init(byteCount: Int64, read: (Int64, Int) -> [UInt8], isCancelled: () -> Bool = { false }) {
    let head = min(byteCount, Self.head)
    var offsets = Array(stride(from: 0, to: head, by: Self.window))
    let rest = byteCount - head, count = min(Self.windowCount, (rest + Int64(Self.window) - 1) / Int64(Self.window))
    offsets += (0..<count).map { head + rest / count * $0 }
    for offset in offsets where !isCancelled() {
      // The last packet that starts in a window ends in what follows.
      look(at: read(offset, Self.window + Self.maxPacket), from: offset)
    }
  }

  private mutating func look(at bytes: [UInt8], from offset: Int64) {
    bytes.withUnsafeBytes { buffer in
      var at = 0
      while let found = Self.packet(in: buffer, from: at), found < Self.window {
        at = found + 4
        guard let (number, end) = Self.subpicture(buffer, found), places[number] == nil else { continue }
        // Other data may look like a packet, but what follows does not.
        guard end + 3 <= buffer.count ? buffer[end] == 0 && buffer[end + 1] == 0 && buffer[end + 2] == 1 : end == buffer.count else {
          continue
        }
        places[number] = offset + Int64(found)
      }
    }
  }

  /// Returns the start of the next packet of private stream 1.
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

  /// Returns the number of a packet's track and the packet's end; nil if it is not a subpicture.
  private static func subpicture(_ buffer: UnsafeRawBufferPointer, _ start: Int) -> (number: UInt8, end: Int)? {
    guard start + 9 < buffer.count, buffer[start + 6] & 0xC0 == 0x80 else { return nil }
    let end = start + 6 + Int(buffer[start + 4]) << 8 + Int(buffer[start + 5])
    let payload = start + 9 + Int(buffer[start + 8])
    guard payload < end, payload < buffer.count, numbers.contains(buffer[payload]) else { return nil }
    return (buffer[payload], end)
  }
}
