/// The hash of Fowler, Noll and Vo (FNV-1a, 64 bits): the same in every process, which Swift's own is not.
package struct FNV1a: Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  /// Sixteen hexadecimal digits.
  package var hexadecimal: String { String(value, digits: 16, radix: 16) }
}
