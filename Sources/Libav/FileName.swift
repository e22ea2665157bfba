import Glibc

/// Converts between file names, which are bytes, and strings.
///
/// A name may contain any bytes except 0, but a string is Unicode. Bytes that are not UTF-8 are mapped to characters of a
/// private use area (U+10FE80…U+10FEFF), as are real characters of that area, so that every name can be restored exactly.
public enum FileName {
  private static let carriers: ClosedRange<UInt32> = 0x10_FE80...0x10_FEFF

  /// Returns the name that consists of `bytes`, as `Demuxer` expects it.
  public static func text(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    var result = String.UnicodeScalarView()
    var at = 0
    while at < bytes.count {
      let scalar = (1...4).lazy.compactMap { count -> Unicode.Scalar? in
        guard at + count <= bytes.count else { return nil }
        let text = String(validating: bytes[at..<at + count], as: UTF8.self)
        return text?.unicodeScalars.count == 1 ? text?.unicodeScalars.first : nil
      }.first
      if let scalar, !carriers.contains(scalar.value) {
        result.append(scalar)
        at += UTF8.width(scalar)
      } else {
        if let carrier = Unicode.Scalar(carriers.lowerBound + UInt32(bytes[at] & 0x7F)) { result.append(carrier) }
        at += 1
      }
    }
    return String(result)
  }

  /// Calls `body` with the bytes of a name, followed by 0.
  public static func withBytes<R>(_ name: String, _ body: (UnsafePointer<CChar>) throws -> R) rethrows -> R {
    guard name.unicodeScalars.contains(where: { carriers.contains($0.value) }) else {
      return try name.withCString(body)
    }
    var bytes: [CChar] = []
    for scalar in name.unicodeScalars {
      if carriers.contains(scalar.value) {
        bytes.append(CChar(bitPattern: UInt8(truncatingIfNeeded: scalar.value) | 0x80))
      } else {
        bytes += Array(UTF8.encode(scalar) ?? .init()).map(CChar.init(bitPattern:))
      }
    }
    return try (bytes + [0]).withUnsafeBufferPointer { buffer in
      // A nonempty array has an address.
      try body(buffer.baseAddress!)
    }
  }

  /// Returns the target of a symbolic link; nil if it is not one.
  public static func linkTarget(of name: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = withBytes(name) { name in
      bytes.withUnsafeMutableBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { readlink(name, $0, Int(PATH_MAX)) } ?? 0 }
      }
    }
    return count > 0 ? text(bytes[..<count]) : nil
  }

  /// Returns the name up to and including its last slash; empty if it has none.
  public static func folder(of name: String) -> String {
    // A slash may form one character with what follows it.
    guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(decoding: name.utf8[...slash], as: UTF8.self)
  }

  /// Returns the part of the name after its last slash; the whole name if it has none.
  public static func base(of name: String) -> String {
    // A slash may form one character with what follows it.
    String(decoding: name.utf8.dropFirst(folder(of: name).utf8.count), as: UTF8.self)
  }

  /// Returns the file extension in lower case, without the dot; empty if there is none.
  public static func ending(of name: String) -> String {
    let base = base(of: name).utf8
    guard let dot = base.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(decoding: base[base.index(after: dot)...], as: UTF8.self).lowercased()
  }

  /// Returns the name of the images of a VobSub index, derived as libav does.
  public static func images(ofIndex name: String) -> String {
    (name.utf8.count > 4 ? String(name.dropLast(3)) : name) + (name.hasSuffix("IDX") ? "SUB" : "sub")
  }

  /// Returns the result of stat(2) for a file; nil if it fails.
  public static func status(of name: String) -> stat? {
    var status = stat()
    return withBytes(name) { stat($0, &status) } == 0 ? status : nil
  }
}
