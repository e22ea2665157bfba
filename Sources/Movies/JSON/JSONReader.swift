/// Reads JSON (RFC 8259), and also NaN and infinities, which some programs write.
struct JSONReader {
  /// A parse error.
  struct Failure: Error {
    /// The line, from 1.
    var line: Int
    /// The problem, as the end of a sentence.
    var problem: String
  }

  /// The maximum depth of nesting.
  private static let deepest = 128
  /// The maximum number of values, each of which takes far more memory than its bytes.
  private static let most = 2_000_000

  private let bytes: [UInt8]
  private var at = 0
  private var count = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads one value.
  ///
  /// - Throws: `Failure`.
  static func read(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
    var reader = JSONReader(bytes)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.at == bytes.count else { throw reader.failure("unexpected data after the end") }
    return value
  }

  private func failure(_ problem: String) -> Failure {
    Failure(line: bytes[..<min(at, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1, problem: "invalid JSON: \(problem)")
  }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    count += 1
    guard count <= Self.most else { throw failure("more than \(Self.most) values") }
    guard depth < Self.deepest else { throw failure("nested too deeply") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    default: return try word()
    }
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: byte) else { return false }
    at += 1
    return true
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    at += 1
    var members: [JSONValue.Member] = []
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("expected a quoted key") }
      let key = try string()
      guard take(":") else { throw failure("expected a colon") }
      members.append(JSONValue.Member(key: key, value: try value(depth: depth + 1)))
    } while take(",")
    guard take("}") else { throw failure("expected a comma or \"}\"") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    at += 1
    var elements: [JSONValue] = []
    if take("]") { return .array([]) }
    repeat { elements.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw failure("expected a comma or \"]\"") }
    return .array(elements)
  }

  private static let wordBytes = Set("+-.".utf8).union(48...57).union(65...90).union(97...122)

  private mutating func word() throws(Failure) -> JSONValue {
    let start = at
    while let byte = next, Self.wordBytes.contains(byte) { at += 1 }
    let word = String(decoding: bytes[start..<at], as: UTF8.self)
    switch word {
    case "null": return .null
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "NaN", "Infinity", "-Infinity", "Inf", "-Inf": return .number(word)
    default:
      guard Self.isNumber(word) else {
        at = start
        throw failure("expected a value")
      }
      return .number(word)
    }
  }

  private static func isNumber(_ word: String) -> Bool {
    var rest = word.utf8[...]
    func digits() -> Int {
      let count = rest.prefix { (48...57).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    func skip(_ characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = skip("-")
    let beginsWithZero = rest.first == 48
    let whole = digits()
    guard whole > 0, !(beginsWithZero && whole > 1) else { return false }
    if skip("."), digits() == 0 { return false }
    if skip("eE") {
      _ = skip("+-")
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }

  private mutating func string() throws(Failure) -> String {
    at += 1
    var text: [UInt8] = []
    while let byte = next {
      at += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let result = String(validating: text, as: UTF8.self) else { throw failure("a string is not UTF-8") }
        return result
      case UInt8(ascii: "\\"): text += String(try escape()).utf8
      case ..<0x20: throw failure("control character in a string")
      default: text.append(byte)
      }
    }
    throw failure("unterminated string")
  }

  private mutating func escape() throws(Failure) -> Character {
    guard let byte = next else { throw failure("unterminated string") }
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexUnit()
      if let scalar = Unicode.Scalar(unit) { return Character(scalar) }
      // Half of a surrogate pair; a lone half is no character.
      guard unit < 0xDC00, bytes[at...].starts(with: "\\u".utf8) else { return "\u{FFFD}" }
      let back = at
      at += 2
      let low = try hexUnit()
      guard (0xDC00...0xDFFF).contains(low) else {
        at = back
        return "\u{FFFD}"
      }
      return Unicode.Scalar(0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(low - 0xDC00)).map(Character.init) ?? "\u{FFFD}"
    default: throw failure("unknown escape in a string")
    }
  }

  private mutating func hexUnit() throws(Failure) -> UInt16 {
    let digits = bytes[at..<min(at + 4, bytes.count)]
    guard digits.count == 4, !digits.contains(UInt8(ascii: "+")), !digits.contains(UInt8(ascii: "-")),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("expected four hexadecimal digits after \"\\u\"") }
    at += 4
    return unit
  }
}
