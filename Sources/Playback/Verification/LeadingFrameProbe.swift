import Libav

/// Asks a decoder about the beginning of a stream, when the packets suggest that it matters.
struct LeadingFrameProbe {
  /// Packets without a frame, because the frames that they depend on are missing: clips that were cut before a keyframe, or
  /// that start with one that earlier frames depend on.
  private(set) var hidden: [Int] = []
  /// True if frames come in the order of their timestamps.
  private(set) var ptsOrderIsReliable = true

  /// The number of packets after the first random access point among which leading frames can be.
  private static let maxLeading = 32
  /// The maximum number of packets examined at the beginning.
  private static let maxPackets = 600

  /// - Parameters:
  ///   - index: at least of the stream's beginning.
  ///   - stream: the stream's properties.
  ///   - makeReader: creates a reader of the same stream, at its beginning.
  /// - Throws: errors of `makeReader`, and `AVError` if reading was interrupted.
  init(_ index: PacketIndex, of stream: StreamInfo, _ makeReader: () throws -> StreamReader) throws {
    var leadingEnd = Self.suspiciousEnd(of: index)
    // MPEG-4 extracted from AVI keeps the packets, but not the order, that was made for AVI.
    let mayLoseOrder = stream.reorderDelay > 0 && (stream.codecName == "mpeg4" || Self.isInOrder(index))
    let end = max(leadingEnd ?? 0, mayLoseOrder ? min(index.count, Self.maxLeading) : 0)
    guard end > 0 else { return }
    let came = try Self.decode(upTo: end, try makeReader())
    guard let first = came.first else { return }
    // As long as nothing comes, packets may give no frame.
    if let end = leadingEnd { leadingEnd = max(end, min(index.count, first + Self.maxLeading)) }
    let stamps = came.compactMap { index.entries.indices.contains($0) ? index.entries[$0].pts : nil }
    if mayLoseOrder { ptsOrderIsReliable = zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 } }
    if let leadingEnd {
      let shown = Set(came)
      hidden = (0..<leadingEnd).filter { !shown.contains($0) }
    }
  }

  /// Returns the ordinals of the frames that come, in order: those of the packets up to `end`, or if none comes that soon,
  /// of those that follow the first.
  /// soon, of those that follow the first.
  private static func decode(upTo end: Int, _ reader: StreamReader) throws -> [Int] {
    let frame = try DecodedFrame()
    var came: [Int] = []
    func last() -> Int { came.first.map { max(end, $0 + maxLeading) + DecodingRun.maxDelayed } ?? max(end, maxPackets) }
    while reader.nextOrdinal ?? 0 < last() {
      switch try reader.step(into: frame) {
      case .progress: continue
      case .endOfStream: return came
      case .frame(let ordinal): if let ordinal { came.append(ordinal) }
      }
    }
    return came
  }

  /// Returns true if the timestamps of the first packets increase, as they cannot if frames are reordered.
  private static func isInOrder(_ index: PacketIndex) -> Bool {
    let stamps = index.entries.prefix(maxLeading).filter { !$0.isDiscarded }.map(\.pts)
    return stamps.count > 2
      && zip(stamps, stamps.dropFirst()).allSatisfy { if let a = $0, let b = $1 { a < b } else { false } }
  }

  /// Returns the packet up to which some may have no frame; nil if all have.
  private static func suspiciousEnd(of index: PacketIndex) -> Int? {
    let entries = index.entries
    let start = index.randomAccessPoints.first { entries[$0].randomAccess == .verified } ?? 0
    let end = min(entries.count, start + maxLeading, maxPackets)
    guard end > 0 else { return nil }
    guard start == 0, entries[0].randomAccess == .verified, let first = entries[0].pts else { return end }
    let isLeading = entries[..<end].contains { !$0.isDiscarded && $0.pts.map { $0 < first } ?? false }
    return isLeading ? end : nil
  }
}
