import Glibc
import Libav

/// Reads the outer structure of a file, whose elements are found by their sizes. May block on disk access.
struct MatroskaFile {
  private let descriptor: Descriptor
  /// The position of the first element.
  private let start: Int

  private static let largest = 4 << 20
  /// The maximum number of elements skipped.
  private static let maxParts = 100_000
  /// The element that contains frames and sound.
  private static let cluster: UInt32 = 0x1F43_B675

  /// Nil if it is not a Matroska file.
  init?(_ path: String) {
    let number = FileName.withBytes(path) { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard number >= 0 else { return nil }
    descriptor = Descriptor(number)
    // The EBML header, then the segment with everything else.
    guard let head = Self.header(descriptor, 0), head.id == EBMLElement.head, let size = head.size,
      let segment = Self.header(descriptor, head.end + size), segment.id == EBMLElement.segment
    else { return nil }
    start = segment.end
  }

  /// Returns the content of the first element with an ID; nil if there is none.
  ///
  /// - Parameter beforeClusters: true to search only before frames and sound.
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
    return EBMLElement.header(bytes[...], 0).map { ($0.id, $0.size, place + $0.end) }
  }

  private static func read(_ descriptor: Descriptor, _ place: Int, _ count: Int) -> [UInt8] {
    guard count > 0, count <= largest, place >= 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(descriptor.number, &bytes, count, off_t(place))
    return Array(bytes.prefix(max(0, got)))
  }
}
