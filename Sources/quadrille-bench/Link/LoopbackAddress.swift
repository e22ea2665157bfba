import Glibc

/// 127.0.0.1 and a port, as the socket calls want it.
struct LoopbackAddress {
  let port: UInt16

  func bind(_ descriptor: Int32) -> Bool { call(descriptor, Glibc.bind) }
  func connect(_ descriptor: Int32) -> Bool { call(descriptor, Glibc.connect) }

  private func call(_ descriptor: Int32, _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// The port that a bound socket has.
  static func port(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return status == 0 ? UInt16(bigEndian: address.sin_port) : nil
  }

  /// A port that nothing listens on at the moment.
  static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    guard descriptor >= 0, LoopbackAddress(port: 0).bind(descriptor), let port = port(of: descriptor) else {
      throw BenchError("no free port")
    }
    return port
  }
}
