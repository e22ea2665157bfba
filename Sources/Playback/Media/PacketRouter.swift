import DequeModule
import Libav

/// Reads an input once for all who want packets of its streams.
///
/// What comes of a stream while another is being read waits in a queue of bounded size. A move to another place empties
/// all queues at once, and gives a new ticket: what somebody still holds of an older one belongs to another place.
///
/// Used by one thread at a time.
final class PacketRouter {
  /// The result of reading.
  enum ReadResult: Equatable {
    case packet
    /// A packet of another stream was read.
    case other
    case endOfFile
  }

  /// Packets of a stream that wait to be read.
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
  /// Opens the input again; nil where that does not give the same bytes.
  private let session: InputSession?
  private var queues: [Int: Queue] = [:]
  /// Counts the moves to other places.
  private(set) var ticket = 0

  /// The maximum number of waiting packets per stream; beyond it, the oldest are dropped.
  static let maxPackets = 4096
  static let maxBytes = 16 << 20

  /// - Parameters:
  ///   - opened: at its beginning; the router takes it over.
  ///   - session: by which it was opened; nil where it is not to be opened again.
  init(_ opened: OpenedInput, session: InputSession?) {
    demuxer = opened.demuxer
    self.session = opened.canReopen ? session : nil
    demuxer.select(streams: [])
  }

  /// True if the input can be reopened and read from its beginning.
  var canReopen: Bool { session != nil }

  /// True if the file was found to be truncated.
  var isCutOff: Bool { demuxer.isCutOff }

  /// Adds a stream to those that are read.
  func add(stream: Int) {
    guard queues[stream] == nil else { return }
    queues[stream] = Queue()
    demuxer.select(streams: Set(queues.keys))
  }

  /// Reads the next packet of a stream, one that waits or one of the input, into `packet`; may block.
  ///
  /// Reads one packet of the input at the most, so that nobody waits for a stream that comes rarely.
  ///
  /// - Throws: `AVError`, as `Demuxer.read`.
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

  /// Goes to the last key packet of a stream at or before a time in its ticks, or to its first one.
  ///
  /// - Throws: `AVError` where the input cannot go there.
  func seek(_ stream: Int, toKeyAtOrBefore ticks: Int64) throws {
    flush()
    try demuxer.seek(stream: stream, toKeyAtOrBefore: ticks)
  }

  /// Goes to a byte of the input, where the container can be read from any place.
  ///
  /// - Throws: `AVError` where it cannot.
  func seek(toByte position: Int64) throws {
    flush()
    try demuxer.seek(toByte: position)
  }

  /// Goes to the first byte of the data, whatever the time stamps say.
  ///
  /// - Throws: `AVError` where the input cannot go there.
  func rewind() throws {
    flush()
    try demuxer.rewind()
  }

  /// Opens the input once more, and stands at its beginning.
  ///
  /// - Returns: false where that cannot be.
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
