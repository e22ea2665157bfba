/// The boxes of a movie file that tell of its tracks (ISO 14496-12, 4.2), in their order.
struct MovieBoxes {
  let byteCount: Int64
  /// Bytes at a place of the file, at the most so many.
  let read: (_ offset: Int64, _ count: Int) -> [UInt8]

  struct Box {
    let name: String
    /// Where in the file its content is; cut where the file ends.
    let content: Range<Int64>
    /// The content's first bytes, 24 at the most.
    let head: ArraySlice<UInt8>

    /// A number of 32 bits at a place of the head; nil where there is none.
    func number(at place: Int) -> UInt32? { head.number(at: place) }
  }

  private static let maxBoxes = 10_000
  /// Boxes that are inside of one another; sample tables are the fifth.
  private static let maxDepth = 8
  /// The ones that hold others.
  private static let containers: Set<String> = ["moov", "trak", "edts", "mdia", "minf", "stbl"]

  /// Calls `body` with each box, before those that are inside of it.
  func forEach(_ body: (Box) -> Void) {
    var left = Self.maxBoxes
    walk(0..<byteCount, depth: 1, &left, body)
  }

  private func walk(_ range: Range<Int64>, depth: Int, _ left: inout Int, _ body: (Box) -> Void) {
    var place = range.lowerBound
    while place + 8 <= range.upperBound, left > 0 {
      left -= 1
      let head = read(place, 40)
      guard let short = head[...].number(at: 0), head.count >= 8 else { return }
      var size = Int64(short)
      let name = String(decoding: head[4..<8], as: UTF8.self)
      var header = 8
      if size == 1, let high = head[...].number(at: 8), let low = head[...].number(at: 12) {
        guard let long = Int64(exactly: UInt64(high) << 32 | UInt64(low)) else { return }
        (size, header) = (long, 16)
      } else if size == 0 {
        size = range.upperBound - place
      }
      guard size >= header, size <= Int64.max - place else { return }
      let content = place + Int64(header), end = min(place + size, range.upperBound)
      let box = Box(
        name: name, content: content..<max(content, end), head: head.dropFirst(header).prefix(Int(min(24, size - Int64(header)))))
      body(box)
      if depth < Self.maxDepth, Self.containers.contains(name) { walk(box.content, depth: depth + 1, &left, body) }
      place = end
    }
  }
}

extension ArraySlice<UInt8> {
  /// A number of 32 bits, the highest byte first; nil where there is none.
  func number(at place: Int) -> UInt32? {
    let bytes = dropFirst(place).prefix(4)
    return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil
  }
}
