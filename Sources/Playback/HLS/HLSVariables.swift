/// The variables of a playlist, and their substitution in its text.
///
/// Source: draft-pantos-hls-rfc8216bis, "Variable Substitution" and "EXT-X-DEFINE".
struct HLSVariables {
  /// Values by name.
  private(set) var values: [String: String] = [:]
  /// The bytes that were produced by substitution so far. A short playlist could expand to any size.
  private var expandedBytes = 0
  private let address: String
  private let imports: [String: String]

  /// - Parameters:
  ///   - address: the playlist's address, whose query can be a source of values.
  ///   - imports: the variables of the multivariant playlist that named this one.
  init(address: String, imports: [String: String]) {
    self.address = address
    self.imports = imports
  }

  /// Defines the variable of an EXT-X-DEFINE tag.
  mutating func define(_ attributes: HLSAttributes) throws(HLSPlaylistError) {
    let name: String, value: String
    if let given = attributes["NAME"] {
      guard let text = attributes["VALUE"] else { throw HLSPlaylistError("DEFINE with a NAME but no VALUE") }
      (name, value) = (given, text)
    } else if let imported = attributes["IMPORT"] {
      guard let text = imports[imported] else {
        throw HLSPlaylistError("DEFINE imports a variable that the multivariant playlist does not define")
      }
      (name, value) = (imported, text)
    } else if let parameter = attributes["QUERYPARAM"] {
      guard let text = queryValue(parameter) else {
        throw HLSPlaylistError("DEFINE names a query parameter that the playlist's address does not have")
      }
      (name, value) = (parameter, text)
    } else {
      throw HLSPlaylistError("DEFINE without NAME, IMPORT or QUERYPARAM")
    }
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else { throw HLSPlaylistError("DEFINE with an invalid name") }
    guard values[name] == nil else { throw HLSPlaylistError("DEFINE of a variable that is already defined") }
    guard values.count < HLSLimits.variables else { throw HLSPlaylistError("more than \(HLSLimits.variables) variables") }
    values[name] = value
  }

  /// Returns text with its references to variables, `{$name}`, replaced by their values. Those are not searched again.
  mutating func substitute(in text: ArraySlice<UInt8>) throws(HLSPlaylistError) -> ArraySlice<UInt8> {
    guard var reference = Self.reference(in: text) else { return text }
    var result: [UInt8] = [], rest = text
    while true {
      let name = String(decoding: text[reference].dropFirst(2).dropLast(), as: UTF8.self)
      guard let value = values[name] else { throw HLSPlaylistError("refers to a variable that is not defined") }
      result += rest[..<reference.lowerBound]
      result += value.utf8
      rest = rest[reference.upperBound...]
      guard result.count + rest.count <= HLSLimits.lineBytes else {
        throw HLSPlaylistError("variables expand to more than \(HLSLimits.lineBytes) bytes")
      }
      guard let next = Self.reference(in: rest) else { break }
      reference = next
    }
    result += rest
    expandedBytes += result.count
    guard expandedBytes <= HLSLimits.playlistBytes else {
      throw HLSPlaylistError("variables expand to more than \(HLSLimits.playlistBytes >> 20) MB")
    }
    return result[...]
  }

  /// Returns the first `{$name}` in text. Braces without a valid name, as in some addresses, are none.
  private static func reference(in text: ArraySlice<UInt8>) -> Range<Int>? {
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "{")) {
      rest = rest[(start + 1)...]
      guard rest.first == UInt8(ascii: "$") else { continue }
      let name = rest.dropFirst().prefix(while: isNameByte)
      guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: "}") else { continue }
      return start..<name.endIndex + 1
    }
    return nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }

  /// Returns the decoded value of a parameter in the query of the playlist's address; nil if it has none.
  private func queryValue(_ name: String) -> String? {
    let address = address.prefix { $0 != "#" }
    guard let start = address.firstIndex(of: "?") else { return nil }
    for field in address[start...].dropFirst().split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, Self.percentDecoded(parts[0]) == name { return Self.percentDecoded(parts[1]) }
    }
    return nil
  }

  private static func percentDecoded(_ text: Substring) -> String {
    var result: [UInt8] = [], rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        result.append(UInt8(digits[0] << 4 | digits[1]))
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
