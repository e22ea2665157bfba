/// An element of EBML, by RFC 8794: an id, a size and as many bytes.
package struct EBMLElement {
  package var id: UInt32
  /// Where its bytes are.
  package var body: Range<Int>

  /// What a file begins with.
  package static let head: UInt32 = 0x1A45_DFA3
  /// What has all of a Matroska file but the head.
  package static let segment: UInt32 = 0x1853_8067

  /// The elements in some bytes, as far as they are whole.
  package static func elements(in bytes: ArraySlice<UInt8>) -> [EBMLElement] {
    var elements: [EBMLElement] = []
    var at = bytes.startIndex
    while let header = header(bytes, at), let size = header.size, size <= bytes.endIndex - header.end {
      elements.append(EBMLElement(id: header.id, body: header.end..<header.end + size))
      at = header.end + size
    }
    return elements
  }

  /// The id and the size at a place, and where both end; the size is nil where it is not told.
  package static func header(_ bytes: ArraySlice<UInt8>, _ start: Int) -> (id: UInt32, size: Int?, end: Int)? {
    guard let id = number(bytes, start, longest: 4, keepsMarker: true),
      let size = number(bytes, id.end, longest: 8, keepsMarker: false)
    else { return nil }
    return (UInt32(id.value), size.isUnknown ? nil : Int(exactly: size.value), size.end)
  }

  /// A number whose first set bit tells how many bytes it has.
  private static func number(
    _ bytes: ArraySlice<UInt8>, _ start: Int, longest: Int, keepsMarker: Bool
  ) -> (value: UInt64, isUnknown: Bool, end: Int)? {
    guard start < bytes.endIndex else { return nil }
    let length = bytes[start].leadingZeroBitCount + 1
    guard length <= longest, start + length <= bytes.endIndex else { return nil }
    let marker = UInt64(1) << (7 * length)
    let value = bytes[start..<start + length].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return (keepsMarker ? value : value & (marker - 1), value & (marker - 1) == marker - 1, start + length)
  }
}
