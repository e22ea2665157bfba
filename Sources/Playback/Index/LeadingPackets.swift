import Libav

/// Finds packets at the beginning of a stream that give no picture, because what they build on is not there: clips
/// that were cut before a key picture, or begin with one that earlier ones lean over.
///
/// Only a decoder can tell; it is asked where the packets look as if.
enum LeadingPackets {
  /// Packets after the first start point among which such as lean over it can be.
  private static let mostLeading = 32
  /// Packets at the beginning that are looked at, at the most.
  private static let mostPackets = 600
  /// Packets by which pictures can come later than their own.
  private static let mostDelay = 64

  /// The ordinals of packets that give no picture.
  ///
  /// - Parameters:
  ///   - index: at least of the stream's beginning.
  ///   - makeReader: for the same stream, at its beginning.
  /// - Throws: what `makeReader` throws, and `AVError` when reading was interrupted.
  static func hidden(in index: PacketIndex, _ makeReader: () throws -> StreamReader) throws -> [Int] {
    guard let end = suspiciousEnd(of: index) else { return [] }
    let reader = try makeReader()
    let frame = try DecodedFrame()
    var came: Set<Int> = []
    reading: while reader.nextOrdinal ?? 0 < end + mostDelay {
      switch try reader.step(into: frame) {
      case .progress: continue
      case .endOfStream: break reading
      case .frame(let ordinal): if let ordinal { came.insert(ordinal) }
      }
    }
    return came.isEmpty ? [] : (0..<end).filter { !came.contains($0) }
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
