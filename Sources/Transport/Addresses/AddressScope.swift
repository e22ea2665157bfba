/// The part of the network from which an address can be reached; a broader scope is greater.
public enum AddressScope: Int, Comparable, Sendable {
  /// This machine.
  case loopback
  /// A home's, company's or provider's own network, and whatever else is not routed in the Internet.
  case `private`
  case `public`

  public static func < (a: AddressScope, b: AddressScope) -> Bool { a.rawValue < b.rawValue }
}

extension NetworkAddress {
  /// The address's scope.
  ///
  /// An IPv6 address that stands for an IPv4 address (mapped, compatible, NAT64, 6to4) has the scope of that one.
  public var scope: AddressScope {
    switch self {
    case .v4(let bits):
      if Self.isIn(bits, Self.loopbackBlocks) { return .loopback }
      return Self.isIn(bits, Self.privateBlocks) ? .private : .public
    case .v6(let high, let low):
      if high == 0, low <= 1 { return .loopback }
      if let four = Self.embedded(high, low) { return NetworkAddress.v4(four).scope }
      // Only 2000::/3 is routed in the Internet; Teredo and the addresses of documentation lie in it.
      let isGlobal = high >> 61 == 1 && high >> 32 != 0x2001_0000 && high >> 32 != 0x2001_0DB8
      return isGlobal ? .public : .private
    }
  }

  /// The IPv4 address for which an IPv6 address stands.
  private static func embedded(_ high: UInt64, _ low: UInt64) -> UInt32? {
    switch high {
    case 0 where low >> 32 == 0 || low >> 32 == 0xFFFF: UInt32(truncatingIfNeeded: low)
    case 0x0064_FF9B_0000_0000 where low >> 32 == 0: UInt32(truncatingIfNeeded: low)
    case 0x2002_0000_0000_0000...0x2002_FFFF_FFFF_FFFF: UInt32(truncatingIfNeeded: high >> 16)
    default: nil
    }
  }

  private struct Block {
    let start: UInt32
    let length: Int

    init(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ length: Int) {
      start = a << 24 | b << 16 | c << 8 | d
      self.length = length
    }
  }

  private static func isIn(_ bits: UInt32, _ blocks: [Block]) -> Bool {
    blocks.contains { ($0.start ^ bits).leadingZeroBitCount >= $0.length }
  }

  /// Linux connects 0.0.0.0 to itself.
  private static let loopbackBlocks = [Block(127, 0, 0, 0, 8), Block(0, 0, 0, 0, 8)]

  /// The blocks of the IANA IPv4 special-purpose address registry that are not global, with multicast and what is reserved.
  private static let privateBlocks = [
    Block(10, 0, 0, 0, 8), Block(172, 16, 0, 0, 12), Block(192, 168, 0, 0, 16), Block(169, 254, 0, 0, 16),
    Block(100, 64, 0, 0, 10), Block(192, 0, 0, 0, 24), Block(192, 0, 2, 0, 24), Block(198, 18, 0, 0, 15),
    Block(198, 51, 100, 0, 24), Block(203, 0, 113, 0, 24), Block(224, 0, 0, 0, 3),
  ]
}
