/// The messages of an SEI unit (supplemental enhancement information of H.264 and H.265), one after another.
struct SEIMessages: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  /// - Parameter unit: without its header.
  init(_ unit: some Sequence<UInt8>) { rest = NALFraming.unescaped(unit)[...] }

  /// The next message; nil behind the last, and where what follows is damaged.
  mutating func next() -> (type: Int, payload: ArraySlice<UInt8>)? {
    guard rest.count > 2, let type = number(), let size = number(), size <= rest.count else { return nil }
    defer { rest = rest.dropFirst(size) }
    return (type, rest.prefix(size))
  }

  /// A number written as bytes of 255 and a rest.
  private mutating func number() -> Int? {
    var value = 0
    while let byte = rest.popFirst() {
      value += Int(byte)
      if byte != 255 { return value }
    }
    return nil
  }
}
