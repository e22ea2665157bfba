/// The fields of a message between a `TypesettingProcess` and its child.
struct MessageWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ value: Int) { withUnsafeBytes(of: Int64(value).littleEndian) { bytes += $0 } }

  mutating func put(_ value: Double) { put(Int(truncatingIfNeeded: value.bitPattern)) }

  mutating func put(_ data: some Collection<UInt8>) {
    put(data.count)
    bytes += data
  }

  mutating func put(_ text: String) { put(text.utf8) }
}

/// Takes the fields of a message in order; nil where they are not what is expected.
struct MessageReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func int() -> Int? {
    guard bytes.count - place >= 8 else { return nil }
    defer { place += 8 }
    return Int(bytes[place..<place + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }.asSigned)
  }

  mutating func double() -> Double? { int().map { Double(bitPattern: UInt64(bitPattern: Int64($0))) } }

  /// A part of the message, which shares its memory.
  mutating func data() -> ArraySlice<UInt8>? {
    guard let count = int(), count >= 0, count <= bytes.count - place else { return nil }
    defer { place += count }
    return bytes[place..<place + count]
  }

  mutating func text() -> String? { data().map { String(decoding: $0, as: UTF8.self) } }
}

extension UInt64 {
  fileprivate var asSigned: Int64 { Int64(bitPattern: self) }
}
