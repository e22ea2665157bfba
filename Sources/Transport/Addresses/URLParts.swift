/// The parts of a URL or relative reference, as RFC 3986 divides them; the fragment is dropped.
struct URLParts {
  let scheme: String?
  let authority: Substring?
  let path: Substring
  let query: Substring?

  /// - Throws: for control characters and text that is too long.
  init(_ text: String) throws(NetworkURLError) {
    guard text.utf8.count <= NetworkURL.maximumLength else { throw .tooLong }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { throw .controlCharacter }
    var rest = text.prefix { $0 != "#" }
    if let colon = rest.firstIndex(where: { ":/?".contains($0) }), rest[colon] == ":", Self.isScheme(rest[..<colon]) {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(after: colon)...]
    } else {
      scheme = nil
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    } else {
      authority = nil
    }
    if let mark = rest.firstIndex(of: "?") {
      query = rest[rest.index(after: mark)...]
      path = rest[..<mark]
    } else {
      query = nil
      path = rest
    }
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }

  /// The authority in front of `@`, if it has one, and what follows.
  var splitAuthority: (user: Substring?, endpoint: Substring) {
    let authority = authority ?? ""
    guard let sign = authority.lastIndex(of: "@") else { return (nil, authority) }
    return (authority[..<sign], authority[authority.index(after: sign)...])
  }

  /// Returns a path without `.` and `..` (RFC 3986, section 5.2.4), beginning with a slash.
  static func withoutDots(_ path: some StringProtocol) -> String {
    var kept: [Substring] = []
    let segments = Substring(path).split(separator: "/", omittingEmptySubsequences: false)
    let rooted = segments.first == "" ? segments.dropFirst() : segments[...]
    for (n, segment) in rooted.enumerated() {
      let isLast = n == rooted.count - 1
      // Encoded dots are dots.
      switch segment.isEmpty ? segment : Substring(segment.replacing("%2e", with: ".").replacing("%2E", with: ".")) {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}
