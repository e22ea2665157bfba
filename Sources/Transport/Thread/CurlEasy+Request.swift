import CCurl

extension CurlEasy {
  /// Sets all options of a request.
  ///
  /// - Parameter context: is passed to the callbacks, and must be valid as long as the handle is in use.
  func prepare(
    _ url: NetworkURL, for request: TransportRequest, proxy: String?, options: TransportOptions,
    context: UnsafeMutableRawPointer
  ) throws(Refusal) {
    try set(CURLOPT_URL, url.text)
    // The URL is in its canonical form; libcurl must not find another one.
    try set(CURLOPT_PATH_AS_IS, 1)
    try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    try Self.check(qd_easy_set_protocols(pointer))
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_USERAGENT, options.userAgent)

    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    // The system's certificates remain trusted, through its folder of them.
    if let file = options.certificateFile { try set(CURLOPT_CAINFO, file) }

    // An empty text is no proxy, and no exceptions, whatever the environment says.
    try set(CURLOPT_PROXY, proxy ?? "")
    try set(CURLOPT_NOPROXY, "")
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)

    // libcurl would use signals for its own time limits.
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds: options.connectLimit)
    try Self.check(qd_easy_leave_resolver(pointer))
    try set(CURLOPT_BUFFERSIZE, 64 << 10)

    if let credentials = request.origin.credentials(for: url) {
      try Self.check(qd_easy_set_credentials(pointer, credentials.user, credentials.password))
    }
    if let range = request.range { try set(CURLOPT_RANGE, range.text) }
    // Offsets count the bytes of the file, so a compressed one is of no use.
    var headers = ["Accept-Encoding: identity"]
    if request.range != nil, let validator = request.ifRange { headers.append("If-Range: \(validator.text)") }
    try setHeaders(headers)

    try Self.check(
      qd_easy_set_callbacks(
        pointer, context, ActiveTransfer.didReceiveHeader, ActiveTransfer.didReceiveBytes, ActiveTransfer.openSocket,
        ActiveTransfer.willRequest))
  }
}
