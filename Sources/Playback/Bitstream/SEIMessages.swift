/// The messages of an SEI unit (supplemental enhancement information of H.264 and H.265), in order.
struct SEIMessages: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  /// - Parameter unit: without its header.
  init(_ unit: some Sequence<UInt8>) { rest = NALFraming.unescaped(unit)[...] }

  /// Returns the next message; nil after the last, and if the rest is damaged.
  mutating func next() -> (type: Int, payload: ArraySlice<UInt8>)? {
    guard rest.count > 2, let type = number(), let size = number(), size <= rest.count else { return nil }
    defer { rest = rest.dropFirst(size) }
    return (type, rest.prefix(size))
  }

  /// Reads a number coded as bytes of 255 and a remainder.
  private mutating func number() -> Int? {
    var value = 0
    while let byte = rest.popFirst() {
      value += Int(byte)
      if byte != 255 { return value }
    }
    return nil
  }
}
