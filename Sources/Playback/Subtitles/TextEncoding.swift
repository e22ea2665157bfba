import Glibc
import Libav

/// Detects the encoding of text, and converts it to UTF-8.
enum TextEncoding {
  /// The number of bytes of a file examined, and the maximum size of a file to convert.
  private static let lookedAt = 4 << 20
  private static let maxConverted = 64 << 20

  /// Returns a readable version of a file's text: in UTF-8, and in a form that libavformat reads. Nil if the file is not
  /// text, or is readable as it is.
  ///
  /// - Parameter charset: iconv's name of the encoding to assume if the text is not UTF-8, nor UTF-16 or UTF-32 with a byte
  ///   order mark; nil to detect it.
  /// - Throws: `PlaybackError` if it cannot be read or is too large.
  static func converted(_ path: String, charset: String?) throws -> MemoryFile? {
    // An image index must stay next to its images.
    guard !path.lowercased().hasSuffix(".idx"), let beginning = try? InputText.beginning(of: path, limit: lookedAt) else { return nil }
    let isCut = beginning.count == lookedAt
    let encoding = encoding(of: beginning, isCut: isCut, wish: charset)
    let isText = encoding != nil || isUTF8(beginning, isCut: isCut)
    // libavformat ends text at a zero. What has been read of a pipe is gone.
    let needsCopy = encoding != nil || beginning.contains(0) || SubtitleForm(beginning) != nil || !InputText.isRegularFile(path)
    guard isText, needsCopy, let bytes = isCut ? try InputText.bytes(of: path, limit: maxConverted) : beginning else { return nil }
    let text = (encoding.map { utf8(bytes, from: $0) } ?? bytes).map { $0 == 0 ? UInt8(ascii: " ") : $0 }
    return try MemoryFile(SubtitleForm(text)?.readable(text) ?? text)
  }

  /// Returns iconv's name of a text's encoding; nil if it is valid UTF-8, or the bytes are not text.
  ///
  /// - Parameter isCut: true if the text continues.
  static func encoding(of bytes: [UInt8], isCut: Bool, wish: String?) -> String? {
    if let marked = marked(bytes) { return marked }
    // Without a byte order mark, only the caller can know.
    if let wish, unitByteCount(wish) > 1, bytes.contains(0) { return wish }
    if isUTF8(bytes, isCut: isCut) { return nil }
    // No 8-bit text has zeros; a container with subtitles has.
    if bytes.contains(0) { return nil }
    return isDamagedUTF8(bytes) ? "UTF-8" : wish ?? detected(bytes) ?? "WINDOWS-1252"
  }

  /// Returns iconv's name of the encoding that a byte order mark gives; nil without one, and for UTF-8.
  static func marked(_ bytes: [UInt8]) -> String? {
    // The longer marks first, since one of them starts with that of UTF-16.
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
    return bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) ? "UTF-16" : nil
  }

  /// Returns iconv's name of UTF-16 without a byte order mark, if the text starts with two ASCII characters in it.
  static func wide(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 4, bytes[..<4].allSatisfy({ $0 < 0x80 }) else { return nil }
    let zeros = bytes[..<4].map { $0 == 0 }
    return zeros == [false, true, false, true] ? "UTF-16LE" : zeros == [true, false, true, false] ? "UTF-16BE" : nil
  }

  /// Returns true if all of it is UTF-8, except for a character cut off at the end.
  static func isUTF8(_ bytes: [UInt8], isCut: Bool) -> Bool {
    if bytes.allSatisfy({ $0 < 0x80 }) { return true }
    var decoder = UTF8(), iterator = bytes.makeIterator()
    var count = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): count += UTF8.width(scalar)
      case .emptyInput: return true
      case .error: return isCut && count + 4 > bytes.count
      }
    }
  }

  /// The minimum number of multi-byte characters per bad byte in damaged UTF-8; text in another encoding has more bad ones.
  private static let goodForBad = 4

  /// Returns true if the text is UTF-8 except for a few bytes.
  private static func isDamagedUTF8(_ bytes: [UInt8]) -> Bool {
    var decoder = UTF8(), iterator = bytes.makeIterator()
    var good = 0, bad = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): if !scalar.isASCII { good += 1 }
      case .emptyInput: return good >= goodForBad * bad
      case .error: bad += 1
      }
    }
  }

  /// Returns the size of an encoding's units in bytes, after which decoding can resume.
  private static func unitByteCount(_ encoding: String) -> Int {
    let name = encoding.uppercased()
    if name.hasPrefix("UTF-32") || name.hasPrefix("UCS-4") { return 4 }
    return name.hasPrefix("UTF-16") || name.hasPrefix("UCS-2") ? 2 : 1
  }

  /// Returns text in UTF-8; invalid input becomes U+FFFD.
  static func utf8(_ bytes: [UInt8], from encoding: String) -> [UInt8] {
    guard let converter = iconv_open("UTF-8", encoding), converter != UnsafeMutableRawPointer(bitPattern: -1) else {
      return Array(String(decoding: bytes, as: UTF8.self).utf8)
    }
    defer { iconv_close(converter) }
    var result: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    let unit = unitByteCount(encoding)
    var source = bytes
    source.withUnsafeMutableBytes { source in
      var from = source.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = source.count
      while left > 0 {
        let code = part.withUnsafeMutableBytes { target in
          var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
          var room = target.count
          errno = 0
          let converted = iconv(converter, &from, &left, &to, &room)
          let code = converted == -1 ? errno : 0
          result += target.prefix(target.count - room)
          return code
        }
        guard code == EILSEQ || code == EINVAL else { continue }
        result += "\u{FFFD}".utf8
        let skipped = min(left, unit)
        from = from.map { $0 + skipped }
        left -= skipped
      }
    }
    return result
  }
}
