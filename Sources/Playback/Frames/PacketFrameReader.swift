import Libav

/// Decodes the frame of any packet of a stream exactly as a decode of the whole stream would.
///
/// Use from one thread at a time.
final class PacketFrameReader {
  /// A frame's identity: its packet, and its index among that packet's frames.
  struct Identity: Hashable {
    var ordinal: Int
    var occurrence: Int
  }

  private let reader: StreamReader
  private var index: PacketIndex
  private var verifier = RunVerifier()
  /// The latest frame.
  let frame: DecodedFrame
  /// The next frame is received beside it, as in ffmpeg, since damaged frames may show old memory.
  private let incoming: DecodedFrame
  /// The start of the current decoding run; nil if there is none.
  private var runStart: Int?
  private var occurrences: [Int: Int] = [:]

  /// The number of packets past a frame's own after which it is considered lost, if an earlier random access point remains.
  private static let maxDelay = DecodingRun.maxDelayed

  init(_ reader: StreamReader, index: PacketIndex) throws {
    self.reader = reader
    self.index = index
    reader.index = index
    frame = try DecodedFrame()
    incoming = try DecodedFrame()
  }

  /// Refutes the current run, which gave `target` incorrectly: its random access point is not used again.
  ///
  /// Returns false if it started with the first packet: damage that decodes differently each time has no correct result.
  func refuteRun(for target: Identity) -> Bool {
    guard let start = runStart, start > 0 else { return false }
    verifier.seek(to: target.ordinal)
    guard case .restart(_, let refuted?) = verifier.evaluate(.wrong, start: start, in: index) else { return false }
    index.refute(refuted)
    runStart = nil
    return true
  }

  /// Starts decoding at a random access point. Returns false if its packet cannot be found again.
  func begin(at ordinal: Int) throws -> Bool {
    runStart = nil
    occurrences = [:]
    let isThere = ordinal == 0 && verifier.rewindIsUnreliable ? try reader.beginReopened() : try reader.begin(at: ordinal)
    if isThere { runStart = ordinal }
    return isThere
  }

  /// Decodes until the next frame, which is then in `frame`; nil at the end.
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

  /// Decodes until `frame` is the target, from the current position or the nearest random access point.
  ///
  /// - Parameter passing: called for every exact frame on the way, including the target.
  /// - Returns: false if no random access point leads to it.
  func go(to target: Identity, passing: (Identity) throws -> Void) throws -> Bool {
    verifier.seek(to: target.ordinal)
    var start = index.randomAccessPoint(for: target.ordinal)
    var isResumed = false
    var isThere: Bool
    // Decoding further is right if the frame is still ahead and no random access point is nearer.
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

  /// - Returns: nil once the target has come; else what happened to it.
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
