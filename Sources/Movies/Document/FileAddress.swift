import PlainText
import Playback

/// File names as URLs.
package enum FileAddress {
  /// The path that a URL names, absolute or relative; nil for a file on another host.
  package static func path(_ url: String) -> String? {
    guard let scheme = ClipName.scheme(url) else { return decoded(url.utf8[...]) }
    guard scheme == "file" else { return ClipName.networkScheme(url) == nil ? decoded(url.utf8[...]) : nil }
    var rest = url.utf8.dropFirst("file:".utf8.count)
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != UInt8(ascii: "/") }
      guard host.isEmpty || String(decoding: host, as: UTF8.self).lowercased() == "localhost" else { return nil }
      rest = rest.dropFirst(host.count)
    }
    return decoded(rest)
  }

  private static func decoded(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var at = text.startIndex
    while at < text.endIndex {
      if text[at] == UInt8(ascii: "%"), let end = text.index(at, offsetBy: 3, limitedBy: text.endIndex) {
        let digits = String(decoding: text[text.index(after: at)..<end], as: UTF8.self)
        if digits.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }), let byte = UInt8(digits, radix: 16) {
          bytes.append(byte)
          at = end
          continue
        }
      }
      bytes.append(text[at])
      at = text.index(after: at)
    }
    return bytes.isEmpty || bytes.contains(0) || bytes.count > MovieLimits.pathBytes ? nil : Asset.path(ofBytes: bytes)
  }

  private static let plain = Set("/-._~!$&'()*+,;=@".utf8).union(48...57).union(65...90).union(97...122)

  /// The URL of a file; relative for a relative path.
  static func url(_ path: String) -> String {
    var result = path.utf8.first == UInt8(ascii: "/") ? "file://" : ""
    for byte in Asset.bytes(ofPath: path) {
      if plain.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + String(byte, digits: 2, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
