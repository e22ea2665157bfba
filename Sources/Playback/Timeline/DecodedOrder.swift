import Libav

/// The pictures of a stream as a decode from its beginning gave them: for streams whose packets do not tell which
/// picture is shown when, because time stamps are missing, repeat, jump, or are not those of display.
struct DecodedOrder: Equatable, Sendable {
  struct Picture: Equatable, Sendable {
    /// The packet that it comes from.
    var ordinal: Int32
    /// When it is shown, on a timeline that never goes back, in ticks.
    var ticks: Int64
    /// The decoder's best effort at the stream's own time stamp; nil where there is none.
    var stamp: Int64?
    /// Of its pixels, by which it is known again; 0 where it is damaged and may come out otherwise.
    var hash: UInt32
  }

  let pictures: [Picture]
  /// Where the last picture ends, in ticks.
  let end: Int64
  /// Places in display order by ordinal; −1 for packets that give no picture.
  let ranks: [Int32]

  /// Fails where a packet gave more than one picture, or times do not grow.
  init?(_ pictures: [Picture], end: Int64, packetCount: Int) {
    guard let last = pictures.last, end > last.ticks,
      zip(pictures, pictures.dropFirst()).allSatisfy({ $0.ticks < $1.ticks })
    else { return nil }
    var ranks = [Int32](repeating: -1, count: packetCount)
    for (rank, picture) in pictures.enumerated() {
      guard ranks.indices.contains(Int(picture.ordinal)), ranks[Int(picture.ordinal)] < 0 else { return nil }
      ranks[Int(picture.ordinal)] = Int32(rank)
    }
    (self.pictures, self.end, self.ranks) = (pictures, end, ranks)
  }

  /// Longer streams are not decoded for this.
  private static let mostPictures = 1_000_000
  /// Pictures between two reports.
  private static let batch = 64

  /// Decodes all of a stream; takes as long as playing it untimed.
  ///
  /// - Parameters:
  ///   - reader: of the stream, which knows its packets; used up.
  ///   - clock: just made, for the stream.
  ///   - report: is told again and again how many packets have been decoded.
  /// - Returns: nil when it cannot be told which packets the pictures come from.
  /// - Throws: `AVError` when reading was interrupted.
  static func decode(
    _ reader: StreamReader, clock: TimestampRepair, report: (Int) -> Void
  ) throws -> DecodedOrder? {
    guard let index = reader.index, try reader.begin(at: 0) else { return nil }
    let frame = try DecodedFrame()
    var clock = clock
    var pictures: [Picture] = []
    var end: Int64 = 0
    var isTainted = false
    while pictures.count < mostPictures {
      switch try reader.step(into: frame) {
      case .progress: continue
      case .endOfStream: return DecodedOrder(pictures, end: end, packetCount: index.count)
      case .frame(let ordinal):
        guard let ordinal, index.entries.indices.contains(ordinal) else { return nil }
        let stamp = frame.bestEffortTimestamp
        let time = clock.place(ticks: stamp, duration: frame.duration)
        if index.entries[ordinal].start != .none { isTainted = false }
        if frame.isDamaged { isTainted = true }
        pictures.append(
          Picture(
            ordinal: Int32(ordinal), ticks: time.ticks, stamp: stamp,
            hash: isTainted ? 0 : hash(of: frame)))
        end = time.ticks &+ time.duration
        if pictures.count % batch == 0 { report(ordinal) }
      }
    }
    return nil
  }

  /// As `Picture.hash`, never 0.
  static func hash(of frame: DecodedFrame) -> UInt32 { max(1, UInt32(truncatingIfNeeded: frame.quickHash())) }
}
