import DecodePool
import Libav
import Pixels
import Transport

/// Receives the packets of a live source on a thread of its own, and opens it again when it breaks off.
struct LiveFeed {
  private let request: NetworkInput.Request
  private let packets: LivePackets
  private var recorder: LiveRecorder?
  private var timeline = LiveTimeline()
  /// The number of failures since the last packet.
  private var failures = 0
  private let began = monotonicNanoseconds()

  /// The time in nanoseconds for which a source is tried that has never answered.
  private static let patience: UInt64 = 30_000_000_000

  private init(_ request: NetworkInput.Request, _ packets: LivePackets, _ recorder: LiveRecorder?) {
    (self.request, self.packets, self.recorder) = (request, packets, recorder)
  }

  /// Begins to receive a source.
  ///
  /// - Parameter recording: the file to write what arrives to; nil for none.
  /// - Throws: `ThreadError`.
  static func begin(
    _ request: NetworkInput.Request, _ packets: LivePackets, recording: String?, startThread: ThreadStarter = detachThread
  ) throws(ThreadError) {
    try startThread {
      var feed = LiveFeed(request, packets, recording.map { LiveRecorder($0) })
      feed.run()
    }
  }

  // MARK: - The thread

  private mutating func run() {
    while !packets.isClosed {
      do {
        try receive()
      } catch {
        guard !packets.isClosed else { break }
        let failure = (error as? NetworkInputError).map { PlaybackError($0) } ?? PlaybackError(error)
        guard mayPass(error) else {
          packets.fail(failure)
          break
        }
        let pause = RetrySchedule.pauses[min(failures, RetrySchedule.pauses.count - 1)]
        failures += 1
        wait(pause, failure)
      }
    }
    recorder?.finish()
    packets.noteFeedEnd()
  }

  /// Waits until the next attempt, and says so.
  private func wait(_ seconds: Double, _ error: PlaybackError) {
    let end = monotonicNanoseconds() + UInt64(seconds * 1e9)
    while !packets.isClosed, case let now = monotonicNanoseconds(), now < end {
      packets.noteSetback(error.message, next: end - now)
      packets.pause(min(end - now, 500_000_000))
    }
    packets.noteRetry()
  }

  /// Returns true if the source is tried again: one that was there may come back, and one that never was may be slow.
  private func mayPass(_ error: any Error) -> Bool {
    let wasThere = packets.opened != nil
    return switch error as? NetworkInputError {
    case .unsupported, .redirected, .needsDescription, .interrupted, nil: false
    case .refused(let status): wasThere ? !status.hasPrefix("401") && !status.hasPrefix("403") : isNew && status.hasPrefix("5")
    case .silent, .noMedia, .ended: wasThere || isNew
    case .failed: wasThere
    }
  }

  /// True if the source may still need time to begin.
  private var isNew: Bool { monotonicNanoseconds() < began + Self.patience }

  /// Opens the source and receives packets until it breaks off.
  ///
  /// - Throws: `NetworkInputError`, or another error that is final.
  private mutating func receive() throws {
    packets.noteConnection()
    let input = try NetworkInput(request, interrupter: packets.ending)
    let streams = try LiveStreams(input.streams(), continuing: packets.opened)
    if packets.opened != nil { packets.setHeaders(streams.parameters[streams.main].headers) }
    timeline.begin()
    try receive(input, streams)
  }

  private mutating func receive(_ input: NetworkInput, _ streams: LiveStreams) throws {
    let packet = try Packet()
    // What comes before a key frame cannot be decoded.
    var hasStarted = false
    // The first packet by RTSP has no timestamps; the next one tells them.
    var untimed: Packet?
    while true {
      try input.read(into: packet)
      guard let stream = streams.indices[packet.streamIndex] else { continue }
      let isMain = stream == streams.main
      if isMain, packet.isKey { hasStarted = true }
      guard hasStarted, isMain || packets.opened != nil else { continue }
      var record = PacketRecord(packet)
      record.stream = stream
      if record.dts == nil, record.pts == nil {
        guard isMain, untimed == nil else { continue }
        let held = try Packet()
        held.take(packet)
        untimed = held
        continue
      }
      if isMain, let former = untimed {
        var earlier = PacketRecord(former)
        earlier.stream = stream
        let time = (record.dts ?? record.pts ?? 0) &- max(1, earlier.duration, record.duration)
        (earlier.dts, earlier.pts) = (time, time)
        untimed = nil
        keep(former, earlier, input.formatName, streams)
      }
      keep(packet, record, input.formatName, streams)
    }
  }

  /// Keeps and records a packet.
  private mutating func keep(_ packet: Packet, _ record: PacketRecord, _ formatName: String, _ streams: LiveStreams) {
    let isMain = record.stream == streams.main
    guard let record = placed(record, streams.parameters[record.stream].timeBase) else { return }
    if packets.opened == nil {
      packets.open(
        LivePackets.Opened(
          formatName: formatName, streams: streams.parameters, main: streams.main, start: record.pts ?? record.dts ?? 0))
    }
    if isMain, let headers = packet.sideData(.headers) { packets.setHeaders(headers) }
    packets.append(packet, record)
    failures = 0
    recorder?.write(packet, record, streams, packets)
  }

  /// Returns a packet's properties on the continued timeline; nil if its timestamps are of no use.
  private mutating func placed(_ record: PacketRecord, _ tick: Ratio) -> PacketRecord? {
    var record = record
    guard let ticks = record.dts ?? record.pts, let time = MediaTime(ticks: ticks, in: tick).nanoseconds else { return nil }
    let offset = timeline.place(time / 1000, arrival: Int64(monotonicNanoseconds() / 1000))
    guard let ticksOffset = MediaTime(value: offset, timescale: 1_000_000).ticks(in: tick) else { return nil }
    record.pts = record.pts.map { $0 &+ ticksOffset }
    record.dts = record.dts.map { $0 &+ ticksOffset }
    return record
  }
}
