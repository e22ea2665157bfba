/// Reads bits, most significant first.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  mutating func bit() -> UInt32? {
    guard position < bytes.count * 8 else { return nil }
    defer { position += 1 }
    return UInt32(bytes[position / 8] >> (7 - UInt8(position % 8))) & 1
  }

  /// Reads the next `count` bits, at most 32, as a number; nil if there are too few.
  mutating func bits(_ count: Int) -> UInt32? {
    guard count <= bytes.count * 8 - position else { return nil }
    return (0..<count).reduce(0) { value, _ in value << 1 | (bit() ?? 0) }
  }

  mutating func unsignedExpGolomb() -> UInt32? {
    var zeros = 0
    while let bit = bit() {
      if bit == 1 { break }
      zeros += 1
      if zeros > 31 { return nil }
    }
    var value: UInt32 = 1
    for _ in 0..<zeros {
      guard let bit = bit() else { return nil }
      value = value << 1 | bit
    }
    return value - 1
  }
}
