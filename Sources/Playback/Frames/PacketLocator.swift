import Libav

/// Finds packets of one stream again: the first one, and those of an index.
///
/// Use from one thread at a time.
final class PacketLocator {
  /// The outcome of returning to the first packet.
  enum Return {
    /// `packet` holds the first packet.
    case holdsFirst
    /// The input was reopened; the first packet is read next.
    case reopened
    /// Nothing has been read yet, or nothing else is possible: the next packet read counts as the first.
    case unread
  }

  let router: PacketRouter
  let stream: Int
  /// The packet read last.
  let packet: Packet
  /// Identifies the stream's first packet; nil before it was read.
  private var firstPacket: Signature? {
    didSet { besideFirst = Packet.SideData.allCases.compactMap { k in packet.sideData(k).map { (k, $0) } } }
  }
  private var besideFirst: [(Packet.SideData, [UInt8])] = []

  private struct Signature: Equatable {
    var pts: Int64?
    var dts: Int64?
    var position: Int64?
    var byteCount: Int
  }

  /// The maximum number of packets read from libav's landing point to the target.
  private static let maxPassed = 20_000
  /// The number of read errors after which a packet counts as not found.
  private static let maxErrors = 100

  init(_ router: PacketRouter, stream: Int) throws {
    self.router = router
    self.stream = stream
    packet = try Packet()
    router.add(stream: stream)
  }

  /// True if the first packet had no side data that applies to later packets.
  var nothingIsBesideFirst: Bool { besideFirst.isEmpty }

  // MARK: - The first packet

  private var signature: Signature {
    Signature(pts: packet.pts, dts: packet.dts, position: packet.position, byteCount: packet.byteCount)
  }

  /// Notes that `packet` was just read; the first packet is remembered.
  func didRead() {
    if firstPacket == nil { firstPacket = signature }
  }

  /// Reads the first packet if it has not been read, so that it can be recognised later.
  func noteFirst() throws {
    guard firstPacket == nil else { return }
    _ = try lands(at: nil) {}
    firstPacket = signature
  }

  /// Returns to the first packet.
  func returnToFirst(_ index: PacketIndex?) throws -> Return {
    guard let first = firstPacket else { return .unread }
    // Such a demuxer's output for later packets depends on what it has read before.
    let keepsState = !besideFirst.isEmpty && index.map(\.parameterSets.isIncomplete) ?? true
    if !keepsState || !router.canReopen,
      try lands(at: first, { try router.rewind() }) || lands(at: first, { try router.seek(toByte: 0) }) {
      // Some demuxers output a palette only once.
      for (kind, bytes) in besideFirst where packet.sideData(kind) != bytes { try packet.attach(bytes, as: kind) }
      return .holdsFirst
    }
    // Some files cannot be rewound to their start, because of an edit list or a clock that overflows.
    return try router.reopen() ? .reopened : .unread
  }

  /// Returns true if a seek leads to the first packet, which `packet` then holds.
  private func lands(at first: Signature?, _ seek: () throws -> Void) throws -> Bool {
    do {
      try seek()
      var result = PacketRouter.ReadResult.other
      while result == .other { result = try router.read(stream, into: packet) }
      return result == .packet && signature == first
    } catch let error as AVError where !error.isInterrupted {
      return false
    }
  }

  // MARK: - Packets of an index

  /// Reads up to packet `ordinal`, which is then in `packet`. Returns false if it cannot be found.
  func locate(_ ordinal: Int, in index: PacketIndex) throws -> Bool {
    guard index.entries.indices.contains(ordinal) else { return false }
    let entry = index.entries[ordinal]
    if let time = entry.dts ?? entry.pts, try land(ordinal, index, { try router.seek(stream, toKeyAtOrBefore: time) }) {
      return true
    }
    if entry.position >= 0, try land(ordinal, index, { try router.seek(toByte: entry.position) }) { return true }
    // libav landed after it: start at an earlier random access point and read on.
    for back in [1, 8] {
      let i = index.randomAccessPoints.partitioningIndex { $0 >= ordinal } - back
      guard i >= 0, case let point = index.entries[index.randomAccessPoints[i]], let time = point.dts ?? point.pts
      else { continue }
      if try land(ordinal, index, { try router.seek(stream, toKeyAtOrBefore: time) }) { return true }
    }
    if try land(ordinal, index, { try router.rewind() }, maxPassed: .max) { return true }
    guard try router.reopen() else { return false }
    return try land(ordinal, index, {}, maxPassed: .max)
  }

  private func land(
    _ ordinal: Int, _ index: PacketIndex, _ seek: () throws -> Void, maxPassed: Int = maxPassed
  ) throws -> Bool {
    do { try seek() } catch let error as AVError where !error.isInterrupted { return false }
    var expected: Int?
    var passed = 0
    var errors = 0
    while passed < maxPassed {
      do {
        switch try router.read(stream, into: packet) {
        case .endOfFile: return false
        case .other: continue
        case .packet: passed += 1
        }
      } catch let error as AVError where !error.isInterrupted {
        errors += 1
        guard errors < Self.maxErrors else { return false }
        continue
      }
      guard let found = index.ordinal(of: packet, expected: expected) else {
        // A fragment cut by a seek is not a packet of the index.
        expected = nil
        continue
      }
      if found == ordinal { return true }
      if found > ordinal { return false }
      expected = found + 1
    }
    return false
  }
}
