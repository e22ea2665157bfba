/// The keys that apply at a point of a media playlist: at most one for each format of keys.
struct HLSKeys {
  private var active: [(format: String, key: HLSSegmentList.Key)] = []

  /// The format of keys that are 16 bytes in a file.
  private static let identity = "identity"

  /// The key to decrypt with; if there is none, the encryption that is not supported. Nil if nothing is encrypted.
  var effective: HLSSegmentList.Key? { (active.first { $0.key.isSupported } ?? active.first)?.key }

  /// Adds the key of an EXT-X-KEY tag, which replaces one of the same format, or ends all encryption.
  mutating func apply(_ attributes: HLSAttributes, _ text: inout HLSText) throws(HLSPlaylistError) {
    guard let method = attributes.text("METHOD") else { throw HLSPlaylistError("KEY without a METHOD") }
    if method == "NONE" {
      active = []
      return
    }
    let format = attributes.text("KEYFORMAT") ?? Self.identity
    var key = HLSSegmentList.Key(isSupported: false, name: HLSText.Span(), initializationVector: HLSText.Span())
    if method == "AES-128", format.lowercased() == Self.identity {
      guard let uri = attributes.text("URI") else { throw HLSPlaylistError("KEY with AES-128 but no URI") }
      key.isSupported = true
      key.name = text.append(uri.utf8)
      if let given = attributes.bytes("IV") {
        guard let vector = HLSNumber.block(given) else { throw HLSPlaylistError("KEY with an invalid IV") }
        key.initializationVector = text.append(vector)
      }
    } else {
      key.name = text.append((format == Self.identity ? method : "\(method), \(format)").utf8)
    }
    active.removeAll { $0.format == format }
    guard active.count < HLSLimits.keyFormats else { throw HLSPlaylistError("more than \(HLSLimits.keyFormats) formats of keys") }
    active.append((format, key))
  }
}
