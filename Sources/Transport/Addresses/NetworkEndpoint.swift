/// A host and a port.
public struct NetworkEndpoint: Hashable, Sendable {
  /// A name in lower case, or an address in its usual form, without brackets.
  public let host: String
  public let port: Int

  init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// The address that the host is, if it is not a name.
  public var literalAddress: NetworkAddress? { NetworkAddress(host) }

  /// The host as URLs have it: an IPv6 address stands in brackets.
  var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }
}

extension NetworkEndpoint {
  /// Creates an endpoint of the host and port of a URL, `example.org:8080` or `[::1]`, in canonical form.
  ///
  /// Addresses in the forms that the system's resolver accepts, such as `127.1`, are converted to the usual one, so that a
  /// host has one spelling.
  init(parsing text: Substring, defaultPort: Int) throws(NetworkURLError) {
    var host = text
    var port: Substring?
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { throw .badHost }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { throw .badHost }
      port = rest.dropFirst()
      guard case .v6? = NetworkAddress(String(host)) else { throw .badHost }
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    }
    self.host = try Self.canonicalHost(host)
    self.port = try Self.port(port ?? "") ?? defaultPort
  }

  private static func port(_ text: Substring) throws(NetworkURLError) -> Int? {
    if text.isEmpty { return nil }
    guard text.utf8.count <= 5, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text),
      (1...65535).contains(port)
    else { throw .badPort }
    return port
  }

  private static func canonicalHost(_ text: Substring) throws(NetworkURLError) -> String {
    if let address = NetworkAddress(String(text)) { return address.text }
    var name = text.lowercased()
    // The root of the domain names, which makes no difference.
    if name.hasSuffix(".") { name.removeLast() }
    guard !name.isEmpty else { throw .noHost }
    guard name.utf8.count <= 253, name.unicodeScalars.allSatisfy(isAllowed) else { throw .badHost }
    if let address = NetworkAddress(resolverText: name) { return address.text }
    // A last label that is a number belongs to an address, and this one was none.
    let last = name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    let digits = last.hasPrefix("0x") ? last.dropFirst(2) : last
    let isNumber = last.hasPrefix("0x") ? digits.allSatisfy(\.isHexDigit) : digits.allSatisfy { ("0"..."9").contains($0) }
    guard !isNumber else { throw .badHost }
    return name
  }

  /// True for what host names consist of.
  ///
  /// Other letters than ASCII's are allowed unless they stand for others: names that look like another after the resolver's
  /// conversion would not be recognised here.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "0"..."9", "-", ".", "_": return true
    case "ß", "ς": return true
    default:
      let properties = scalar.properties
      let isLetter = properties.isAlphabetic || properties.generalCategory == .nonspacingMark
      return !scalar.isASCII && isLetter && !properties.changesWhenNFKCCaseFolded
    }
  }
}
