import Glibc

/// A port of 127.0.0.1 on which nothing listens.
public struct UnusedPort {
  public let number: Int

  public init() throws {
    let (listener, port) = try TestServer.listen(on: "127.0.0.1")
    close(listener)
    number = port
  }
}

/// A port of 127.0.0.1 that does not answer: its queue of connections is full, so the system drops more.
public final class DeafPort {
  public let number: Int
  private var descriptors: [Int32] = []

  public init() throws {
    let (listener, port) = try TestServer.listen(on: "127.0.0.1", backlog: 0)
    number = port
    descriptors = [listener]
    for _ in 0..<3 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
      descriptors.append(descriptor)
      connectToLoopback(descriptor, port: port)
    }
  }

  deinit { descriptors.forEach { close($0) } }
}

/// Connects a socket to a port of 127.0.0.1; returns false if that fails, or takes its time on a socket that does not wait.
@discardableResult
func connectToLoopback(_ descriptor: Int32, port: Int) -> Bool {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
  return withUnsafePointer(to: address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}

/// The network interfaces of this machine.
public enum NetworkInterfaces {
  /// The IPv4 addresses of interfaces that are up.
  public static var addresses: [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var result: [String] = []
    var next = list
    while let entry = next?.pointee {
      if let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        if getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
          result.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
      }
      next = entry.ifa_next
    }
    return result
  }
}
