import Glibc
import Libav

/// A pattern for the names in a folder: "shot_%04d.png", "shot_####.png" or "shot_*.png". Pure.
///
/// Only the part after the last slash is a pattern. A number's conversion is written as in C, `%d` or `%04d` with `%%` for a
/// percent sign, or as a run of `#`, one for each digit. Otherwise `*`, `?` and `[…]` match as in a shell.
package struct NamePattern: Sendable {
  package enum Form: Sendable {
    /// Names that differ in a number; with their folder.
    case numbered(NumberedName)
    /// Names that match a shell pattern; without their folder.
    case glob(String)
  }

  /// The folder with a trailing slash; empty for the current one.
  package let folder: String
  package let form: Form

  /// - Returns: nil if a path is no pattern.
  package init?(_ path: String) {
    // An address may contain the same characters.
    guard path.firstRange(of: "://") == nil else { return nil }
    folder = FileName.folder(of: path)
    let base = FileName.base(of: path)
    if let name = Self.percentName(base) ?? Self.hashName(base) {
      form = .numbered(NumberedName(prefix: folder + name.prefix, width: name.width, suffix: name.suffix))
    } else if Self.isGlob(base) {
      form = .glob(base)
    } else {
      return nil
    }
  }

  /// Returns true if a name in the folder, without the folder, matches.
  package func matches(_ name: String) -> Bool {
    switch form {
    case .numbered(let numbered): numbered.number(in: folder + name) != nil
    case .glob(let pattern):
      FileName.withBytes(pattern) { pattern in FileName.withBytes(name) { fnmatch(pattern, $0, FNM_PERIOD) == 0 } }
    }
  }

  private static func isGlob(_ base: String) -> Bool {
    if base.utf8.contains(where: { "*?".utf8.contains($0) }) { return true }
    return base.utf8.firstIndex(of: UInt8(ascii: "[")).map { base.utf8[$0...].contains(UInt8(ascii: "]")) } ?? false
  }

  /// Returns the pattern with `%0Nd` for names that differ in a number.
  package static func text(of name: NumberedName) -> String {
    let folder = FileName.folder(of: name.prefix)
    let conversion = name.width > 1 ? "%0\(name.width)d" : "%d"
    return folder + escaped(FileName.base(of: name.prefix)) + conversion + escaped(name.suffix)
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  /// The longest conversion, in digits: numbers have at most 19.
  private static let maxWidth = 19

  /// Reads a name with exactly one conversion of a number.
  private static func percentName(_ base: String) -> NumberedName? {
    var parts: [[UInt8]] = [[]]
    var width = 1
    var rest = Array(base.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        parts[parts.count - 1].append(byte)
        continue
      }
      if rest.first == UInt8(ascii: "%") {
        parts[parts.count - 1].append(byte)
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest[digits.endIndex...]
      guard parts.count == 1, rest.popFirst() == UInt8(ascii: "d") else { return nil }
      // As for libavformat, %4d is %04d: names are not padded with spaces.
      if !digits.isEmpty {
        guard let number = Int(String(decoding: digits, as: UTF8.self)), number <= maxWidth else { return nil }
        width = number
      }
      parts.append([])
    }
    guard parts.count == 2 else { return nil }
    return NumberedName(
      prefix: String(decoding: parts[0], as: UTF8.self), width: width, suffix: String(decoding: parts[1], as: UTF8.self))
  }

  /// Reads a name with exactly one run of `#`.
  private static func hashName(_ base: String) -> NumberedName? {
    let bytes = Array(base.utf8), hash = UInt8(ascii: "#")
    guard let start = bytes.firstIndex(of: hash) else { return nil }
    let run = bytes[start...].prefix { $0 == hash }
    guard run.count <= maxWidth, !bytes[run.endIndex...].contains(hash) else { return nil }
    return NumberedName(
      prefix: String(decoding: bytes[..<start], as: UTF8.self), width: run.count,
      suffix: String(decoding: bytes[run.endIndex...], as: UTF8.self))
  }
}
