import Libav

/// Decodes the frame of any packet of a stream exactly as a decode of the whole stream from its beginning would.
///
/// Used by one thread at a time.
final class PacketFrameReader {
  /// A frame's identity: the packet it comes from, and which of that packet's frames it is.
  struct Identity: Hashable {
    var ordinal: Int
    var occurrence: Int
  }

  private let reader: StreamReader
  private var index: PacketIndex
  private var verifier = RunVerifier()
  /// The frame that came out last.
  let frame: DecodedFrame
  /// The next one comes out beside it, as in ffmpeg: where a frame is damaged, old memory may be seen in it.
  private let incoming: DecodedFrame
  /// The start of the current decoding run; nil if there is none.
  private var runStart: Int?
  private var occurrences: [Int: Int] = [:]

  /// Packets past a frame's own after which it will not come any more, where an earlier random access point is left to try.
  private static let maxDelay = DecodingRun.maxDelayed

  init(_ reader: StreamReader, index: PacketIndex) throws {
    self.reader = reader
    self.index = index
    reader.index = index
    frame = try DecodedFrame()
    incoming = try DecodedFrame()
  }

  /// The present run gave `target` otherwise than it is: its random access point is not used any more.
  ///
  /// Returns false when it began with the first packet: of damage that comes out otherwise each time nothing is more right.
  func refuteRun(for target: Identity) -> Bool {
    guard let start = runStart, start > 0 else { return false }
    verifier.seek(to: target.ordinal)
    guard case .restart(_, let refuted?) = verifier.evaluate(.wrong, start: start, in: index) else { return false }
    index.refute(refuted)
    runStart = nil
    return true
  }

  /// Begins decoding at a random access point. Returns false when its packet cannot be found again.
  func begin(at ordinal: Int) throws -> Bool {
    runStart = nil
    occurrences = [:]
    let isThere = ordinal == 0 && verifier.rewindIsUnreliable ? try reader.beginReopened() : try reader.begin(at: ordinal)
    if isThere { runStart = ordinal }
    return isThere
  }

  /// Decodes on until the next frame comes out, which `frame` then is; nil at the end.
  func next() throws -> Identity? {
    while true {
      switch try reader.step(into: incoming) {
      case .progress: continue
      case .endOfStream:
        runStart = nil
        return nil
      case .frame(let ordinal):
        frame.take(incoming)
        let ordinal = ordinal ?? -1
        defer { occurrences[ordinal, default: 0] += 1 }
        return Identity(ordinal: ordinal, occurrence: occurrences[ordinal, default: 0])
      }
    }
  }

  /// Decodes until `frame` is the wanted one, from where it is or from the nearest random access point.
  ///
  /// - Parameter passing: called for every exact frame on the way, the wanted one included.
  /// - Returns: false when no random access point leads to it.
  func go(to target: Identity, passing: (Identity) throws -> Void) throws -> Bool {
    verifier.seek(to: target.ordinal)
    var start = index.randomAccessPoint(for: target.ordinal)
    var isResumed = false
    var isThere: Bool
    // Decoding on is right when the frame is still to come and no random access point is nearer.
    if let runStart, let next = reader.nextOrdinal, runStart <= start, start <= next, next <= target.ordinal {
      (start, isResumed, isThere) = (runStart, true, true)
    } else {
      isThere = try begin(at: start)
    }
    while true {
      // Where two clips are joined, a decoder can hold frames of the first until the end of the second.
      let maxDelay = start > 0 || isResumed ? Self.maxDelay : nil
      let finding = isThere ? try decode(until: target, maxDelay: maxDelay, passing: passing) : .late
      guard let finding else { return true }
      // The data may end before a frame that another run gives.
      let isLast = finding == .missing && start == 0
      switch verifier.evaluate(isLast ? .missing : .late, start: start, isResumed: isResumed, in: index) {
      case .ok: return false
      case .restart(let next, _):
        isThere = try begin(at: next)
        start = next
      case .reopen:
        isThere = try begin(at: 0)
        start = 0
      }
      isResumed = false
    }
  }

  /// - Returns: nil once the wanted frame has come; else what came of it.
  private func decode(
    until target: Identity, maxDelay: Int?, passing: (Identity) throws -> Void
  ) throws -> RunVerifier.Finding? {
    while let identity = try next() {
      // Frames shown before the random access point, or after a break, may depend on more than this run has decoded.
      let isExact = runStart.map { $0 <= index.randomAccessPoint(for: identity.ordinal) } ?? false
      if isExact || identity == target { try passing(identity) }
      if identity == target { return nil }
      if let maxDelay, identity.ordinal > target.ordinal + maxDelay { return .late }
    }
    return .missing
  }
}
