import PlainText

/// The key of a file in a cache: numbers that tell of what it was made, such as the states of other files.
package struct CacheKey: Hashable, Sendable {
  package let numbers: [Int64]

  package init(_ numbers: [Int64]) { self.numbers = numbers }

  /// The numbers as bytes, lowest first.
  package var bytes: [UInt8] {
    numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  }

  /// The name of the file without its suffix: a hash, so that the numbers have to be in the file, too.
  package var name: String {
    var hash = FNV1a()
    for byte in bytes { hash.combine(byte) }
    return hash.hexadecimal
  }
}

extension CacheFolder {
  /// Returns what was saved under a key, and marks it as used; nil if there is nothing.
  package func contents(of key: CacheKey) -> ArraySlice<UInt8>? {
    let head = key.bytes
    guard let bytes = contents(of: key.name), bytes.starts(with: head) else { return nil }
    didUse(key.name)
    return bytes.dropFirst(head.count)
  }

  /// Saves bytes under a key; failures are harmless.
  package func save(_ bytes: [UInt8], under key: CacheKey) { save(key.bytes + bytes, as: key.name) }
}
