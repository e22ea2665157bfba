import DecodePool
import Libav

/// Finds a video track's frames: reads all packets, and decodes them if they do not tell the display times.
///
/// A stateless value, for use on a separate thread.
struct TimelineScan: Sendable {
  let input: MediaInput
  let track: AssetTrack
  /// The stream's time that is time 0 of the item.
  let startTime: MediaTime
  /// True if the format's timestamps may be discontinuous.
  let mayJump: Bool
  let interrupter: Interrupter
  /// Reads what has arrived for playback, until somebody waits for the result.
  let role = ReadingRole(.following)

  /// The maximum number of packets indexed: more are a stream of days, not a clip.
  private static let maxPackets = 4_000_000
  /// The number of packets between two progress reports.
  private static let batch = 2048

  /// Returns the content that packets give, all of the track's or those of its beginning.
  func content(_ packets: PacketIndex) -> FrameIndex.Content {
    var packets = packets
    if !packets.isComplete { packets.seal() }
    let timeline = PacketTimeline(packets, tick: track.timeBase.value, mayJump: mayJump)
    return FrameIndex.Content(
      packets: packets,
      timeline: timeline.map { PresentationTimeline($0, timeBase: track.timeBase, startTime: startTime) })
  }

  /// Reads all packets; reports the progress, and the packets known each time their number has doubled.
  func packets(report: (PacketIndex?, Double) -> Void) throws -> PacketIndex? {
    // To read all segments of a stream is to fetch all of it.
    guard !input.isSegmented else { return nil }
    let demuxer = try input.open(interrupter, role: role).demuxer
    let size = Double(max(1, demuxer.byteCount))
    let scan = try PacketScan(demuxer: demuxer, stream: track.index)
    var reportedCount = Self.batch
    var isBeginning = true
    while scan.index.count < Self.maxPackets {
      let mayHaveMore = try scan.read(Self.batch)
      if isBeginning {
        isBeginning = false
        do {
          scan.note(try LeadingFrameProbe(scan.index, of: scan.info) { try reader(keepsAlpha: false) })
        } catch is DecoderError {
          // Nothing of it can be shown.
        }
      }
      guard mayHaveMore else {
        // An index of what came before the failure would be taken for one of the whole.
        if let failure = input.failure { throw failure }
        return scan.index
      }
      let position = Double(scan.index.entries.last?.position ?? 0)
      let isDoubled = scan.index.count >= 2 * reportedCount
      if isDoubled { reportedCount = scan.index.count }
      report(isDoubled ? scan.index : nil, min(0.99, max(0, position / size)))
    }
    return nil
  }

  /// Decodes the whole track and returns the result, if it succeeds; reports its progress.
  func decoded(_ packets: PacketIndex, report: (Double) -> Void) -> DecodedOrder? {
    // The thread belongs to this scan until it ends, and playback comes first.
    lowerThreadPriority()
    return try? decodedOrder(packets, report)
  }

  private func decodedOrder(_ packets: PacketIndex, _ report: (Double) -> Void) throws -> DecodedOrder? {
    let reader = try reader(keepsAlpha: true)
    reader.index = packets
    let count = Double(max(1, packets.count))
    return try DecodedOrder.decode(reader, clock: TimestampRepair(of: track, start: startTime, mayJump: mayJump)) {
      report(min(0.99, Double($0) / count))
    }
  }

  private func reader(keepsAlpha: Bool) throws -> StreamReader {
    try StreamReader(
      input.open(interrupter, role: role), session: nil, stream: track.index, threads: 1, keepsAlpha: keepsAlpha)
  }
}
