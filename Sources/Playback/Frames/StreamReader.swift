import Libav

/// Reads and decodes one stream in runs, each from one place on.
///
/// With a packet index, a run starts exactly where requested, and each frame's packet is known; without one, it starts
/// where libav lands. Use from one thread at a time.
final class StreamReader {
  /// The result of one step.
  enum Step: Equatable {
    /// A frame, with the ordinal of the packet that it came from; nil if unknown.
    case frame(ordinal: Int?)
    /// Data was read, but no frame is complete yet.
    case progress
    case endOfStream
  }

  let stream: Int
  /// The packets of the whole stream, once known.
  var index: PacketIndex? {
    didSet {
      retained.removeAll()
      run.isOfIndex = false
    }
  }
  private var run: DecodingRun
  private var retained = RetainedRuns()
  private let threads: Int
  private let keepsAlpha: Bool
  private let features: Decoder.Features
  private let router: PacketRouter
  /// The router's ticket after the reader's own last move; another one means that the input was moved for another reader.
  private var ticket: Int
  private let locator: PacketLocator
  private var packet: Packet { locator.packet }
  private var errorsInARow = 0
  /// Memory failures since the last frame; damaged data can also request absurd amounts of memory, and is skipped.
  private var memoryFailures: [AVError] = []
  private var inspector: BitstreamInspector?
  private let isEncrypted: Bool
  /// True once a frame has been decoded.
  private var hasFrames = false

  /// The number of packets of other streams, and errors, that one step skips before it yields.
  private static let maxReadsPerStep = 64
  /// The number of consecutive read errors after which the rest of the file counts as lost.
  static let maxErrors = 100
  /// The number of consecutive memory failures after which the next frame is hopeless.
  private static let maxMemoryFailures = 16

  /// - Parameters:
  ///   - router: at the input's beginning.
  ///   - threads: as for `Decoder`, like `keepsAlpha` and `features`.
  init(_ router: PacketRouter, stream: Int, threads: Int, keepsAlpha: Bool, features: Decoder.Features = []) throws {
    self.router = router
    ticket = router.ticket
    self.stream = stream
    self.threads = threads
    self.keepsAlpha = keepsAlpha
    self.features = features
    let demuxer = router.demuxer
    run = DecodingRun(
      decoder: try Decoder(
        demuxer: demuxer, stream: stream, threads: threads, keepsAlpha: keepsAlpha, features: features),
      start: 0)
    locator = try PacketLocator(router, stream: stream)
    let info = demuxer.streams.first { $0.index == stream }
    inspector = info.map { BitstreamInspector(demuxer, stream: $0) }
    isEncrypted = info?.isEncrypted ?? false
  }

  /// Creates a reader of an input that has no other readers.
  convenience init(
    _ opened: OpenedInput, session: InputSession?, stream: Int, threads: Int, keepsAlpha: Bool,
    features: Decoder.Features = []
  ) throws {
    try self.init(
      PacketRouter(opened, session: session), stream: stream, threads: threads, keepsAlpha: keepsAlpha,
      features: features)
  }

  /// True if skipping non-reference frames leaves the others unchanged.
  var canSkipNonReference: Bool { inspector?.canSkipNonReference ?? false }

  /// The ordinal of the run's first packet; nil while unknown.
  var start: Int? { run.start }

  /// The ordinal of the next packet to read, or the one held; nil while unknown.
  var nextOrdinal: Int? { run.nextOrdinal }

  /// True if some of the next frames are missing, because they were skipped before.
  var lacksFrames: Bool { run.lacksFrames }

  /// True if the file was found to be truncated.
  var isCutOff: Bool { router.isCutOff }

  /// Returns true if a frame of this run with that timestamp is known to be the same as in a decode from the beginning.
  func isCertain(pts: Int64?) -> Bool { run.isCertain(pts: pts) }

  // MARK: - Going somewhere

  /// Restarts at the first packet, with a fresh decoder.
  func rewind() throws {
    let place = try locator.returnToFirst(index)
    restart(at: 0, with: run.decoder.isFresh && place != .reopened ? run.decoder : try freshDecoder())
    if place == .holdsFirst { run.feeding = .holding }
  }

  /// Restarts at the first packet of the reopened input, since some demuxers do not find everything again after a seek.
  /// Returns false if that is impossible.
  func beginReopened() throws -> Bool {
    guard try router.reopen() else { return false }
    restart(at: 0, with: try freshDecoder())
    return true
  }

  /// Returns a fresh decoder, leaving the run.
  private func freshDecoder() throws -> Decoder {
    let decoder = try newDecoder()
    _ = retained.retain(run)
    return decoder
  }

  private func newDecoder() throws -> Decoder {
    try Decoder(
      demuxer: router.demuxer, stream: stream, threads: threads, keepsAlpha: keepsAlpha, features: features)
  }

  /// Restarts where libav lands for a time in ticks: at a key packet, usually at or before it.
  func begin(near ticks: Int64) throws {
    try locator.noteFirst()
    try router.seek(stream, toKeyAtOrBefore: ticks)
    run.decoder.flush()
    restart(at: nil, with: run.decoder)
  }

  /// Restarts at packet `ordinal` of the index.
  ///
  /// - Returns: false if the packet cannot be found again.
  func begin(at ordinal: Int) throws -> Bool {
    guard ordinal > 0, let index else {
      try rewind()
      return ordinal == 0
    }
    try locator.noteFirst()
    guard try locator.locate(ordinal, in: index) else { return false }
    let free = retained.retain(run)
    free?.flush()
    restart(at: ordinal, with: try free ?? newDecoder())
    try index.parameterSets.prepare(packet, at: ordinal)
    run.feeding = .holding
    return true
  }

  /// Restarts where the input was moved for another stream; packets read before belong to the old position.
  private func beginWhereMoved() {
    run.decoder.flush()
    restart(at: nil, with: run.decoder)
  }

  private func restart(at ordinal: Int?, with decoder: Decoder) {
    run = DecodingRun(decoder: decoder, start: ordinal)
    ticket = router.ticket
    memoryFailures = []
    errorsInARow = 0
    run.isVerified = ordinal.map { $0 == 0 || index?.entries[$0].randomAccess == .verified } ?? false
    // Frames displayed before the random access point may depend on earlier ones.
    run.certainSince = ordinal.flatMap { $0 == 0 ? nil : index?.entries[$0].pts }
  }

  /// If it is unknown whether the run started correctly, it stops mattering from a verified point on.
  private func lookForRandomAccess() {
    // Nor is the side data of earlier packets known.
    guard !run.isVerified, locator.nothingIsBesideFirst || run.start != nil,
      inspector?.randomAccess(of: packet) == .verified
    else { return }
    run.isVerified = true
    run.certainSince = packet.pts
  }

  // MARK: - Retained runs

  /// Estimated memory of the decoders of retained runs, in bytes.
  var retainedBytes: Int { retained.byteCount }

  /// Sets the memory limit for runs retained after a seek; the oldest go first.
  ///
  /// Decoders with their own threads are not retained, since those would be added to the working ones. Nor are those of a
  /// stream whose parameter sets are not known well enough to continue elsewhere.
  func retainDecoders(within bytes: Int) {
    retained.maxBytes = threads == 1 && index?.parameterSets.isIncomplete != true ? bytes : 0
    retained.trim()
  }

  /// Continues the current or a retained run that reaches the frame of packet `target` sooner than a run from `start`.
  ///
  /// - Returns: false if there is none.
  func resume(to target: Int, ratherThanFrom start: Int, mustBeCertain: Bool) throws -> Bool {
    let best = retained.take(orKeep: run, to: target, ratherThanFrom: start, mustBeCertain: mustBeCertain)
    guard let best else { return false }
    guard best.decoder !== run.decoder else { return true }
    guard let index, let ordinal = best.nextOrdinal, try locator.locate(ordinal, in: index) else { return false }
    try index.parameterSets.correct(packet, at: ordinal)
    _ = retained.retain(run)
    run = best
    ticket = router.ticket
    run.feeding = .holding
    errorsInARow = 0
    return true
  }

  // MARK: - Decoding on

  /// Does a short piece of work; a decoded frame is then in `frame`.
  ///
  /// - Throws: `AVError` if reading was interrupted or memory runs out, `PlaybackError` if no more data come although more were
  ///   announced, `DecoderError` if the stream is encrypted from the
  ///   first packet on; damage is skipped.
  func step(into frame: DecodedFrame, discard: Decoder.Discard = .nothing) throws -> Step {
    if ticket != router.ticket { beginWhereMoved() }
    if run.decoder.discard == .nonKey && discard < .nonKey { run.waitsForKey = true }
    if discard == .nonKey { run.waitsForKey = false } else { run.sentKey = nil }
    if !run.waitsForKey { run.decoder.discard = run.sentKey == nil ? discard : .nonReference }
    for _ in 0..<Self.maxReadsPerStep {
      switch receive(into: frame) {
      case .frame:
        memoryFailures = []
        hasFrames = true
        run.didReceive()
        let ordinal = PacketTag(frame.tag).ordinal
        if let key = run.sentKey, isReached(key, by: frame, ordinal) { run.sentKey = nil }
        return .frame(ordinal: ordinal)
      case .endOfStream where run.feeding == .changing: try changeDecoder()
      case .endOfStream:
        run.feeding = .ended
        if let failure = memoryFailures.first { throw failure }
        return .endOfStream
      case .needsPacket: try feed(discard)
      }
      if memoryFailures.count >= Self.maxMemoryFailures { throw memoryFailures[0] }
    }
    return .progress
  }

  /// Continues with a decoder for the coding of the packet that is held.
  private func changeDecoder() throws {
    guard let format = packet.format else { return run.feeding = .holding }
    run.change(
      to: try Decoder(
        demuxer: router.demuxer, stream: stream, threads: threads, keepsAlpha: keepsAlpha, features: features, format: format))
    inspector = BitstreamInspector(format)
  }

  /// Returns true if a frame belongs to the key packet, or to a later one.
  private func isReached(_ key: (pts: Int64?, ordinal: Int?), by frame: DecodedFrame, _ ordinal: Int?) -> Bool {
    if let pts = key.pts, let stamp = frame.bestEffortTimestamp { return stamp >= pts }
    if let sent = key.ordinal, let ordinal { return ordinal >= sent }
    return true
  }

  private func receive(into frame: DecodedFrame) -> Decoder.ReceiveResult {
    if run.feeding == .ended { return .endOfStream }
    // A damaged frame throws; later ones may be good.
    return passingDamage { try run.decoder.receive(into: frame) } ?? .needsPacket
  }

  /// Returns the result of `body`; nil if the data is damaged or memory runs out, which is recorded.
  private func passingDamage<R>(_ body: () throws -> R) -> R? {
    defer { if run.decoder.takeMemoryShortage() { memoryFailures.append(.outOfMemory("decoding")) } }
    do {
      return try body()
    } catch {
      if let error = error as? AVError, error.isOutOfMemory { memoryFailures.append(error) }
      return nil
    }
  }

  /// Reads a packet, or sends the one that is held to the decoder.
  private func feed(_ discard: Decoder.Discard) throws {
    switch run.feeding {
    case .ended: return
    case .draining, .changing: _ = try? run.decoder.send(nil)
    case .reading: try read()
    case .holding:
      if let format = packet.format, format !== run.decoder.format { return run.feeding = .changing }
      if run.waitsForKey {
        guard packet.isKey else { return didSend() }
        run.waitsForKey = false
        run.decoder.discard = discard
      } else if run.decoder.discard == .nonKey, packet.isKey {
        run.sentKey = (packet.pts, run.nextOrdinal)
        run.decoder.discard = .nonReference
      }
      if isEncrypted || packet.isEncrypted {
        // What follows a part in the clear is skipped like damage; decoded, it would be noise.
        guard hasFrames else { throw DecoderError.isEncrypted }
        return didSend()
      }
      lookForRandomAccess()
      run.willSend(run.decoder.discard)
      // A damaged packet is skipped.
      let tag = PacketTag(ordinal: run.nextOrdinal, byteCount: packet.byteCount)
      let isTaken = passingDamage { try run.decoder.send(packet, tag: tag.number) } ?? true
      if isTaken { didSend() }
    }
  }

  private func read() throws {
    // Packets that were not indexed are ignored, but only reading them may show that the file is truncated.
    if let index, index.isComplete, let next = run.nextOrdinal, next >= index.count {
      _ = try? router.read(stream, into: packet)
      run.feeding = .draining
      return
    }
    do {
      switch try router.read(stream, into: packet) {
      case .endOfFile: run.feeding = .draining
      case .packet:
        run.feeding = .holding
        locator.didRead()
        checkPlace()
        if let index, let ordinal = run.nextOrdinal { try index.parameterSets.correct(packet, at: ordinal) }
      case .other: break
      }
      errorsInARow = 0
    } catch let error as AVError where !error.isInterrupted {
      if let failure = router.sourceFailure { throw failure }
      errorsInARow += 1
      if error.isOutOfMemory { memoryFailures.append(error) }
      // The rest cannot be read: what has been decoded is played to its end.
      if errorsInARow >= Self.maxErrors { run.feeding = .draining }
    }
  }

  /// After a seek, some demuxers omit packets, or output others than when reading from the beginning.
  private func checkPlace() {
    guard let index, !index.positionsAreOrdinals, let next = run.nextOrdinal, index.entries.indices.contains(next),
      index.entries[next].byteCount != Int32(clamping: packet.byteCount)
    else { return }
    run.nextOrdinal = index.ordinal(of: packet, expected: nil)
  }

  private func didSend() {
    run.feeding = .reading
    run.nextOrdinal = run.nextOrdinal.map { $0 + 1 }
  }
}
