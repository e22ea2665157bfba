import CCurl
import Glibc

/// libcurl's calls, on the transport's thread while it performs transfers.
extension ActiveTransfer {
  private static func transfer(_ context: UnsafeMutableRawPointer?) -> ActiveTransfer? {
    context.map { Unmanaged<ActiveTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  static let didReceiveHeader: curl_write_callback = { bytes, size, count, context in
    guard let transfer = transfer(context) else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.receive(headerLine: line) ? line.count : 0
  }

  static let didReceiveBytes: curl_write_callback = { bytes, size, count, context in
    guard let transfer = transfer(context) else { return 0 }
    return transfer.receive(bytes: UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  /// Makes the socket for an address that a name was resolved to, if that is allowed.
  static let openSocket: curl_opensocket_callback = { context, _, address in
    guard let transfer = transfer(context), let address,
      transfer.mayConnect(to: NetworkAddress(qd_socket_address(address)))
    else { return CURL_SOCKET_BAD }
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.`protocol`)
  }

  /// Looks at the connection that a request is about to be made on.
  static let willRequest: curl_prereq_callback = { context, address, _, _, _ in
    guard let transfer = transfer(context),
      transfer.mayRequest(at: address.flatMap { NetworkAddress(String(cString: $0)) })
    else { return CURL_PREREQFUNC_ABORT }
    return CURL_PREREQFUNC_OK
  }
}
