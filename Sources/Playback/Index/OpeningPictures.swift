import Libav

/// What only a decoder can tell of the beginning of a stream; it is asked where the packets look as if.
struct OpeningPictures {
  /// Packets that give no picture, because what they build on is not there: clips that were cut before a key
  /// picture, or begin with one that earlier ones lean over.
  private(set) var hidden: [Int] = []
  /// Whether pictures come in the order of their time stamps.
  private(set) var keepsOrder = true

  /// Packets after the first start point among which such as lean over it can be.
  private static let mostLeading = 32
  /// Packets at the beginning that are looked at, at the most.
  private static let mostPackets = 600
  /// Packets by which pictures can come later than their own.
  private static let mostDelay = 64

  /// - Parameters:
  ///   - index: at least of the stream's beginning.
  ///   - stream: what is known of the stream.
  ///   - makeReader: for the same stream, at its beginning.
  /// - Throws: what `makeReader` throws, and `AVError` when reading was interrupted.
  init(_ index: PacketIndex, of stream: StreamInfo, _ makeReader: () throws -> StreamReader) throws {
    var leadingEnd = Self.suspiciousEnd(of: index)
    // MPEG-4 that was taken out of AVI keeps the packets, but not the order, that was made for AVI.
    let mayLoseOrder = stream.pictureDelay > 0 && (stream.codecName == "mpeg4" || Self.isInOrder(index))
    let end = max(leadingEnd ?? 0, mayLoseOrder ? min(index.count, Self.mostLeading) : 0)
    guard end > 0 else { return }
    let came = try Self.decode(upTo: end, try makeReader())
    guard let first = came.first else { return }
    // As long as nothing comes, packets may give no picture.
    if let end = leadingEnd { leadingEnd = max(end, min(index.count, first + Self.mostLeading)) }
    let stamps = came.compactMap { index.entries.indices.contains($0) ? index.entries[$0].pts : nil }
    if mayLoseOrder { keepsOrder = zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 } }
    if let leadingEnd {
      let shown = Set(came)
      hidden = (0..<leadingEnd).filter { !shown.contains($0) }
    }
  }

  /// The ordinals of the pictures that come, in their order: those of the packets up to `end`, or if none comes so
  /// soon, of those that follow the first.
  private static func decode(upTo end: Int, _ reader: StreamReader) throws -> [Int] {
    let frame = try DecodedFrame()
    var came: [Int] = []
    func last() -> Int { came.first.map { max(end, $0 + mostLeading) + mostDelay } ?? max(end, mostPackets) }
    while reader.nextOrdinal ?? 0 < last() {
      switch try reader.step(into: frame) {
      case .progress: continue
      case .endOfStream: return came
      case .frame(let ordinal): if let ordinal { came.append(ordinal) }
      }
    }
    return came
  }

  /// Whether the stamps of the first packets grow, as they cannot where pictures are put into another order.
  private static func isInOrder(_ index: PacketIndex) -> Bool {
    let stamps = index.entries.prefix(mostLeading).filter { !$0.isDiscarded }.map(\.pts)
    return stamps.count > 2
      && zip(stamps, stamps.dropFirst()).allSatisfy { if let a = $0, let b = $1 { a < b } else { false } }
  }

  /// Up to which packet there may be some without pictures; nil when there can be none.
  private static func suspiciousEnd(of index: PacketIndex) -> Int? {
    let entries = index.entries
    let start = index.starts.first { entries[$0].start == .trusted } ?? 0
    let end = min(entries.count, start + mostLeading, mostPackets)
    guard end > 0 else { return nil }
    guard start == 0, entries[0].start == .trusted, let first = entries[0].pts else { return end }
    let isLeading = entries[..<end].contains { !$0.isDiscarded && $0.pts.map { $0 < first } ?? false }
    return isLeading ? end : nil
  }
}
