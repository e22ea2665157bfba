import Pixels

/// The attribute list of a tag: `BANDWIDTH=1280000,CODECS="avc1.4d401f,mp4a.40.2"`.
///
/// Read as real playlists write them: with blanks around separators, and quotation marks around any value or none. Of
/// attributes with the same name, the last one counts.
struct HLSAttributes {
  private var list: [(name: String, value: String)] = []

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
      value = try variables.substitute(in: value)
      list.append((String(decoding: TextLines.trimmed(name), as: UTF8.self), String(decoding: value, as: UTF8.self)))
    }
  }

  /// The value of an attribute; nil if there is none.
  subscript(name: String) -> String? { list.last { $0.name == name }?.value }

  /// Returns the value of an attribute as text; nil if there is none or it is empty.
  func text(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the value of an attribute as a number without sign or decimals; nil if it is none.
  func integer(_ name: String) -> Int? { self[name].flatMap { HLSNumber.integer($0.utf8) } }

  /// Returns the value of an attribute as a decimal number; nil if it is none.
  func number(_ name: String) -> Double? { self[name].flatMap { HLSNumber.nanoseconds($0.utf8) }.map { Double($0) / 1e9 } }

  /// Returns the value of an attribute as nanoseconds; nil if it is no number of seconds.
  func nanoseconds(_ name: String) -> Int64? { self[name].flatMap { HLSNumber.nanoseconds($0.utf8) } }

  /// Returns the value of an attribute as a size in pixels; nil if it is none.
  func size(_ name: String) -> PixelSize? { self[name].flatMap { PixelSize($0.lowercased(), sides: 1...65_535) } }

  /// Returns true if the value of an attribute is YES.
  func isYes(_ name: String) -> Bool { self[name] == "YES" }

  /// Returns the first parts of the value of an attribute, which are separated by commas.
  func parts(_ name: String) -> [String] {
    (self[name] ?? "").split(separator: ",", maxSplits: HLSLimits.attributes).prefix(HLSLimits.attributes).map {
      String(decoding: TextLines.trimmed(Array($0.utf8)[...]), as: UTF8.self)
    }
  }
}
