import Glibc
import Libav

/// One of several ways in which a Matroska file lists its chapters.
///
/// libavformat gives the chapters of all editions as one list; which edition plays what is not followed.
public struct Edition: Hashable, Sendable {
  /// Whether the file marks it as the one to use.
  public var isDefault = false
  /// Whether it says in which order the parts are played, which may be another than the file's.
  public var isOrdered = false
  /// Chapters of its own, without those inside others.
  public var chapterCount = 0

  /// The editions of a file; none where it is no Matroska file, or has no chapters. Reads only what leads to them, and may
  /// block for as long as a disk does.
  public static func editions(ofFile path: String) -> [Edition] {
    guard let file = MatroskaFile(path), let chapters = file.chapters else { return [] }
    return MatroskaElement.elements(in: chapters).filter { $0.id == 0x45B9 }.map { entry in
      var edition = Edition()
      for element in MatroskaElement.elements(in: chapters[entry.body]) {
        switch element.id {
        case 0x45DB: edition.isDefault = chapters[element.body].last == 1
        case 0x45DD: edition.isOrdered = chapters[element.body].last == 1
        case 0xB6: edition.chapterCount += 1
        default: break
        }
      }
      return edition
    }
  }
}

/// An element of EBML, by RFC 8794: an id, a size and as many bytes.
private struct MatroskaElement {
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

/// A file that is looked at from the outside: its parts are found by their sizes.
private struct MatroskaFile {
  private let descriptor: Descriptor
  /// What the chapters' element has; nil where there is none.
  private(set) var chapters: ArraySlice<UInt8>?

  private static let largest = 4 << 20
  /// Parts of the file that are passed at the most.
  private static let maxParts = 100_000

  init?(_ path: String) {
    let number = FileName.withBytes(path) { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard number >= 0 else { return nil }
    descriptor = Descriptor(number)
    // EBML's head, then the segment with all that is in the file.
    guard let head = header(0), head.id == 0x1A45_DFA3, let size = head.size,
      let segment = header(head.end + size), segment.id == 0x1853_8067
    else { return nil }
    var at = segment.end
    for _ in 0..<Self.maxParts {
      guard let part = header(at), let size = part.size else { return }
      if part.id == 0x1043_A770 {
        let bytes = read(part.end, size)
        chapters = bytes.count == size ? bytes[...] : nil
        return
      }
      at = part.end + size
    }
  }

  private func header(_ place: Int) -> (id: UInt32, size: Int?, end: Int)? {
    let bytes = read(place, 12)
    return MatroskaElement.header(bytes[...], 0).map { ($0.id, $0.size, place + $0.end) }
  }

  private func read(_ place: Int, _ count: Int) -> [UInt8] {
    guard count > 0, count <= Self.largest, place >= 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(descriptor.number, &bytes, count, off_t(place))
    return Array(bytes.prefix(max(0, got)))
  }
}
