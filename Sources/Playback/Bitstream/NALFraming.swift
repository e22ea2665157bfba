import Glibc

/// The framing of H.264 and H.265 NAL units in a packet.
enum NALFraming: Equatable, Sendable {
  /// NAL units follow start codes.
  case annexB
  /// NAL units follow a length of this many bytes.
  case lengths(Int)

  /// - Parameter headers: H.264 headers from the container; if they are an avcC box, units follow lengths.
  init(avcC headers: [UInt8]) {
    // It begins with version 1; the fifth byte's low bits are the size of a length less one.
    self = headers.count > 6 && headers[0] == 1 ? .lengths(Int(headers[4] & 3) + 1) : .annexB
  }

  /// - Parameter headers: H.265 headers from the container; if they are an hvcC box, units follow lengths.
  init(hvcC headers: [UInt8]) {
    let isBox =
      headers.count > 22 && (headers[0] == 1 || (headers[0] == 0 && headers[1] == 0 && headers[2] > 1))
    self = isBox ? .lengths(Int(headers[21] & 3) + 1) : .annexB
  }

  /// Calls `body` with each unit that has at least one byte, without its framing.
  func forEachUnit(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    switch self {
    case .lengths(let size):
      var place = 0
      while let unit = Self.unit(bytes, behindLengthOf: size, at: &place) { body(unit) }
    case .annexB:
      guard var start = Self.placeBehindStartCode(bytes, from: 0) else { return }
      while let next = Self.placeBehindStartCode(bytes, from: start) {
        Self.emit(bytes, start, next - 3, body)
        start = next
      }
      Self.emit(bytes, start, bytes.count, body)
    }
  }

  /// Calls `body` with the bytes from the start of each unit on, possibly past its end, until it returns false.
  func forEachStart(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
    switch self {
    case .lengths(let size):
      var place = 0
      while let unit = Self.unit(bytes, behindLengthOf: size, at: &place), body(unit) {}
    case .annexB:
      var i = 0
      while let start = Self.placeBehindStartCode(bytes, from: i), start < bytes.count {
        guard body(UnsafeBufferPointer(rebasing: bytes[start...])) else { return }
        i = start
      }
    }
  }

  /// Returns the unit whose `size`-byte length is at `place`, and moves `place` past it; nil at the end, or if the length
  /// is invalid.
  /// length makes no sense.
  private static func unit(
    _ bytes: UnsafeBufferPointer<UInt8>, behindLengthOf size: Int, at place: inout Int
  ) -> UnsafeBufferPointer<UInt8>? {
    guard place + size < bytes.count else { return nil }
    let length = bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
    let first = place + size
    guard length > 0, length <= bytes.count - first else { return nil }
    place = first + length
    return UnsafeBufferPointer(rebasing: bytes[first..<place])
  }

  /// Returns the position after the first 00 00 01 at or after `first`.
  static func placeBehindStartCode(_ bytes: UnsafeBufferPointer<UInt8>, from first: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var i = first + 2
    while i < bytes.count, let found = memchr(base + i, 1, bytes.count - i) {
      i = base.distance(to: found.assumingMemoryBound(to: UInt8.self))
      if bytes[i - 1] == 0 && bytes[i - 2] == 0 { return i + 1 }
      i += 1
    }
    return nil
  }

  private static func emit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var end = end
    // Zeros before the next start code belong to that.
    while end > start, bytes[end - 1] == 0 { end -= 1 }
    if end > start { body(UnsafeBufferPointer(rebasing: bytes[start..<end])) }
  }

  /// Returns a unit with its framing.
  func framed(_ unit: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    switch self {
    case .annexB: [0, 0, 0, 1] + unit
    case .lengths(let size): (0..<size).reversed().map { UInt8(truncatingIfNeeded: unit.count >> (8 * $0)) } + unit
    }
  }

  /// Removes the emulation prevention bytes, which keep start codes from occurring in data.
  static func unescaped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2 && byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}
