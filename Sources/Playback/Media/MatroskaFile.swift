import Glibc
import Libav

/// An element of EBML, by RFC 8794: an id, a size and as many bytes.
struct MatroskaElement {
  var id: UInt32
  /// Where its bytes are.
  var body: Range<Int>

  /// The elements in some bytes, as far as they are whole.
  static func elements(in bytes: ArraySlice<UInt8>) -> [MatroskaElement] {
    var elements: [MatroskaElement] = []
    var at = bytes.startIndex
    while let header = header(bytes, at), let size = header.size, size <= bytes.endIndex - header.end {
      elements.append(MatroskaElement(id: header.id, body: header.end..<header.end + size))
      at = header.end + size
    }
    return elements
  }

  /// The id and the size at a place, and where both end; the size is nil where it is not told.
  static func header(_ bytes: ArraySlice<UInt8>, _ start: Int) -> (id: UInt32, size: Int?, end: Int)? {
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

/// A file that is looked at from the outside: its parts are found by their sizes. Reads block for as long as a disk does.
struct MatroskaFile {
  private let descriptor: Descriptor
  /// Where the first part is.
  private let start: Int

  private static let largest = 4 << 20
  /// Parts of the file that are passed at the most.
  private static let maxParts = 100_000
  /// What frames and sounds are in.
  private static let cluster: UInt32 = 0x1F43_B675

  /// Nil where it is no Matroska file.
  init?(_ path: String) {
    let number = FileName.withBytes(path) { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard number >= 0 else { return nil }
    descriptor = Descriptor(number)
    // EBML's head, then the segment with all that is in the file.
    guard let head = Self.header(descriptor, 0), head.id == 0x1A45_DFA3, let size = head.size,
      let segment = Self.header(descriptor, head.end + size), segment.id == 0x1853_8067
    else { return nil }
    start = segment.end
  }

  /// What the first part with an id has; nil where there is none.
  ///
  /// - Parameter beforeClusters: whether it is looked for only in what comes before frames and sounds.
  func part(_ id: UInt32, beforeClusters: Bool = false) -> ArraySlice<UInt8>? {
    var at = start
    for _ in 0..<Self.maxParts {
      guard let part = Self.header(descriptor, at), let size = part.size else { return nil }
      if part.id == id {
        let bytes = Self.read(descriptor, part.end, size)
        return bytes.count == size ? bytes[...] : nil
      }
      if beforeClusters, part.id == Self.cluster { return nil }
      at = part.end + size
    }
    return nil
  }

  private static func header(_ descriptor: Descriptor, _ place: Int) -> (id: UInt32, size: Int?, end: Int)? {
    let bytes = read(descriptor, place, 12)
    return MatroskaElement.header(bytes[...], 0).map { ($0.id, $0.size, place + $0.end) }
  }

  private static func read(_ descriptor: Descriptor, _ place: Int, _ count: Int) -> [UInt8] {
    guard count > 0, count <= largest, place >= 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(descriptor.number, &bytes, count, off_t(place))
    return Array(bytes.prefix(max(0, got)))
  }
}
