/// In which encoding a text file is.
enum TextEncoding {
  /// Bytes of a file that are looked at.
  static let limit = 4 << 20

  /// iconv's name of a text's encoding; nil where it is UTF-8, or says itself that it is UTF-16.
  ///
  /// - Parameters:
  ///   - bytes: of the text, at most `limit`.
  ///   - wish: iconv's name of what to take for it where it is not UTF-8.
  static func charset(of bytes: some Collection<UInt8>, wish: String?) -> String? {
    let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF]]
    if marks.contains(where: bytes.starts) || isUTF8(bytes) { return nil }
    return wish ?? "WINDOWS-1252"
  }

  /// Whether all of it is UTF-8, but for a character that the limit cuts.
  static func isUTF8(_ bytes: some Collection<UInt8>) -> Bool {
    var decoder = UTF8(), iterator = bytes.makeIterator()
    var count = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): count += UTF8.width(scalar)
      case .emptyInput: return true
      case .error: return bytes.count >= limit && count + 4 > bytes.count
      }
    }
  }
}
