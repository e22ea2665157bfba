import CCurl

/// Owns an easy handle: one request. Used on the transport's thread only.
final class CurlEasy {
  /// An option that libcurl does not take.
  struct Refusal: Error {
    let code: CURLcode
  }

  let pointer: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?

  /// - Returns: nil if there is no memory.
  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(headers)
  }

  func set(_ option: CURLoption, _ value: Int) throws(Refusal) { try Self.check(qd_easy_set_long(pointer, option, value)) }

  func set(_ option: CURLoption, _ value: String) throws(Refusal) { try Self.check(qd_easy_set_string(pointer, option, value)) }

  func set(_ option: CURLoption, milliseconds seconds: Double) throws(Refusal) {
    try set(option, Int(max(1, min(seconds * 1000, 1e9))))
  }

  /// Sets the headers that libcurl does not make itself.
  func setHeaders(_ lines: [String]) throws(Refusal) {
    for line in lines {
      guard let list = curl_slist_append(headers, line) else { throw Refusal(code: CURLE_OUT_OF_MEMORY) }
      headers = list
    }
    try Self.check(qd_easy_set_list(pointer, CURLOPT_HTTPHEADER, headers))
  }

  static func check(_ code: CURLcode) throws(Refusal) {
    guard code == CURLE_OK else { throw Refusal(code: code) }
  }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    return qd_easy_get_long(pointer, info, &value) == CURLE_OK ? value : 0
  }

  /// The seconds of the answer's Retry-After header, which may also be a date; nil if it has none.
  var retryAfter: Double? {
    var value: curl_off_t = 0
    guard qd_easy_get_offset(pointer, CURLINFO_RETRY_AFTER, &value) == CURLE_OK, value > 0 else { return nil }
    return Double(value)
  }

  /// Makes libcurl close the connection when the handle is removed.
  func forbidReuse() { _ = qd_easy_set_long(pointer, CURLOPT_FORBID_REUSE, 1) }

  /// Lets bytes come again after a write callback returned CURL_WRITEFUNC_PAUSE.
  func resume() { curl_easy_pause(pointer, CURLPAUSE_CONT) }
}
