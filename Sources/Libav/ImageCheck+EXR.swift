/// OpenEXR files ("OpenEXR File Layout"): attributes, a table of the places of all chunks, and the chunks.
extension ImageCheck {
  /// Lines in a chunk, by the number of the compression method.
  private static let linesOfChunks = [1, 1, 1, 16, 32, 16, 32, 32, 32, 256]
  /// The flags of files with tiles, or with several parts, whose tables are not read.
  private static let unread: UInt32 = 0x0200 | 0x1000
  private static let maxHeight = 1 << 20

  /// False if a chunk is missing: programs write the table again at the end, and zeros before.
  var hasAllChunksOfEXR: Bool {
    guard begins([0x76, 0x2F, 0x31, 0x01]) else { return false }
    guard little32(at: 4) & Self.unread == 0 else { return true }
    var place = 8, compression = 0
    var lines: ClosedRange<Int32>?
    while byte(place) != 0 {
      guard let name = text(at: place), let type = text(at: place + name.count + 1) else { return false }
      place += name.count + type.count + 2
      let size = Int(little32(at: place))
      place += 4
      guard size <= bytes.count - place else { return false }
      if name.elementsEqual("compression".utf8) { compression = Int(byte(place)) }
      if name.elementsEqual("dataWindow".utf8) {
        let (top, bottom) = (Int32(bitPattern: little32(at: place + 4)), Int32(bitPattern: little32(at: place + 12)))
        if top <= bottom { lines = top...bottom }
      }
      place += size
    }
    guard place < bytes.count, let lines, Self.linesOfChunks.indices.contains(compression) else { return false }
    let height = Int(lines.upperBound) - Int(lines.lowerBound) + 1
    guard height <= Self.maxHeight else { return false }
    let perChunk = Self.linesOfChunks[compression]
    return (0..<(height + perChunk - 1) / perChunk).allSatisfy { chunk in
      let entry = place + 1 + chunk * 8
      guard entry + 8 <= bytes.count, little32(at: entry + 4) == 0 else { return false }
      let start = Int(little32(at: entry)), size = Int(little32(at: start + 4))
      return start > entry && size > 0 && start + 8 + size <= bytes.count
    }
  }

  /// Returns the bytes up to the next zero; nil if there is none.
  private func text(at place: Int) -> Slice<UnsafeBufferPointer<UInt8>>? {
    guard bytes.indices.contains(place), let end = bytes[place...].firstIndex(of: 0) else { return nil }
    return bytes[place..<end]
  }
}
