extension String {
  /// Creates a string of a number, padded with leading zeros to a minimum number of digits.
  ///
  /// - Parameter number: zero or more.
  package init(_ number: some BinaryInteger, digits: Int, radix: Int = 10, uppercase: Bool = false) {
    let text = String(number, radix: radix, uppercase: uppercase)
    self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }

  /// Creates a string of hexadecimal digits, two per byte.
  package init(hexadecimal bytes: some Sequence<UInt8>) {
    self = bytes.map { String($0, digits: 2, radix: 16) }.joined()
  }
}
