/// The boxes of a movie file that describe its tracks (ISO 14496-12, 4.2), in order.
struct MovieBoxes {
  /// The size of the file; the maximum if it is unknown.
  let byteCount: Int64
  /// True to end before the first samples, since what follows them has yet to arrive.
  var endsAtSamples = false
  /// Returns at most `count` bytes at a position of the file.
  let read: (_ offset: Int64, _ count: Int) -> [UInt8]

  struct Box {
    let name: String
    /// The range of its content in the file, cut off at the file's end.
    let content: Range<Int64>
    /// The first bytes of the content, at most 24.
    let head: ArraySlice<UInt8>

    /// Returns a 32-bit number at a position of the head; nil if it is too short.
    func number(at place: Int) -> UInt32? { head.number(at: place) }
  }

  private static let maxBoxes = 10_000
  /// The maximum nesting depth; sample tables are at the fifth level.
  private static let maxDepth = 8
  /// The boxes that contain others.
  private static let containers: Set<String> = ["moov", "trak", "edts", "mdia", "minf", "stbl"]

  /// Calls `body` with each box, before the boxes in it.
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
      if endsAtSamples, name == "mdat" || name == "moof" { return left = 0 }
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
  /// Returns a big-endian 32-bit number; nil if there are too few bytes.
  func number(at place: Int) -> UInt32? {
    let bytes = dropFirst(place).prefix(4)
    return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil
  }
}
