/// An EBML element (RFC 8794): an ID, a size and the content.
package struct EBMLElement {
  package var id: UInt32
  /// The range of its content.
  package var body: Range<Int>

  /// The ID of a file's header.
  package static let head: UInt32 = 0x1A45_DFA3
  /// The ID of the element that contains everything in a Matroska file except the header.
  package static let segment: UInt32 = 0x1853_8067

  /// Returns the elements in a sequence of bytes, as far as they are complete.
  package static func elements(in bytes: ArraySlice<UInt8>) -> [EBMLElement] {
    var elements: [EBMLElement] = []
    var at = bytes.startIndex
    while let header = header(bytes, at), let size = header.size, size <= bytes.endIndex - header.end {
      elements.append(EBMLElement(id: header.id, body: header.end..<header.end + size))
      at = header.end + size
    }
    return elements
  }

  /// Returns the ID and the size at a position, and where both end; the size is nil if unspecified.
  package static func header(_ bytes: ArraySlice<UInt8>, _ start: Int) -> (id: UInt32, size: Int?, end: Int)? {
    guard let id = number(bytes, start, longest: 4, keepsMarker: true),
      let size = number(bytes, id.end, longest: 8, keepsMarker: false)
    else { return nil }
    return (UInt32(id.value), size.isUnknown ? nil : Int(exactly: size.value), size.end)
  }

  /// Reads a number whose first set bit gives its length in bytes.
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
