import Libav

/// The frames of a stream as given by a decode from its beginning, for streams whose packets do not tell the display times,
/// because timestamps are missing, repeat, jump, or are not presentation times.
struct DecodedOrder: Equatable, Sendable {
  struct Frame: Equatable, Sendable {
    /// The packet of the frame.
    var ordinal: Int32
    /// The display time in ticks, on a timeline that never goes back.
    var ticks: Int64
    /// The decoder's best-effort timestamp in the stream; nil if there is none.
    var stamp: Int64?
    /// A hash of the pixels, which identifies the frame; 0 if it is damaged and may decode differently.
    var hash: UInt32
  }

  let frames: [Frame]
  /// The end of the last frame, in ticks.
  let end: Int64
  /// Display indexes by ordinal; −1 for packets without a frame.
  let displayIndexes: [Int32]

  /// Nil if a packet gave more than one frame, or times do not increase.
  init?(_ frames: [Frame], end: Int64, packetCount: Int) {
    guard let last = frames.last, end > last.ticks,
      zip(frames, frames.dropFirst()).allSatisfy({ $0.ticks < $1.ticks })
    else { return nil }
    var displayIndexes = [Int32](repeating: -1, count: packetCount)
    for (index, frame) in frames.enumerated() {
      guard displayIndexes.indices.contains(Int(frame.ordinal)), displayIndexes[Int(frame.ordinal)] < 0 else { return nil }
      displayIndexes[Int(frame.ordinal)] = Int32(index)
    }
    (self.frames, self.end, self.displayIndexes) = (frames, end, displayIndexes)
  }

  /// The maximum number of frames; longer streams are not decoded for this.
  private static let maxFrames = 1_000_000
  /// The number of frames between two reports.
  private static let batch = 64

  /// Decodes a whole stream, which takes as long as playing it untimed.
  ///
  /// - Parameters:
  ///   - reader: a reader of the stream, which knows its packets; consumed.
  ///   - clock: newly created for the stream.
  ///   - report: called repeatedly with the number of packets decoded.
  /// - Returns: nil if the packets of the frames cannot be determined.
  /// - Throws: `AVError` if reading was interrupted.
  static func decode(
    _ reader: StreamReader, clock: TimestampRepair, report: (Int) -> Void
  ) throws -> DecodedOrder? {
    guard let index = reader.index, try reader.begin(at: 0) else { return nil }
    let frame = try DecodedFrame()
    var clock = clock
    var frames: [Frame] = []
    var end: Int64 = 0
    var isTainted = false
    while frames.count < maxFrames {
      switch try reader.step(into: frame) {
      case .progress: continue
      case .endOfStream: return DecodedOrder(frames, end: end, packetCount: index.count)
      case .frame(let ordinal):
        guard let ordinal, index.entries.indices.contains(ordinal) else { return nil }
        let stamp = frame.bestEffortTimestamp
        let time = clock.place(ticks: stamp, duration: frame.duration)
        if index.entries[ordinal].randomAccess != .none { isTainted = false }
        if frame.isDamaged { isTainted = true }
        frames.append(
          Frame(
            ordinal: Int32(ordinal), ticks: time.ticks, stamp: stamp,
            hash: isTainted ? 0 : hash(of: frame)))
        end = time.ticks &+ time.duration
        if frames.count % batch == 0 { report(ordinal) }
      }
    }
    return nil
  }

  /// Returns the hash for `Frame.hash`, never 0.
  static func hash(of frame: DecodedFrame) -> UInt32 { max(1, UInt32(truncatingIfNeeded: frame.quickHash())) }
}
