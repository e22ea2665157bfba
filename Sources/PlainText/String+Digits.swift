extension String {
  /// A number with zeros before it, so that it has so many digits at least.
  ///
  /// - Parameter number: zero or more.
  package init(_ number: some BinaryInteger, digits: Int, radix: Int = 10, uppercase: Bool = false) {
    let text = String(number, radix: radix, uppercase: uppercase)
    self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }

  /// Bytes as hexadecimal digits, two for each.
  package init(hexadecimal bytes: some Sequence<UInt8>) {
    self = bytes.map { String($0, digits: 2, radix: 16) }.joined()
  }
}
