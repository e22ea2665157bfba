/// JSON as Twee files have it in headers and in `StoryData`; its depth is bounded.
enum TweeJSON: Hashable, Sendable {
  case null
  case flag(Bool)
  /// As it was written.
  case number(String)
  case text(String)
  case list([TweeJSON])
  /// Of two values of one name the last one counts.
  case object([String: TweeJSON])

  /// Why text is no JSON, as the end of a sentence.
  struct Failure: Error, Hashable {
    let problem: String
  }

  private static let deepest = 16

  init(_ text: String) throws(Failure) {
    var reader = Reader(rest: Array(text.utf8)[...])
    self = try reader.value(depth: 0)
    reader.skipSpace()
    if let byte = reader.rest.first { throw Reader.unexpected(byte, "its end") }
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    static func unexpected(_ byte: UInt8?, _ expected: String) -> Failure {
      let found = byte.map {
        (0x20..<0x7F).contains($0) ? "found \"\(Character(Unicode.Scalar($0)))\"" : "found another byte"
      }
      return Failure(problem: "is not JSON: expected \(expected), \(found ?? "but it ends")")
    }

    mutating func skipSpace() {
      rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func expect(_ byte: UInt8) throws(Failure) {
      guard take(byte) else { throw Self.unexpected(rest.first, "\"\(Character(Unicode.Scalar(byte)))\"") }
    }

    private mutating func takeWord(_ word: String) -> Bool {
      guard rest.starts(with: word.utf8) else { return false }
      rest = rest.dropFirst(word.utf8.count)
      return true
    }

    mutating func value(depth: Int) throws(Failure) -> TweeJSON {
      guard depth < TweeJSON.deepest else { throw Failure(problem: "is nested too deeply") }
      skipSpace()
      switch rest.first {
      case UInt8(ascii: "{"): return .object(try object(depth))
      case UInt8(ascii: "["): return .list(try list(depth))
      case UInt8(ascii: "\""): return .text(try text())
      default: break
      }
      if takeWord("null") { return .null }
      if takeWord("true") { return .flag(true) }
      if takeWord("false") { return .flag(false) }
      let digits = rest.prefix { "+-.0123456789eE".utf8.contains($0) }
      let number = String(decoding: digits, as: UTF8.self)
      guard !digits.isEmpty, Double(number) != nil, digits.first != UInt8(ascii: "+") else {
        throw Self.unexpected(rest.first, "a value")
      }
      rest = rest[digits.endIndex...]
      return .number(number)
    }

    private mutating func object(_ depth: Int) throws(Failure) -> [String: TweeJSON] {
      var object: [String: TweeJSON] = [:]
      rest.removeFirst()
      skipSpace()
      if take(UInt8(ascii: "}")) { return object }
      while true {
        skipSpace()
        guard rest.first == UInt8(ascii: "\"") else { throw Self.unexpected(rest.first, "a name in quotation marks") }
        let name = try text()
        skipSpace()
        try expect(UInt8(ascii: ":"))
        object[name] = try value(depth: depth + 1)
        skipSpace()
        if take(UInt8(ascii: "}")) { return object }
        try expect(UInt8(ascii: ","))
      }
    }

    private mutating func list(_ depth: Int) throws(Failure) -> [TweeJSON] {
      var list: [TweeJSON] = []
      rest.removeFirst()
      skipSpace()
      if take(UInt8(ascii: "]")) { return list }
      while true {
        list.append(try value(depth: depth + 1))
        skipSpace()
        if take(UInt8(ascii: "]")) { return list }
        try expect(UInt8(ascii: ","))
      }
    }

    private mutating func text() throws(Failure) -> String {
      rest.removeFirst()
      var bytes: [UInt8] = []
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
        case UInt8(ascii: "\\"): bytes += try escape()
        case 0..<0x20: throw Failure(problem: "is not JSON: a control character stands in a text")
        default: bytes.append(byte)
        }
      }
      throw Self.unexpected(nil, "the end of a text")
    }

    private mutating func escape() throws(Failure) -> [UInt8] {
      let byte = rest.popFirst()
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return byte.map { [$0] } ?? []
      case UInt8(ascii: "b"): return [0x08]
      case UInt8(ascii: "f"): return [0x0C]
      case UInt8(ascii: "n"): return [0x0A]
      case UInt8(ascii: "r"): return [0x0D]
      case UInt8(ascii: "t"): return [0x09]
      case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
      default: throw Self.unexpected(byte, "an escape")
      }
    }

    /// What four hexadecimal digits mean, or twice four.
    private mutating func scalar() throws(Failure) -> Character {
      let first = try unit()
      if let scalar = Unicode.Scalar(first) { return Character(scalar) }
      guard takeWord("\\u") else { throw Failure(problem: "is not JSON: half of a surrogate pair stands alone") }
      let second = try unit()
      guard (0xD800..<0xDC00).contains(first), (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      else { throw Failure(problem: "is not JSON: half of a surrogate pair stands alone") }
      return Character(scalar)
    }

    private mutating func unit() throws(Failure) -> UInt32 {
      let digits = String(decoding: rest.prefix(4), as: UTF8.self)
      guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt32(digits, radix: 16) else {
        throw Self.unexpected(rest.first, "four hexadecimal digits")
      }
      rest = rest.dropFirst(4)
      return unit
    }
  }
}
