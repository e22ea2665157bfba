import CCurl

/// Owns a multi handle: the connections of all transfers.
final class CurlMulti: @unchecked Sendable {
  // `@unchecked Sendable`: the pointer never changes. Other threads only call `wakeUp`, which libcurl allows them to; `deinit`
  // runs when no thread has a reference.
  private let pointer: UnsafeMutableRawPointer

  /// The result of libcurl's preparation, which is made once and safe on any thread.
  private static let preparation = { qd_prepare() }()

  /// - Returns: nil if there is no memory.
  init?() {
    guard Self.preparation == CURLE_OK, let pointer = curl_multi_init() else { return nil }
    self.pointer = pointer
    // One transfer at a time on a connection: libcurl 7.88 lets a transfer that waits for its reader block all others of its
    // HTTP/2 connection.
    qd_multi_set_connections(pointer, 16)
  }

  deinit { curl_multi_cleanup(pointer) }

  /// Ends a `poll` on another thread, or the next one.
  func wakeUp() { curl_multi_wakeup(pointer) }

  /// - Returns: false if libcurl does not take the handle.
  func add(_ easy: CurlEasy) -> Bool { curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK }

  func remove(_ easy: CurlEasy) { curl_multi_remove_handle(pointer, easy.pointer) }

  /// Moves bytes of all transfers, without waiting.
  func perform() {
    var running: Int32 = 0
    curl_multi_perform(pointer, &running)
  }

  /// Waits for sockets, or `wakeUp`.
  func poll(milliseconds: Int32) { curl_multi_poll(pointer, nil, 0, milliseconds, nil) }

  /// The next handle that has come to its end, and how.
  func takeFinished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
    var remaining: Int32 = 0
    while let message = curl_multi_info_read(pointer, &remaining) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
      return (easy, qd_message_result(message))
    }
    return nil
  }
}
