/// The consequence of a response's headers.
enum ResponseVerdict: Hashable {
  case body(TransportResponse)
  case redirect(NetworkURL)
  case failure(TransportError)
}

extension ResponseVerdict {
  /// The connection that a response came over.
  struct Connection {
    var address: NetworkAddress?
    var isProxied = false
    /// The seconds of a `Retry-After` header.
    var retryAfter: Double?
  }

  /// Judges complete headers.
  ///
  /// - Parameter url: the URL that was asked for, after redirects.
  /// - Parameter redirects: the number of redirects followed so far.
  init(_ headers: ResponseHeaders, to request: TransportRequest, at url: NetworkURL, redirects: Int, connection: Connection) {
    do throws(TransportError) {
      if let target = try Self.redirect(headers, from: url, redirects: redirects) {
        self = .redirect(target)
      } else {
        self = .body(try Self.response(headers, to: request, at: url, connection: connection))
      }
    } catch {
      self = .failure(error)
    }
  }

  static let maximumRedirects = 5

  private static func redirect(
    _ headers: ResponseHeaders, from url: NetworkURL, redirects: Int
  ) throws(TransportError) -> NetworkURL? {
    guard [301, 302, 303, 307, 308].contains(headers.status), let location = headers["location"] else { return nil }
    guard redirects < maximumRedirects else { throw .tooManyRedirects }
    let target: NetworkURL
    do throws(NetworkURLError) {
      target = try url.resolving(location)
    } catch {
      if case .scheme(let scheme) = error { throw .redirectedToScheme(scheme) }
      throw .redirectedNowhere(error)
    }
    guard url.scheme == .http || target.scheme == .https else { throw .redirectedFromHTTPS }
    return target
  }

  private static func response(
    _ headers: ResponseHeaders, to request: TransportRequest, at url: NetworkURL, connection: Connection
  ) throws(TransportError) -> TransportResponse {
    if headers.status == 416, request.range != nil { throw .noSuchRange(total: headers.contentRange?.total) }
    guard headers.status == 200 || headers.status == 206 else {
      throw .status(headers.status, retryAfter: connection.retryAfter)
    }
    if let coding = headers.unwantedCoding { throw .compressed(coding) }
    let isPartial = headers.status == 206
    let range = try isPartial ? checkedRange(headers, request.range) : nil
    let total = isPartial ? headers.contentRange?.total : headers.contentLength
    let validator = Validator(headers: headers)
    if let expected = request.ifRange, let validator, validator.contradicts(expected) { throw .changed }
    if let expected = request.expectedSize, let total, total != expected { throw .changed }
    if let asked = request.range, !isPartial {
      // A server that answers so to `If-Range`, and does not say that it has the same version, has another one.
      if let expected = request.ifRange, expected != validator { throw .changed }
      if asked.first > 0 { throw .noRanges }
    }
    return TransportResponse(
      status: headers.status, url: url, start: range?.lowerBound ?? 0,
      contentLength: range.map { $0.upperBound - $0.lowerBound + 1 } ?? headers.contentLength.map { length in
        // The whole, although a part was asked for: no more than that is passed on.
        request.range?.last.map { min(length, $0 + 1) } ?? length
      },
      totalSize: total,
      validator: validator, acceptsRanges: isPartial || headers["accept-ranges"]?.lowercased() == "bytes" && request.range == nil,
      contentType: mediaType(headers), address: connection.address, isProxied: connection.isProxied)
  }

  /// The range that a partial response contains, which must begin where it was asked for and agree with itself.
  private static func checkedRange(_ headers: ResponseHeaders, _ asked: ByteRange?) throws(TransportError) -> ClosedRange<Int64> {
    guard let asked, let range = headers.contentRange?.bytes, range.lowerBound == asked.first,
      range.upperBound <= asked.last ?? .max
    else { throw .wrongRange }
    if let length = headers.contentLength, length != range.upperBound - range.lowerBound + 1 { throw .wrongRange }
    return range
  }

  private static func mediaType(_ headers: ResponseHeaders) -> String? {
    guard let type = headers["content-type"]?.split(separator: ";").first?.lowercased() else { return nil }
    let text = type.filter { !$0.isWhitespace }
    return text.utf8.count <= 128 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
  }
}
