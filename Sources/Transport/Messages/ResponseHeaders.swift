/// The headers of a response, collected line by line as they arrive.
struct ResponseHeaders {
  /// The limit of all header lines of one request, with those of interim responses.
  static let maximumByteCount = 64 << 10

  /// An error in header lines.
  enum Fault: Error {
    case tooLong
  }

  private(set) var status = 0
  private(set) var isComplete = false
  private var fields: [String: String] = [:]
  private var byteCount = 0

  /// Takes one line, with its end. An interim response (1xx) is dropped once it is complete.
  mutating func append(_ line: some Collection<UInt8>) throws(Fault) {
    byteCount += line.count
    guard byteCount <= Self.maximumByteCount else { throw .tooLong }
    // What follows are trailers of the body.
    if isComplete { return }
    let text = String(decoding: line, as: UTF8.self).trimmed
    if text.isEmpty {
      isComplete = status >= 200
    } else if text.hasPrefix("HTTP/") {
      let words = text.split(separator: " ")
      status = words.count > 1 ? Int(words[1].prefix(3)) ?? 0 : 0
      fields = [:]
    } else if let colon = text.firstIndex(of: ":") {
      let name = text[..<colon].lowercased()
      let value = String(text[text.index(after: colon)...]).trimmed
      // Repeated fields are one list. Of a list, nothing that is read here understands more than its only element.
      fields[name] = fields[name].map { "\($0), \(value)" } ?? value
    }
  }

  /// The value of a field, named in lower case.
  subscript(name: String) -> String? { fields[name] }

  /// The value of Content-Length.
  var contentLength: Int64? { fields["content-length"].flatMap(ContentRange.number) }

  var contentRange: ContentRange? { fields["content-range"].flatMap(ContentRange.init) }

  /// The coding of the body that was not asked for: `gzip`.
  var unwantedCoding: String? {
    // libcurl would decode it by itself.
    let transfer = (fields["transfer-encoding"] ?? "").split(separator: ",").map { String($0).trimmed.lowercased() }
    let content = (fields["content-encoding"] ?? "").split(separator: ",").map { String($0).trimmed.lowercased() }
    return (transfer + content).first { $0 != "chunked" && $0 != "identity" && !$0.isEmpty }
  }
}

extension String {
  fileprivate var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
    let rest = drop(while: isBlank)
    return String(rest.prefix(upTo: rest.lastIndex { !isBlank($0) }.map(rest.index(after:)) ?? rest.startIndex))
  }
}
