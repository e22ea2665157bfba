import PlainText

/// The names of files that differ only in a number, such as those of an image sequence.
///
/// Numbers are written as `printf` does with `%0Nd`: padded with zeros to a minimum width, in which a minus sign counts.
public struct NumberedName: Hashable, Sendable {
  /// The part before the number, including the folder.
  public var prefix: String
  /// The minimum number of characters of the number, at least 1.
  public var width: Int
  /// The part after the number.
  public var suffix: String

  public init(prefix: String, width: Int, suffix: String) {
    (self.prefix, self.width, self.suffix) = (prefix, max(1, width), suffix)
  }

  /// Returns the name of the file with a number.
  public func name(_ number: Int) -> String { prefix + text(of: number) + suffix }

  private func text(of number: Int) -> String {
    number < 0 ? "-" + String(number.magnitude, digits: width - 1) : String(number, digits: width)
  }

  /// Returns the number in a name; nil if the name is not of this form, or its number is written in another way.
  public func number(in name: String) -> Int? {
    // By bytes, as file names are compared.
    let bytes = name.utf8, count = bytes.count - prefix.utf8.count - suffix.utf8.count
    guard count >= width, count <= max(width, Self.maxDigits), bytes.starts(with: prefix.utf8),
      bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    else { return nil }
    let digits = String(decoding: bytes.dropFirst(prefix.utf8.count).prefix(count), as: UTF8.self)
    guard let number = Int(digits), text(of: number).utf8.elementsEqual(digits.utf8) else { return nil }
    return number
  }

  /// The characters of the longest number.
  private static let maxDigits = 20

  /// Compares by bytes, since names that are equal as text may be different files.
  public static func == (a: NumberedName, b: NumberedName) -> Bool {
    a.width == b.width && a.prefix.utf8.elementsEqual(b.prefix.utf8) && a.suffix.utf8.elementsEqual(b.suffix.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    for byte in prefix.utf8 { hasher.combine(byte) }
    for byte in suffix.utf8 { hasher.combine(byte) }
  }
}
