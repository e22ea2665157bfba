import DecodePool

/// Makes all HTTP connections of a program, on one thread of its own.
///
/// Connections are reused, certificates are always verified, and nothing but http and https is spoken. There are no cookies.
/// The thread starts with the first transfer; what is still under way when the transport goes is cancelled.
public final class Transport: Sendable {
  public let options: TransportOptions
  /// The requests that were made.
  public let log = AccessLog()
  private let mailbox = TransferMailbox()

  public init(options: TransportOptions = TransportOptions()) { self.options = options }

  deinit { mailbox.end() }

  /// Starts a request.
  ///
  /// - Parameter wake: is called after the answer, bytes, the end or an error arrived; mostly on the transport's thread, with
  ///   no lock held. It must return soon, and not wait for this or another transfer.
  public func start(_ request: TransportRequest, wake: @escaping @Sendable () -> Void = {}) -> Transfer {
    let channel = TransferChannel(request, capacity: options.bufferCapacity, wake: wake)
    let transfer = Transfer(channel, mailbox)
    mailbox.add(channel) { [mailbox, options, log] multi throws(ThreadError) in
      try detachThread {
        TransferLoop(mailbox, multi, options, log).run()
      }
    }
    return transfer
  }
}
