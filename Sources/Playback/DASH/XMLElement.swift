/// An element of an XML document, as far as manifests need it: without namespaces, comments and processing instructions.
struct XMLElement: Hashable, Sendable {
  /// The name without its prefix.
  let name: String
  /// The attributes, without those that declare namespaces.
  let attributes: [String: String]
  var children: [XMLElement] = []
  /// The text directly in the element.
  var text = ""

  /// Returns the children of a name.
  func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// Returns the first child of a name.
  func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  subscript(attribute: String) -> String? { attributes[attribute] }
}

/// Reads XML that comes from the network: no declarations of entities, bounded depth and number of elements.
struct XMLReader {
  private static let maxDepth = 32
  private static let maxElements = 500_000

  private var rest: Substring
  private var count = 0

  /// Returns the root element of a document; nil if it is malformed or beyond the bounds.
  static func root(of bytes: [UInt8]) -> XMLElement? {
    var text = String(decoding: bytes, as: UTF8.self)
    text.makeContiguousUTF8()
    var reader = XMLReader(rest: text[...])
    return reader.skipMisc() ? reader.element(depth: 0) : nil
  }

  private init(rest: Substring) { self.rest = rest }

  /// Skips white space, comments, declarations and instructions. Returns false if one has no end.
  private mutating func skipMisc() -> Bool {
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
      if rest.hasPrefix("<!--") {
        guard skip(past: "-->") else { return false }
      } else if rest.hasPrefix("<?") {
        guard skip(past: "?>") else { return false }
      } else if rest.hasPrefix("<!") {
        // A document type with declarations of its own is not accepted.
        let declaration = rest.prefix { $0 != ">" }
        guard !declaration.contains("["), skip(past: ">") else { return false }
      } else {
        return true
      }
    }
  }

  private mutating func skip(past end: String) -> Bool {
    guard let range = rest.firstRange(of: end) else { return false }
    rest = rest[range.upperBound...]
    return true
  }

  private mutating func element(depth: Int) -> XMLElement? {
    count += 1
    guard depth < Self.maxDepth, count <= Self.maxElements, rest.first == "<" else { return nil }
    rest.removeFirst()
    guard let name = name(), let (attributes, isEmpty) = attributes() else { return nil }
    var element = XMLElement(name: Self.local(name), attributes: attributes)
    if isEmpty { return element }
    while true {
      element.text += Self.unescaped(rest.prefix { $0 != "<" })
      rest = rest.drop { $0 != "<" }
      if rest.hasPrefix("</") {
        rest = rest.dropFirst(2)
        guard self.name() == name else { return nil }
        rest = rest.drop { $0.isWhitespace }
        guard rest.first == ">" else { return nil }
        rest.removeFirst()
        return element
      } else if rest.hasPrefix("<!--") {
        guard skip(past: "-->") else { return nil }
      } else if rest.hasPrefix("<![CDATA[") {
        rest = rest.dropFirst(9)
        guard let end = rest.firstRange(of: "]]>") else { return nil }
        element.text += rest[..<end.lowerBound]
        rest = rest[end.upperBound...]
      } else if rest.hasPrefix("<?") {
        guard skip(past: "?>") else { return nil }
      } else if rest.isEmpty {
        return nil
      } else {
        guard let child = self.element(depth: depth + 1) else { return nil }
        element.children.append(child)
      }
    }
  }

  private mutating func name() -> Substring? {
    let name = rest.prefix { !$0.isWhitespace && !"/>=<\"'".contains($0) }
    rest = rest[name.endIndex...]
    return name.isEmpty ? nil : name
  }

  private mutating func attributes() -> (values: [String: String], isEmpty: Bool)? {
    var values: [String: String] = [:]
    while true {
      rest = rest.drop { $0.isWhitespace }
      if rest.hasPrefix("/>") {
        rest = rest.dropFirst(2)
        return (values, true)
      }
      if rest.first == ">" {
        rest.removeFirst()
        return (values, false)
      }
      guard let name = name() else { return nil }
      rest = rest.drop { $0.isWhitespace }
      guard rest.first == "=" else { return nil }
      rest = rest.dropFirst().drop { $0.isWhitespace }
      guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
      rest.removeFirst()
      let value = rest.prefix { $0 != quote }
      rest = rest[value.endIndex...]
      guard !rest.isEmpty else { return nil }
      rest.removeFirst()
      if !name.hasPrefix("xmlns") { values[Self.local(name)] = Self.unescaped(value) }
    }
  }

  private static func local(_ name: Substring) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? String(name)
  }

  private static let entities: [Substring: String] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  private static func unescaped(_ text: Substring) -> String {
    guard text.contains("&") else { return String(text) }
    var result = "", rest = text
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[rest.index(after: start)...]
      let name = rest.prefix { $0 != ";" }
      guard name.count < 10, name.endIndex < rest.endIndex else {
        result += "&"
        continue
      }
      rest = rest[rest.index(after: name.endIndex)...]
      if let known = entities[name] {
        result += known
      } else if name.hasPrefix("#") {
        let digits = name.dropFirst()
        let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        result.unicodeScalars.append(value.flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
      }
    }
    return result + rest
  }
}
