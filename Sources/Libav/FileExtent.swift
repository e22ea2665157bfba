/// Compares a file's length with the length that its own structure claims.
///
/// In most containers, libav ignores that a file is truncated. This reads the outermost layer: MPEG transport packets (ISO
/// 13818-1), boxes (ISO 14496-12), EBML (RFC 8794), RIFF chunks, Ogg pages (RFC 3533).
struct FileExtent {
  let byteCount: Int64
  /// Returns at most `count` bytes at a position.
  let read: (_ offset: Int64, _ count: Int) -> [UInt8]

  /// Returns true if the file is truncated: one of its elements extends beyond its end.
  ///
  /// - Parameter format: libav's name of the container; for other containers the answer is false.
  func isCutOff(format: String) -> Bool {
    let names = format.split(separator: ",")
    if names.contains("mpegts") { return endsInsidePacket }
    if names.contains("mp4") { return endsInsideBox }
    if names.contains("matroska") { return endsInsideSegment }
    if names.contains("avi") { return endsInsideChunk }
    if names.contains("ogg") { return endsInsidePage }
    return false
  }

  private func tail(_ count: Int64) -> [UInt8] {
    let length = min(count, byteCount)
    return read(byteCount - length, Int(length))
  }

  private static func bigEndian(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: - MPEG transport stream

  private static let sync: UInt8 = 0x47
  /// Packet sizes, and the bytes before the sync byte: bare, with arrival times (Blu-ray), and with parity bytes.
  private static let packets = [(size: 188, before: 0), (size: 192, before: 4), (size: 204, before: 0)]

  private var endsInsidePacket: Bool {
    let bytes = tail(6 * 204)
    for kind in Self.packets {
      let rests = (0..<kind.size).filter { rest in
        (1...4).allSatisfy { n in
          let place = bytes.count - rest - n * kind.size + kind.before
          return place >= 0 && bytes[place] == Self.sync
        }
      }
      // Sync bytes may also occur in other positions by chance.
      if !rests.isEmpty { return !rests.contains(0) }
    }
    return false
  }

  // MARK: - Boxes

  /// The boxes that contain or describe frames; anything may follow the last of them.
  private static let boxes = Set(["moov", "mdat", "moof", "mfra"].map { bigEndian($0.utf8) })
  private static let maxBoxes = 100_000

  private var endsInsideBox: Bool {
    var place: Int64 = 0
    for _ in 0..<Self.maxBoxes {
      let head = read(place, 16)
      guard head.count >= 8 else { return false }
      var size = Self.bigEndian(head[0..<4])
      // A size of 1 means that a 64-bit size follows the name; 0 means the rest of the file.
      if size == 1, head.count == 16 { size = Self.bigEndian(head[8..<16]) }
      guard size >= 8, size < UInt64(Int64.max / 2) else { return false }
      place += Int64(size)
      if place > byteCount { return Self.boxes.contains(Self.bigEndian(head[4..<8])) }
    }
    return false
  }

  // MARK: - EBML

  private var endsInsideSegment: Bool {
    guard let head = element(at: 0), head.id == EBMLElement.head, let size = head.size,
      let segment = element(at: head.end + size), segment.id == EBMLElement.segment, let length = segment.size
    else { return false }
    return length > byteCount - segment.end
  }

  /// Returns an element's name, and the length and start of its content; the length is nil if unspecified.
  private func element(at place: Int64) -> (id: UInt32, size: Int64?, end: Int64)? {
    EBMLElement.header(read(place, 12)[...], 0).map { ($0.id, $0.size.map(Int64.init), place + Int64($0.end)) }
  }

  // MARK: - RIFF

  private var endsInsideChunk: Bool {
    let head = read(0, 8)
    guard head.count == 8, head[..<4].elementsEqual("RIFF".utf8) else { return false }
    let size = Self.bigEndian(head[4..<8].reversed())
    // Programs that could not seek back to write the size leave 0 or the maximum.
    return size > 0 && size < 0xFFFF_FFFF && Int64(size) + 8 > byteCount
  }

  // MARK: - Ogg

  private static let maxPageSize: Int64 = 65307

  private var endsInsidePage: Bool {
    let bytes = tail(Self.maxPageSize)
    let begin = bytes.indices.last { bytes[$0...].starts(with: "OggS".utf8) }
    guard let begin else { return false }
    let page = bytes[begin...]
    guard page.count > 26 else { return true }
    let segments = Int(page[begin + 26])
    let sizes = page.dropFirst(27).prefix(segments)
    return sizes.count < segments || page.count < 27 + segments + sizes.reduce(0) { $0 + Int($1) }
  }
}
