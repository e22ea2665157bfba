/// The segments of a media playlist, in a compact form.
struct HLSSegmentList: Sendable {
  /// A segment in 72 bytes; its text is in `text`, its key and initialization section in tables, since most segments share them.
  struct Record: Sendable {
    /// Nanoseconds from the start of the first segment to the end of this one.
    var end: Int64
    /// Nanoseconds since 1970; nil if unknown.
    var date: Int64?
    var isGap: Bool
    /// Length of the title, which follows the address in the text.
    var titleLength: UInt32
    var byteRange: Range<Int64>?
    var uri: HLSText.Span
    /// Indices in the tables; −1 for none.
    var key: Int32
    var map: Int32
    /// Discontinuities since the start of the playlist.
    var discontinuities: UInt32
    /// In kilobits per second; 0 if unknown.
    var bitrate: UInt32
  }

  /// A key, or the name of an encryption that is not supported.
  struct Key: Hashable, Sendable {
    var isSupported: Bool
    /// The address of the key, or the name of the encryption.
    var name: HLSText.Span
    /// Sixteen bytes; none if they are the media sequence number.
    var initializationVector: HLSText.Span
  }

  struct Map: Sendable {
    var uri: HLSText.Span
    var byteRange: Range<Int64>?
    var key: Int32
    /// Index of the first segment that uses it.
    var segment: Int32
  }

  var text: HLSText
  private(set) var records: [Record] = []
  private(set) var keys: [Key] = []
  private(set) var maps: [Map] = []
  /// Media sequence number of the first segment.
  var firstSequence = 0
  /// Discontinuity sequence number at the start of the playlist.
  var firstDiscontinuity = 0

  /// - Parameter bytes: the size of the playlist.
  init(playlistBytes bytes: Int) {
    text = HLSText(capacity: bytes)
    // Two lines of this length are short for a segment; memory that is reserved too much is never touched.
    records.reserveCapacity(Swift.min(HLSLimits.segments, bytes / 16))
  }

  mutating func append(_ record: Record) { records.append(record) }

  mutating func append(_ key: Key) -> Int32 {
    keys.append(key)
    return Int32(keys.count - 1)
  }

  mutating func append(_ map: Map) -> Int32 {
    maps.append(map)
    return Int32(maps.count - 1)
  }

  /// Gives a date to each segment that has none, counting from the nearest one before it, or else after it.
  mutating func extrapolateDates() {
    guard let first = records.firstIndex(where: { $0.date != nil }), let date = records[first].date else { return }
    for index in records.indices where records[index].date == nil {
      let (known, anchor) = index < first ? (date, first) : (records[index - 1].date ?? date, index - 1)
      records[index].date = known + start(of: index) - start(of: anchor)
    }
  }
}

extension HLSSegmentList: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { records.count }

  subscript(index: Int) -> HLSSegment {
    let record = records[index]
    let title = HLSText.Span(offset: record.uri.offset + record.uri.length, length: record.titleLength)
    let map: HLSMap? = record.map < 0 ? nil : self.map(maps[Int(record.map)])
    return HLSSegment(
      sequence: firstSequence + index, uri: text.string(record.uri), title: text.string(title),
      duration: MediaTime(nanoseconds: record.end - start(of: index)), byteRange: record.byteRange, isGap: record.isGap,
      discontinuity: firstDiscontinuity + Int(record.discontinuities), encryption: encryption(record.key, ofSegment: index),
      map: map, date: record.date.map { MediaTime(nanoseconds: $0) },
      bitrate: record.bitrate == 0 ? nil : Int(record.bitrate) * 1000)
  }

  private func map(_ map: Map) -> HLSMap {
    HLSMap(uri: text.string(map.uri), byteRange: map.byteRange, encryption: encryption(map.key, ofSegment: Int(map.segment)))
  }

  private func encryption(_ key: Int32, ofSegment index: Int) -> HLSEncryption {
    guard key >= 0 else { return .none }
    let key = keys[Int(key)]
    guard key.isSupported else { return .unsupported(method: text.string(key.name)) }
    let isImplicit = key.initializationVector.length == 0
    let vector = isImplicit ? HLSNumber.block(UInt128(firstSequence + index)) : Array(text[key.initializationVector])
    return .aes128(keyURI: text.string(key.name), initializationVector: vector)
  }
}

extension HLSSegmentList {
  /// Nanoseconds from the start of the first segment to the end of the last one.
  var duration: Int64 { records.last?.end ?? 0 }

  /// Returns the nanoseconds from the start of the first segment to the start of one; for the end index, the duration.
  func start(of index: Int) -> Int64 { index == 0 ? 0 : records[index - 1].end }

  /// Returns the index of the segment at a number of nanoseconds after the start of the first one; nil outside of all.
  func index(at offset: Int64) -> Int? {
    guard offset >= 0, offset < duration else { return nil }
    return records.partitioningIndex { $0.end > offset }
  }

  /// Returns true if a segment has the same file name, byte range and availability as one of another list.
  ///
  /// The rest of the address is not compared, since some servers sign it anew in each playlist.
  func hasSameMedia(at index: Int, as otherIndex: Int, in other: HLSSegmentList) -> Bool {
    let (a, b) = (records[index], other.records[otherIndex])
    return a.byteRange == b.byteRange && a.isGap == b.isGap && fileName(a) == other.fileName(b)
  }

  private func fileName(_ record: Record) -> ArraySlice<UInt8> {
    let path = text[record.uri].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
  }
}
