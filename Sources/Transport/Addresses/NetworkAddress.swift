import Glibc

/// An IP address.
public enum NetworkAddress: Hashable, Sendable {
  case v4(UInt32)
  case v6(high: UInt64, low: UInt64)

  /// Creates an address of its usual form: `192.0.2.1` or `2001:db8::1`.
  public init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self = .v4(UInt32(bigEndian: four.s_addr))
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self = Self(six)
    } else {
      return nil
    }
  }

  /// Creates an IPv4 address of one of the forms that resolvers accept beside the usual one: `127.1`, `0x7f000001`.
  init?(resolverText text: String) {
    var four = in_addr()
    guard inet_aton(text, &four) == 1 else { return nil }
    self = .v4(UInt32(bigEndian: four.s_addr))
  }

  /// Creates the address in a socket's; nil for other families than IP.
  ///
  /// - Parameter address: as long as its family says.
  init?(_ address: UnsafePointer<sockaddr>) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      self = UnsafeRawPointer(address).withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        .v4(UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
      }
    case AF_INET6:
      self = UnsafeRawPointer(address).withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { Self($0.pointee.sin6_addr) }
    default: return nil
    }
  }

  private init(_ six: in6_addr) {
    self = withUnsafeBytes(of: six) { bytes in
      .v6(
        high: UInt64(bigEndian: bytes.load(as: UInt64.self)),
        low: UInt64(bigEndian: bytes.load(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  /// The address in its usual form.
  public var text: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
      guard let base = buffer.baseAddress else { return "" }
      switch self {
      case .v4(let bits):
        var four = in_addr(s_addr: bits.bigEndian)
        inet_ntop(AF_INET, &four, base, socklen_t(buffer.count))
      case .v6(let high, let low):
        var words = (high.bigEndian, low.bigEndian)
        inet_ntop(AF_INET6, &words, base, socklen_t(buffer.count))
      }
      return String(cString: base)
    }
  }

  /// The number of leading bits that both addresses have in common; nil for addresses of different families.
  func commonPrefix(with other: NetworkAddress) -> Int? {
    switch (self, other) {
    case (.v4(let a), .v4(let b)): (a ^ b).leadingZeroBitCount
    case (.v6(let a, let b), .v6(let c, let d)): a == c ? 64 + (b ^ d).leadingZeroBitCount : (a ^ c).leadingZeroBitCount
    default: nil
    }
  }
}
