import Libav

/// The frames of a stream as a decode from its beginning gave them: for streams whose packets do not tell which
/// frame is shown when, because time stamps are missing, repeat, jump, or are not those of display.
struct DecodedOrder: Equatable, Sendable {
  struct Frame: Equatable, Sendable {
    /// The packet that it comes from.
    var ordinal: Int32
    /// When it is shown, on a timeline that never goes back, in ticks.
    var ticks: Int64
    /// The decoder's best effort at the stream's own time stamp; nil where there is none.
    var stamp: Int64?
    /// Of its pixels, by which it is known again; 0 where it is damaged and may come out otherwise.
    var hash: UInt32
  }

  let frames: [Frame]
  /// The end of the last frame, in ticks.
  let end: Int64
  /// Places in display order by ordinal; −1 for packets that give no frame.
  let displayIndexes: [Int32]

  /// Fails where a packet gave more than one frame, or times do not grow.
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

  /// Longer streams are not decoded for this.
  private static let maxFrames = 1_000_000
  /// Frames between two reports.
  private static let batch = 64

  /// Decodes all of a stream; takes as long as playing it untimed.
  ///
  /// - Parameters:
  ///   - reader: of the stream, which knows its packets; used up.
  ///   - clock: just made, for the stream.
  ///   - report: is told again and again how many packets have been decoded.
  /// - Returns: nil when it cannot be told which packets the frames come from.
  /// - Throws: `AVError` when reading was interrupted.
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

  /// As `Frame.hash`, never 0.
  static func hash(of frame: DecodedFrame) -> UInt32 { max(1, UInt32(truncatingIfNeeded: frame.quickHash())) }
}
