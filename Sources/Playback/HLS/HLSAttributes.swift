import Pixels

/// The attribute list of a tag: `BANDWIDTH=1280000,CODECS="avc1.4d401f,mp4a.40.2"`.
///
/// Read as real playlists write them: with blanks around separators, and quotation marks around any value or none. Of
/// attributes with the same name, the last one counts.
struct HLSAttributes {
  private var list: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []

  /// - Parameter variables: the variables that values refer to.
  init(_ text: ArraySlice<UInt8>, _ variables: inout HLSVariables) throws(HLSPlaylistError) {
    let comma = UInt8(ascii: ","), quote = UInt8(ascii: "\"")
    var rest = text
    while true {
      rest = rest.drop { $0 == comma || TextLines.isBlank($0) }
      if rest.isEmpty { break }
      let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != comma }
      rest = rest[name.endIndex...]
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst().drop(while: TextLines.isBlank)
      var value: ArraySlice<UInt8>
      if rest.first == quote {
        value = rest.dropFirst().prefix { $0 != quote }
        guard value.endIndex < rest.endIndex else { throw HLSPlaylistError("quotation mark is missing") }
        rest = rest[value.endIndex...].drop { $0 != comma }
      } else {
        value = rest.prefix { $0 != comma }
        rest = rest[value.endIndex...]
        value = TextLines.trimmed(value)
      }
      guard list.count < HLSLimits.attributes else { throw HLSPlaylistError("more than \(HLSLimits.attributes) attributes") }
      list.append((TextLines.trimmed(name), try variables.substitute(in: value)))
    }
  }

  /// Returns the value of an attribute, in UTF-8; nil if there is none.
  func bytes(_ name: String) -> ArraySlice<UInt8>? { list.last { $0.name.elementsEqual(name.utf8) }?.value }

  /// The value of an attribute; nil if there is none.
  subscript(name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

  /// Returns the value of an attribute as text; nil if there is none or it is empty.
  func text(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the value of an attribute as a number without sign or decimals; nil if it is none.
  func integer(_ name: String) -> Int? { bytes(name).flatMap(HLSNumber.integer) }

  /// Returns the value of an attribute as a decimal number; nil if it is none.
  func number(_ name: String) -> Double? { nanoseconds(name).map { Double($0) / 1e9 } }

  /// Returns the value of an attribute as nanoseconds; nil if it is no number of seconds.
  func nanoseconds(_ name: String) -> Int64? { bytes(name).flatMap(HLSNumber.nanoseconds) }

  /// Returns the value of an attribute as a size in pixels; nil if it is none.
  func size(_ name: String) -> PixelSize? { self[name].flatMap { PixelSize($0.lowercased(), sides: 1...65_535) } }

  /// Returns true if the value of an attribute is YES.
  func isYes(_ name: String) -> Bool { self[name] == "YES" }

  /// Returns the first parts of the value of an attribute, which are separated by commas.
  func parts(_ name: String) -> [String] {
    let parts = (bytes(name) ?? []).split(separator: UInt8(ascii: ","), maxSplits: HLSLimits.attributes)
    return parts.prefix(HLSLimits.attributes).map { String(decoding: TextLines.trimmed($0), as: UTF8.self) }
  }
}
