import Libav

/// Decodes any picture of a stream exactly as a decode of the whole stream from its beginning would.
///
/// Used by one thread at a time.
final class ExactReader {
  /// A picture's identity: the packet it comes from, and which of that packet's pictures it is.
  struct Identity: Hashable {
    var ordinal: Int
    var occurrence: Int
  }

  private let reader: StreamReader
  private var index: PacketIndex
  /// The picture that came out last.
  let frame: DecodedFrame
  /// The next one comes out beside it, as in ffmpeg: where a picture is damaged, old memory may be seen in it.
  private let incoming: DecodedFrame
  /// Where the present run of decoding began; nil when there is none.
  private var runStart: Int?
  private var occurrences: [Int: Int] = [:]

  /// Packets past a picture's own after which it will not come any more, where an earlier start is left to try.
  private static let mostDelay = 64

  init(_ reader: StreamReader, index: PacketIndex) throws {
    self.reader = reader
    self.index = index
    reader.index = index
    frame = try DecodedFrame()
    incoming = try DecodedFrame()
  }

  /// The present run gave a picture that is not right: its start point is not used any more.
  ///
  /// Returns false when it began with the first packet, before which there is nothing.
  func distrustRun() -> Bool {
    guard let start = runStart, start > 0 else { return false }
    index.distrust(start)
    runStart = nil
    return true
  }

  /// Begins decoding at a start point. Returns false when its packet cannot be found again.
  func begin(at ordinal: Int) throws -> Bool {
    runStart = nil
    occurrences = [:]
    guard try reader.begin(at: ordinal) else { return false }
    runStart = ordinal
    return true
  }

  private func beginAfresh() throws -> Bool {
    runStart = nil
    occurrences = [:]
    guard try reader.beginAfresh() else { return false }
    runStart = 0
    return true
  }

  /// Decodes on until the next picture comes out, which `frame` then is; nil at the end.
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

  /// Decodes until `frame` is the wanted picture, from where it is or from the nearest start point.
  ///
  /// - Parameter passing: called for every exact picture on the way, the wanted one included.
  /// - Returns: false when no start point leads to it.
  func go(to wanted: Identity, passing: (Identity) throws -> Void) throws -> Bool {
    var limit = Int.max
    while true {
      let start = index.startPoint(for: wanted.ordinal, before: limit)
      // Decoding on is right when the picture is still to come and no start point is nearer.
      if limit == .max, let runStart, let next = reader.nextOrdinal, runStart <= start, start <= next,
        next <= wanted.ordinal,
        try decode(until: wanted, mostDelay: Self.mostDelay, passing: passing) { return true }
      // Where two clips are joined a decoder can hold pictures of the first up to the end of the second.
      let mostDelay = start > 0 ? Self.mostDelay : nil
      if try begin(at: start), try decode(until: wanted, mostDelay: mostDelay, passing: passing) { return true }
      guard start == 0 else {
        limit = start
        continue
      }
      guard try beginAfresh() else { return false }
      return try decode(until: wanted, mostDelay: nil, passing: passing)
    }
  }

  private func decode(
    until wanted: Identity, mostDelay: Int?, passing: (Identity) throws -> Void
  ) throws -> Bool {
    while let identity = try next() {
      // What is shown before the start point, or after a break, may need more than this run has seen.
      let isExact = runStart.map { $0 <= index.startPoint(for: identity.ordinal) } ?? false
      if isExact || identity == wanted { try passing(identity) }
      if identity == wanted { return true }
      if let mostDelay, identity.ordinal > wanted.ordinal + mostDelay { return false }
    }
    return false
  }
}
