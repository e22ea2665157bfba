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

  private(set) var demuxer: Demuxer
  let stream: Int
  /// Packets of the whole stream, once they are known.
  var index: PacketIndex? {
    didSet {
      waiting = []
      run.isOfIndex = false
    }
  }
  private var run: DecodingRun
  /// Runs that stand where seeks to elsewhere have left them, the one left last at the end.
  private var waiting: [DecodingRun] = []
  /// Bytes that the waiting ones may take.
  private var waitingLimit = 0
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
  private var errorsInARow = 0
  /// Since the last picture: damage can ask for absurd amounts of memory, too, and is passed over.
  private var memoryFailures: [AVError] = []
  private let inspector: BitstreamInspector?

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
  /// Failures for want of memory in a row after which there is no hope for the next picture.
  private static let mostMemoryFailures = 16
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
    run = DecodingRun(
      decoder: try Decoder(demuxer: demuxer, stream: stream, threads: threads, keepsAlpha: keepsAlpha), start: 0)
    packet = try Packet()
    inspector = demuxer.streams.first { $0.index == stream }.map { BitstreamInspector(demuxer, stream: $0) }
    demuxer.select(streams: [stream])
  }

  /// Whether, where pictures are left out that no other is built on, the rest stays as it is.
  var canLeaveOut: Bool { inspector?.canLeaveOut ?? false }

  /// The ordinal of the packet that the run began with; nil while not known.
  var start: Int? { run.start }

  /// The ordinal of the packet that is read next (or is held); nil while not known.
  var nextOrdinal: Int? { run.nextOrdinal }

  /// Whether pictures are missing among those that come next, because they were left out before.
  var lacksPictures: Bool { run.lacksPictures }

  /// Whether the file's end has been found to be in the middle of something.
  var isCutOff: Bool { demuxer.isCutOff }

  /// Whether a picture of this run with that stamp is known to be what a decode from the beginning gives.
  func isCertain(pts: Int64?) -> Bool { run.isCertain(pts: pts) }

  // MARK: - Going somewhere

  /// Begins anew at the first packet, with a decoder that has seen nothing.
  func rewind() throws {
    var holdsFirst = false
    var isOpenedAgain = false
    // What such a demuxer tells of later packets depends on what it has read before.
    let keepsState = !besideFirst.isEmpty && index.map(\.headers.isIncomplete) ?? true
    if let first = firstPacket, !keepsState || reopen == nil {
      holdsFirst = try lands(at: first) { try demuxer.rewind() } || lands(at: first) { try demuxer.seek(toByte: 0) }
      // Some files cannot be wound back to where they began: an edit list, or a clock that overflows.
      isOpenedAgain = try !holdsFirst && openAgain()
    } else if firstPacket != nil {
      isOpenedAgain = try openAgain()
    }
    restart(at: 0, with: run.decoder.isFresh && !isOpenedAgain ? run.decoder : try freshDecoder())
    guard holdsFirst else { return }
    run.feeding = .holding
    // Some demuxers tell a palette once only.
    for (kind, bytes) in besideFirst where packet.standingData(kind) != bytes { try packet.attach(bytes, as: kind) }
  }

  /// Begins anew at the first packet of the source, opened once more: some demuxers do not find again after a seek
  /// what they found in reading on. Returns false where that cannot be.
  func beginAfresh() throws -> Bool {
    guard try openAgain() else { return false }
    restart(at: 0, with: try freshDecoder())
    return true
  }

  /// Stands before the first packet of the source, opened once more. Returns false where that cannot be.
  private func openAgain() throws -> Bool {
    guard let reopen else { return false }
    demuxer = try reopen()
    demuxer.select(streams: [stream])
    return true
  }

  /// A decoder that has seen nothing; the run is left.
  private func freshDecoder() throws -> Decoder {
    let decoder = try newDecoder()
    leave()
    return decoder
  }

  private func newDecoder() throws -> Decoder {
    try Decoder(demuxer: demuxer, stream: stream, threads: threads, keepsAlpha: keepsAlpha)
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
    run.decoder.flush()
    restart(at: nil, with: run.decoder)
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
    let free = leave()
    free?.flush()
    restart(at: ordinal, with: try free ?? newDecoder())
    try index.headers.prepare(packet, at: ordinal)
    run.feeding = .holding
    return true
  }

  private func restart(at ordinal: Int?, with decoder: Decoder) {
    run = DecodingRun(decoder: decoder, start: ordinal)
    memoryFailures = []
    errorsInARow = 0
    run.isPastTrusted = ordinal.map { $0 == 0 || index?.entries[$0].start == .trusted } ?? false
    // Pictures that are shown before the start point may lean on what came before it.
    run.certainSince = ordinal.flatMap { $0 == 0 ? nil : index?.entries[$0].pts }
  }

  /// Where it is not known whether the run began rightly: from a trusted point on it does not matter.
  private func lookForTrusted() {
    // Nor is it known what came beside the packets before.
    guard !run.isPastTrusted, besideFirst.isEmpty || run.start != nil, inspector?.startPoint(packet) == .trusted else { return }
    run.isPastTrusted = true
    run.certainSince = packet.pts
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

  // MARK: - Runs that wait

  /// Bytes that the decoders of runs take which stand where seeks to elsewhere have left them.
  var waitingBytes: Int { waiting.reduce(0) { $0 + $1.byteCount } }

  /// Lets runs wait within so many bytes; those left first go first.
  ///
  /// Decoders with threads of their own do not wait: theirs would come on top of those that work.
  /// Nor do those of a stream of whose headers too little is known to go on in it elsewhere.
  func keepWaiting(within bytes: Int) {
    waitingLimit = threads == 1 && index?.headers.isIncomplete != true ? bytes : 0
    trim()
  }

  /// Lets go of the runs for which there is no room; returns a decoder of theirs.
  @discardableResult private func trim() -> Decoder? {
    var free: Decoder?
    while let oldest = waiting.first, waitingBytes > waitingLimit {
      free = oldest.decoder
      waiting.removeFirst()
    }
    return free
  }

  /// Leaves the run where it stands, if there is room for it.
  ///
  /// - Returns: a decoder that is free now; nil where there is none.
  @discardableResult private func leave() -> Decoder? {
    guard run.canWait, run.byteCount <= waitingLimit else { return run.decoder }
    // Of those from the same place one is enough.
    if let other = waiting.firstIndex(where: { $0.start == run.start }) {
      if waiting[other].isAhead(of: run) { return run.decoder }
      waiting.remove(at: other)
    }
    waiting.append(run)
    return trim()
  }

  /// Goes on where a run stands, the present one or one that waits, that comes by the picture of packet `wanted` sooner
  /// than one from `start`.
  ///
  /// - Returns: false when there is none.
  func goOn(to wanted: Int, ratherThanFrom start: Int, mustBeCertain: Bool) throws -> Bool {
    let runs = ([run] + waiting).filter { $0.leads(to: wanted, ratherThanFrom: start, mustBeCertain: mustBeCertain) }
    guard let best = runs.max(by: { $1.isAhead(of: $0) }) else { return false }
    waiting.removeAll { $0.decoder === best.decoder }
    guard best.decoder !== run.decoder else { return true }
    guard let index, let ordinal = best.nextOrdinal, try locate(ordinal, index) else { return false }
    try index.headers.correct(packet, at: ordinal)
    leave()
    run = best
    run.feeding = .holding
    errorsInARow = 0
    return true
  }

  // MARK: - Decoding on

  /// Does a short piece of work; a picture that came out is in `frame`.
  ///
  /// - Throws: `AVError` when reading was interrupted, or memory is short; damage is passed over.
  func step(into frame: DecodedFrame, discard: Decoder.Discard = .nothing) throws -> Step {
    if run.decoder.discard == .nonKey && discard < .nonKey { run.waitsForKey = true }
    if discard == .nonKey { run.waitsForKey = false } else { run.sentKey = nil }
    if !run.waitsForKey { run.decoder.discard = run.sentKey == nil ? discard : .nonReference }
    for _ in 0..<Self.mostReadsPerStep {
      switch receive(into: frame) {
      case .frame:
        memoryFailures = []
        run.didReceive()
        let ordinal = frame.tag == Self.unknownTag ? nil : Int(frame.tag)
        if let key = run.sentKey, isReached(key, by: frame, ordinal) { run.sentKey = nil }
        return .frame(ordinal: ordinal)
      case .endOfStream:
        run.feeding = .ended
        if let failure = memoryFailures.first { throw failure }
        return .endOfStream
      case .needsPacket: try feed(discard)
      }
      if memoryFailures.count >= Self.mostMemoryFailures { throw memoryFailures[0] }
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
    if run.feeding == .ended { return .endOfStream }
    // A damaged picture throws; what follows may be good again.
    return passingDamage { try run.decoder.receive(into: frame) } ?? .needsPacket
  }

  /// What `body` gives; nil where the data is damaged, or memory was short, which is remembered.
  private func passingDamage<R>(_ body: () throws -> R) -> R? {
    defer { if run.decoder.takeMemoryShortage() { memoryFailures.append(.outOfMemory("decoding")) } }
    do {
      return try body()
    } catch {
      if let error = error as? AVError, error.isOutOfMemory { memoryFailures.append(error) }
      return nil
    }
  }

  /// Reads a packet, or hands the one that is held to the decoder.
  private func feed(_ discard: Decoder.Discard) throws {
    switch run.feeding {
    case .ended: return
    case .draining: _ = try? run.decoder.send(nil)
    case .reading: try read()
    case .holding:
      if run.waitsForKey {
        guard packet.isKey else { return didSend() }
        run.waitsForKey = false
        run.decoder.discard = discard
      } else if run.decoder.discard == .nonKey, packet.isKey {
        run.sentKey = (packet.pts, run.nextOrdinal)
        run.decoder.discard = .nonReference
      }
      lookForTrusted()
      run.willSend(run.decoder.discard)
      // A damaged packet is left out.
      let tag = run.nextOrdinal.map(Int64.init) ?? Self.unknownTag
      let isTaken = passingDamage { try run.decoder.send(packet, tag: tag) } ?? true
      if isTaken { didSend() }
    }
  }

  private func read() throws {
    // What may still be read counts for nothing when it was not counted in, but that the file is cut off may show only then.
    if let index, index.isComplete, let next = run.nextOrdinal, next >= index.count {
      _ = try? demuxer.read(into: packet)
      run.feeding = .draining
      return
    }
    do {
      switch try demuxer.read(into: packet) {
      case .endOfFile: run.feeding = .draining
      case .packet where packet.streamIndex == stream:
        run.feeding = .holding
        if firstPacket == nil { firstPacket = signature }
        checkPlace()
        if let index, let ordinal = run.nextOrdinal { try index.headers.correct(packet, at: ordinal) }
      case .packet: break
      }
      errorsInARow = 0
    } catch let error as AVError where !error.isInterrupted {
      errorsInARow += 1
      if error.isOutOfMemory { memoryFailures.append(error) }
      // The rest cannot be read: what has been decoded is played to its end.
      if errorsInARow > Self.mostErrors { run.feeding = .draining }
    }
  }

  /// After a seek some demuxers leave out packets, or give others, than when everything is read from the beginning.
  private func checkPlace() {
    guard let index, let next = run.nextOrdinal, index.entries.indices.contains(next),
      index.entries[next].byteCount != Int32(clamping: packet.byteCount)
    else { return }
    run.nextOrdinal = index.ordinal(of: packet, expected: nil)
  }

  private func didSend() {
    run.feeding = .reading
    run.nextOrdinal = run.nextOrdinal.map { $0 + 1 }
  }
}
