import DequeModule
import Libav

/// Reads an input once for all readers of its streams.
///
/// Packets of one stream that come while another is read wait in a bounded queue. A seek empties all queues and gives a new
/// ticket: packets held from an older one belong to another position.
///
/// Use from one thread at a time.
final class PacketRouter {
  /// The result of reading.
  enum ReadResult: Equatable {
    case packet
    /// A packet of another stream was read.
    case other
    case endOfFile
  }

  /// The waiting packets of a stream.
  private struct Queue {
    var packets: Deque<Packet> = []
    var byteCount = 0

    mutating func append(_ packet: Packet) {
      packets.append(packet)
      byteCount += packet.byteCount
      while packets.count > PacketRouter.maxPackets || (byteCount > PacketRouter.maxBytes && packets.count > 1) {
        byteCount -= packets.removeFirst().byteCount
      }
    }
  }

  private(set) var demuxer: Demuxer
  /// Reopens the input; nil if that does not give the same bytes.
  private let session: InputSession?
  private var queues: [Int: Queue] = [:]
  /// The number of seeks so far.
  private(set) var ticket = 0

  /// The maximum number of waiting packets per stream; beyond it, the oldest are dropped.
  static let maxPackets = 4096
  static let maxBytes = 16 << 20

  /// - Parameters:
  ///   - opened: at its beginning; the router takes it over.
  ///   - session: the session that opened it; nil if it must not be reopened.
  init(_ opened: OpenedInput, session: InputSession?) {
    demuxer = opened.demuxer
    self.session = opened.canReopen ? session : nil
    demuxer.select(streams: [])
  }

  /// True if the input can be reopened and read from its beginning.
  var canReopen: Bool { session != nil }

  /// The reason that no more data come; nil if they may.
  var sourceFailure: PlaybackError? { session?.sourceFailure }

  /// True if the file was found to be truncated.
  var isCutOff: Bool { demuxer.isCutOff }

  /// Adds a stream to those that are read.
  func add(stream: Int) {
    guard queues[stream] == nil else { return }
    queues[stream] = Queue()
    demuxer.select(streams: Set(queues.keys))
  }

  /// Reads the next packet of a stream, from its queue or the input, into `packet`; may block.
  ///
  /// Reads at most one packet of the input, so that nobody waits for a stream that comes rarely.
  ///
  /// - Throws: `AVError`, as `Demuxer.read` does.
  func read(_ stream: Int, into packet: Packet) throws -> ReadResult {
    if queues.count > 1, let waiting = takeWaiting(stream) {
      packet.take(waiting)
      return .packet
    }
    guard try demuxer.read(into: packet) == .packet else { return .endOfFile }
    if packet.streamIndex == stream { return .packet }
    if queues.count > 1, queues[packet.streamIndex] != nil {
      let kept = try Packet()
      kept.take(packet)
      queues[kept.streamIndex]?.append(kept)
    }
    return .other
  }

  private func takeWaiting(_ stream: Int) -> Packet? {
    guard let packet = queues[stream]?.packets.popFirst() else { return nil }
    queues[stream]?.byteCount -= packet.byteCount
    return packet
  }

  // MARK: - Going somewhere

  /// Seeks to the last key packet of a stream at or before a time in its ticks, or to its first one.
  ///
  /// - Throws: `AVError` if the input cannot seek there.
  func seek(_ stream: Int, toKeyAtOrBefore ticks: Int64) throws {
    flush()
    try demuxer.seek(stream: stream, toKeyAtOrBefore: ticks)
  }

  /// Seeks to a byte of the input, if the container can be read from any position.
  ///
  /// - Throws: `AVError` if it cannot.
  func seek(toByte position: Int64) throws {
    flush()
    try demuxer.seek(toByte: position)
  }

  /// Seeks to the first byte of the data, whatever the timestamps.
  ///
  /// - Throws: `AVError` if the input cannot seek there.
  func rewind() throws {
    flush()
    try demuxer.rewind()
  }

  /// Reopens the input at its beginning.
  ///
  /// - Returns: false if that is impossible.
  func reopen() throws -> Bool {
    guard let session else { return false }
    flush()
    demuxer = try session.open().demuxer
    demuxer.select(streams: Set(queues.keys))
    return true
  }

  private func flush() {
    ticket += 1
    for stream in queues.keys { queues[stream] = Queue() }
  }
}
