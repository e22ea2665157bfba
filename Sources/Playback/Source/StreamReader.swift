import Libav

/// Reads and decodes one stream in runs: from a place on, until another place is wanted.
///
/// With a packet index it begins exactly where it is told and knows each picture's packet; without one it
/// begins where libav lands. Used by one thread at a time.
final class StreamReader {
  /// What one step gave.
  enum Step: Equatable {
    /// A picture, and the ordinal of the packet that it comes from; nil where that is not known.
    case frame(ordinal: Int?)
    /// Data was read, but no picture is complete yet.
    case progress
    case endOfStream
  }

  private enum Feeding {
    case reading
    /// The packet is to be sent once frames have been taken out.
    case holding
    case draining
    case ended
  }

  private(set) var demuxer: Demuxer
  let stream: Int
  /// Packets of the whole stream, once they are known.
  var index: PacketIndex?
  private var decoder: Decoder
  private let threads: Int
  private let keepsAlpha: Bool
  /// Opens the source once more; nil where it can be read once only.
  private let reopen: (() throws -> Demuxer)?
  private let packet: Packet
  /// By which the stream's first packet is known again; nil before it was read.
  private var firstPacket: Signature? {
    didSet { besideFirst = Packet.StandingData.allCases.compactMap { k in packet.standingData(k).map { (k, $0) } } }
  }
  private var besideFirst: [(Packet.StandingData, [UInt8])] = []
  private var feeding = Feeding.reading
  /// The ordinal of the packet that is read next (or is held); nil while not known.
  private(set) var nextOrdinal: Int? = 0
  /// A decoder that leaves all but key frames out must not be asked for others before the next key frame.
  private var waitsForKey = false
  /// The key packet that was sent while all others were left out, until its picture has come.
  ///
  /// A decoder that puts pictures in order gives it only after some packets more. Were these the next key
  /// packets, the run would be far ahead of the picture that is wanted.
  private var sentKey: (pts: Int64?, ordinal: Int?)?
  private var errorsInARow = 0
  /// Whether the decoder has seen nothing yet.
  private var isFresh = true
  private let inspector: BitstreamInspector?
  /// Whether what is sent from now on gives certain pictures, and from which stamp on they are shown.
  private var isPastTrusted = true
  private var certainSince: Int64?

  private struct Signature: Equatable {
    var pts: Int64?
    var dts: Int64?
    var position: Int64?
    var byteCount: Int
  }

  /// Packets of other streams and errors that one step passes over before it gives others a turn.
  private static let mostReadsPerStep = 64
  /// Read errors in a row after which the rest of the file counts as lost.
  private static let mostErrors = 100
  /// Packets that are read to get from where libav lands to where decoding is to begin.
  private static let mostSkipped = 20_000
  private static let unknownTag: Int64 = -1

  /// - Parameters:
  ///   - demuxer: just opened; the reader takes it over.
  ///   - threads: for `Decoder`, as is `keepsAlpha`.
  ///   - reopen: opens the same source again, for those that cannot be wound back.
  init(
    demuxer: Demuxer, stream: Int, threads: Int, keepsAlpha: Bool, reopen: (() throws -> Demuxer)? = nil
  ) throws {
    self.demuxer = demuxer
    self.stream = stream
    self.threads = threads
    self.keepsAlpha = keepsAlpha
    self.reopen = reopen
    decoder = try Decoder(demuxer: demuxer, stream: stream, threads: threads, keepsAlpha: keepsAlpha)
    packet = try Packet()
    inspector = demuxer.streams.first { $0.index == stream }.map { BitstreamInspector(demuxer, stream: $0) }
    demuxer.select(streams: [stream])
  }

  /// Whether, where pictures are left out that no other is built on, the rest stays as it is.
  var canLeaveOut: Bool { inspector?.canLeaveOut ?? false }

  /// Whether a picture of this run with that stamp is known to be what a decode from the beginning gives.
  func isCertain(pts: Int64?) -> Bool {
    guard isPastTrusted else { return false }
    guard let certainSince, let pts else { return true }
    return pts >= certainSince
  }

  // MARK: - Going somewhere

  /// Begins anew at the first packet, with a decoder that has seen nothing.
  func rewind() throws {
    var holdsFirst = false
    if let first = firstPacket {
      holdsFirst = try lands(at: first) { try demuxer.rewind() } || lands(at: first) { try demuxer.seek(toByte: 0) }
      // Some files cannot be wound back to where they began: an edit list, or a clock that overflows.
      if !holdsFirst, try openAgain() { isFresh = false }
    }
    if !isFresh { try renewDecoder() }
    restart(at: 0)
    guard holdsFirst else { return }
    feeding = .holding
    // Some demuxers tell a palette once only.
    for (kind, bytes) in besideFirst where packet.standingData(kind) == nil { try packet.attach(bytes, as: kind) }
  }

  /// Begins anew at the first packet of the source, opened once more: some demuxers do not find again after a seek
  /// what they found in reading on. Returns false where that cannot be.
  func beginAfresh() throws -> Bool {
    guard try openAgain() else { return false }
    try renewDecoder()
    restart(at: 0)
    return true
  }

  /// Stands before the first packet of the source, opened once more. Returns false where that cannot be.
  private func openAgain() throws -> Bool {
    guard let reopen else { return false }
    demuxer = try reopen()
    demuxer.select(streams: [stream])
    return true
  }

  private func renewDecoder() throws {
    decoder = try Decoder(demuxer: demuxer, stream: stream, threads: threads, keepsAlpha: keepsAlpha)
    isFresh = true
  }

  /// Whether a seek leads to the first packet, which `packet` then holds.
  private func lands(at first: Signature?, _ seek: () throws -> Void) throws -> Bool {
    do {
      try seek()
      repeat {
        guard try demuxer.read(into: packet) == .packet else { return false }
      } while packet.streamIndex != stream
    } catch let error as AVError where !error.isInterrupted {
      return false
    }
    return signature == first
  }

  /// Reads the first packet if it has not been: one that was never read could not be known again.
  private func noteFirstPacket() throws {
    guard firstPacket == nil else { return }
    _ = try lands(at: nil) {}
    firstPacket = signature
  }

  private var signature: Signature {
    Signature(pts: packet.pts, dts: packet.dts, position: packet.position, byteCount: packet.byteCount)
  }

  /// Begins anew where libav lands for a time in ticks: at a key packet, as a rule not behind it.
  func begin(near ticks: Int64) throws {
    try noteFirstPacket()
    try demuxer.seek(stream: stream, toKeyAtOrBefore: ticks)
    decoder.flush()
    restart(at: nil)
  }

  /// Begins anew at packet `ordinal` of the index.
  ///
  /// - Returns: false when the packet cannot be found again.
  func begin(at ordinal: Int) throws -> Bool {
    guard ordinal > 0, let index else {
      try rewind()
      return ordinal == 0
    }
    try noteFirstPacket()
    guard try locate(ordinal, index) else { return false }
    decoder.flush()
    restart(at: ordinal)
    try index.headers.prepare(packet, at: ordinal)
    feeding = .holding
    return true
  }

  private func restart(at ordinal: Int?) {
    feeding = .reading
    nextOrdinal = ordinal
    errorsInARow = 0
    waitsForKey = false
    sentKey = nil
    isPastTrusted = ordinal.map { $0 == 0 || index?.entries[$0].start == .trusted } ?? false
    // Pictures that are shown before the start point may lean on what came before it.
    certainSince = ordinal.flatMap { $0 == 0 ? nil : index?.entries[$0].pts }
  }

  /// Where it is not known whether the run began rightly: from a trusted point on it does not matter.
  private func lookForTrusted() {
    guard !isPastTrusted, inspector?.startPoint(packet) == .trusted else { return }
    isPastTrusted = true
    certainSince = packet.pts
  }

  /// Reads up to packet `ordinal`, which `packet` then holds.
  private func locate(_ ordinal: Int, _ index: PacketIndex) throws -> Bool {
    guard index.entries.indices.contains(ordinal) else { return false }
    let entry = index.entries[ordinal]
    if let time = entry.dts ?? entry.pts, try land(ordinal, index, { try demuxer.seek(stream: stream, toKeyAtOrBefore: time) }) {
      return true
    }
    if entry.position >= 0, try land(ordinal, index, { try demuxer.seek(toByte: entry.position) }) { return true }
    // libav came out behind it: begin at an earlier start point and read on.
    for back in [1, 8] {
      let i = index.starts.partitioningIndex { $0 >= ordinal } - back
      guard i >= 0, let time = index.entries[index.starts[i]].dts ?? index.entries[index.starts[i]].pts else {
        continue
      }
      if try land(ordinal, index, { try demuxer.seek(stream: stream, toKeyAtOrBefore: time) }) { return true }
    }
    if try land(ordinal, index, { try demuxer.rewind() }, mostSkipped: .max) { return true }
    guard try openAgain() else { return false }
    try renewDecoder()
    return try land(ordinal, index, {}, mostSkipped: .max)
  }

  private func land(
    _ ordinal: Int, _ index: PacketIndex, _ seek: () throws -> Void, mostSkipped: Int = mostSkipped
  ) throws -> Bool {
    do { try seek() } catch let error as AVError where !error.isInterrupted { return false }
    var expected: Int?
    var skipped = 0
    var errors = 0
    while skipped < mostSkipped {
      do {
        guard try demuxer.read(into: packet) == .packet else { return false }
      } catch let error as AVError where !error.isInterrupted {
        errors += 1
        guard errors < Self.mostErrors else { return false }
        continue
      }
      guard packet.streamIndex == stream else { continue }
      skipped += 1
      guard let found = index.ordinal(of: packet, expected: expected) else {
        // What a seek cuts in two is no packet of the index.
        expected = nil
        continue
      }
      if found == ordinal { return true }
      if found > ordinal { return false }
      expected = found + 1
    }
    return false
  }

  // MARK: - Decoding on

  /// Does a short piece of work; a picture that came out is in `frame`.
  ///
  /// - Throws: `AVError` when reading was interrupted; damage is passed over.
  func step(into frame: DecodedFrame, discard: Decoder.Discard = .nothing) throws -> Step {
    if decoder.discard == .nonKey && discard < .nonKey { waitsForKey = true }
    if discard == .nonKey { waitsForKey = false } else { sentKey = nil }
    if !waitsForKey { decoder.discard = sentKey == nil ? discard : .nonReference }
    for _ in 0..<Self.mostReadsPerStep {
      switch receive(into: frame) {
      case .frame:
        let ordinal = frame.tag == Self.unknownTag ? nil : Int(frame.tag)
        if let key = sentKey, isReached(key, by: frame, ordinal) { sentKey = nil }
        return .frame(ordinal: ordinal)
      case .endOfStream:
        feeding = .ended
        return .endOfStream
      case .needsPacket: try feed(discard)
      }
    }
    return .progress
  }

  /// Whether a picture is that of the key packet, or one that comes after it.
  private func isReached(_ key: (pts: Int64?, ordinal: Int?), by frame: DecodedFrame, _ ordinal: Int?) -> Bool {
    if let pts = key.pts, let stamp = frame.bestEffortTimestamp { return stamp >= pts }
    if let sent = key.ordinal, let ordinal { return ordinal >= sent }
    return true
  }

  private func receive(into frame: DecodedFrame) -> Decoder.ReceiveResult {
    if feeding == .ended { return .endOfStream }
    // A damaged picture throws; what follows may be good again.
    return (try? decoder.receive(into: frame)) ?? .needsPacket
  }

  /// Reads a packet, or hands the one that is held to the decoder.
  private func feed(_ discard: Decoder.Discard) throws {
    switch feeding {
    case .ended: return
    case .draining: _ = try? decoder.send(nil)
    case .reading: try read()
    case .holding:
      if waitsForKey {
        guard packet.isKey else { return didSend() }
        waitsForKey = false
        decoder.discard = discard
      } else if decoder.discard == .nonKey, packet.isKey {
        sentKey = (packet.pts, nextOrdinal)
        decoder.discard = .nonReference
      }
      lookForTrusted()
      // A damaged packet is left out.
      let isTaken = (try? decoder.send(packet, tag: nextOrdinal.map(Int64.init) ?? Self.unknownTag)) ?? true
      if isTaken { didSend() }
    }
  }

  private func read() throws {
    // What may still be read counts for nothing when it was not counted in.
    if let index, index.isComplete, let nextOrdinal, nextOrdinal >= index.count {
      feeding = .draining
      return
    }
    do {
      switch try demuxer.read(into: packet) {
      case .endOfFile: feeding = .draining
      case .packet where packet.streamIndex == stream:
        feeding = .holding
        if firstPacket == nil { firstPacket = signature }
      case .packet: break
      }
      errorsInARow = 0
    } catch let error as AVError where !error.isInterrupted {
      errorsInARow += 1
      // The rest cannot be read: what has been decoded is played to its end.
      if errorsInARow > Self.mostErrors { feeding = .draining }
    }
  }

  private func didSend() {
    isFresh = false
    feeding = .reading
    nextOrdinal = nextOrdinal.map { $0 + 1 }
  }
}
