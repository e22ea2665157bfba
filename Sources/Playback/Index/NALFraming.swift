/// How the NAL units of H.264 and H.265 stand in a packet.
enum NALFraming: Equatable, Sendable {
  /// Behind start codes.
  case annexB
  /// Behind lengths of so many bytes.
  case lengths(Int)

  /// - Parameter headers: H.264's from the container; where they are an avcC box, units have lengths.
  init(avcC headers: [UInt8]) {
    // It begins with version 1; the fifth byte's low bits are the size of a length less one.
    self = headers.count > 6 && headers[0] == 1 ? .lengths(Int(headers[4] & 3) + 1) : .annexB
  }

  /// - Parameter headers: H.265's from the container; where they are an hvcC box, units have lengths.
  init(hvcC headers: [UInt8]) {
    let isBox =
      headers.count > 22 && (headers[0] == 1 || (headers[0] == 0 && headers[1] == 0 && headers[2] > 1))
    self = isBox ? .lengths(Int(headers[21] & 3) + 1) : .annexB
  }

  /// Calls `body` with each unit that has at least one byte, without its framing.
  func forEachUnit(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    switch self {
    case .lengths(let size):
      var i = 0
      while i + size < bytes.count {
        var length = 0
        for k in 0..<size { length = length << 8 | Int(bytes[i + k]) }
        i += size
        guard length > 0, length <= bytes.count - i else { return }
        body(UnsafeBufferPointer(rebasing: bytes[i..<i + length]))
        i += length
      }
    case .annexB:
      var start: Int?
      var i = 0
      while i + 2 < bytes.count {
        if bytes[i + 2] > 1 {
          i += 3
        } else if bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == 1 {
          if let start { Self.emit(bytes, start, i, body) }
          start = i + 3
          i += 3
        } else {
          i += 1
        }
      }
      if let start { Self.emit(bytes, start, bytes.count, body) }
    }
  }

  /// Calls `body` with the bytes from each unit's first one on, which may go beyond its end, until it returns false.
  func forEachStart(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
    switch self {
    case .lengths(let size):
      var i = 0
      while i + size < bytes.count {
        var length = 0
        for k in 0..<size { length = length << 8 | Int(bytes[i + k]) }
        i += size
        guard length > 0, length <= bytes.count - i, body(UnsafeBufferPointer(rebasing: bytes[i..<i + length]))
        else { return }
        i += length
      }
    case .annexB:
      var i = 0
      while i + 3 < bytes.count {
        if bytes[i + 2] > 1 {
          i += 3
        } else if bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == 1 {
          i += 3
          guard body(UnsafeBufferPointer(rebasing: bytes[i...])) else { return }
        } else {
          i += 1
        }
      }
    }
  }

  private static func emit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var end = end
    // Zeros before the next start code belong to that.
    while end > start, bytes[end - 1] == 0 { end -= 1 }
    if end > start { body(UnsafeBufferPointer(rebasing: bytes[start..<end])) }
  }

  /// A unit with its framing.
  func framed(_ unit: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    switch self {
    case .annexB: [0, 0, 0, 1] + unit
    case .lengths(let size): (0..<size).reversed().map { UInt8(truncatingIfNeeded: unit.count >> (8 * $0)) } + unit
    }
  }

  /// Takes out the bytes 3 that keep start codes from occurring in data.
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
