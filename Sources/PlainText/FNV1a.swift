/// The FNV-1a hash (Fowler, Noll, Vo; 64 bits), which is the same in every process, unlike Swift's own.
package struct FNV1a: Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  /// The hash as sixteen hexadecimal digits.
  package var hexadecimal: String { String(value, digits: 16, radix: 16) }
}
