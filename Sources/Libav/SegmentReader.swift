import CFFmpeg

/// Reads the packets of a segmented source on one timeline: that of the timestamps of the first run.
///
/// Timestamps of other runs are moved. Those of one group belong together, so once one of its runs has told by how much, all
/// follow. Use from one thread at a time.
final class SegmentReader {
  private let source: any SegmentedSource
  private let interrupter: Interrupter
  private let name: String
  /// The run being read; nil once a seek has left it.
  private var run: SegmentRun
  /// The demuxer of the run; nil for the first one, which the clip's own demuxer reads.
  private var inner: Demuxer?
  private var state = State.reading
  /// The timestamp of the first run that is the start of the clip, in microseconds.
  private let base: Int64
  /// The microseconds to add to timestamps, by group.
  private var offsets: [Int: Int64] = [:]
  /// The stream of the run that is each of the clip's streams, by index.
  private var indices: [Int: Int] = [:]
  private var selection: Set<Int>?
  /// The codec headers that the decoder of each stream has.
  private var headers: [Int: [UInt8]] = [:]

  private enum State: Equatable {
    case reading
    /// The next packet is that at a time in microseconds of the clip.
    case seeking(Int64)
    case ended
  }

  init(_ source: any SegmentedSource, first run: SegmentRun, of demuxer: Demuxer, name: String, _ interrupter: Interrupter) {
    (self.source, self.run, self.name, self.interrupter) = (source, run, name, interrupter)
    base = Self.start(of: demuxer) - run.start
    offsets[run.group] = 0
    for stream in demuxer.streams { headers[stream.index] = demuxer.codecHeaders(ofStream: stream.index) }
  }

  func select(_ streams: Set<Int>) {
    selection = streams
    applySelection()
  }

  private func applySelection() {
    guard let inner, let selection else { return }
    inner.select(streams: Set(selection.compactMap { indices[$0] }))
  }

  /// Goes to the run at a time in ticks of one of the clip's streams.
  func seek(to ticks: Int64, of stream: UnsafeMutablePointer<AVStream>) {
    let time = av_rescale_q(ticks, stream.pointee.time_base, Self.microseconds)
    state = .seeking(max(0, time - base))
  }

  func rewind() { state = .seeking(source.startMicroseconds) }

  /// Returns the timestamp at which a run begins in microseconds: that of its video, since sound may begin a little earlier.
  private static func start(of demuxer: Demuxer) -> Int64 {
    let video = demuxer.streams.first { $0.kind == .video }.map { demuxer.stream($0.index) }
    if let video, video.pointee.start_time != qd_nopts() {
      return av_rescale_q(video.pointee.start_time, video.pointee.time_base, microseconds)
    }
    return demuxer.startMicroseconds ?? 0
  }

  /// Opens a run, or the next one that can be read; nil if there is none.
  static func open(
    _ first: SegmentRun?, of source: any SegmentedSource, name: String, _ interrupter: Interrupter
  ) throws -> (run: SegmentRun, demuxer: Demuxer)? {
    var next = first
    while let run = next {
      do {
        return (run, try Demuxer(run.bytes, name: name, interrupter: interrupter))
      } catch {
        if interrupter.isInterrupted { throw error }
        next = try source.run(after: run, interrupter)
      }
    }
    return nil
  }

  private static let microseconds = AVRational(num: 1, den: 1_000_000)

  /// Reads the next packet.
  ///
  /// - Throws: `AVError`, or the source's error.
  func read(into packet: Packet, for outer: Demuxer) throws -> Demuxer.ReadResult {
    while true {
      switch state {
      case .ended: return .endOfFile
      case .seeking(let time):
        try begin(source.run(at: time), for: outer)
      case .reading:
        let result = try inner.map { try $0.read(into: packet) } ?? outer.readOwn(into: packet)
        if result == .packet {
          if place(packet, for: outer) { return .packet }
          continue
        }
        try begin(source.run(after: run, interrupter), for: outer)
      }
    }
  }

  /// Goes on with a run, or with the next one that can be read; nil for none.
  private func begin(_ next: SegmentRun?, for outer: Demuxer) throws {
    guard let opened = try Self.open(next, of: source, name: name, interrupter) else { return state = .ended }
    let demuxer = opened.demuxer
    (run, inner, state) = (opened.run, demuxer, .reading)
    if offsets[run.group] == nil { offsets[run.group] = base + run.start - Self.start(of: demuxer) }
    indices = [:]
    var used: Set<Int> = []
    for stream in outer.streams {
      guard let same = demuxer.streams.first(where: { $0.kind == stream.kind && !used.contains($0.index) }) else { continue }
      indices[stream.index] = same.index
      used.insert(same.index)
    }
    applySelection()
  }

  /// Moves a packet to the clip's timeline. Returns false if it is of no stream of the clip.
  private func place(_ packet: Packet, for outer: Demuxer) -> Bool {
    let source = inner ?? outer, own = packet.streamIndex
    guard let index = inner == nil ? own : indices.first(where: { $0.value == own })?.key else { return false }
    let tick = source.stream(own).pointee.time_base
    let target = outer.stream(index).pointee.time_base, offset = offsets[run.group] ?? 0
    func moved(_ time: Int64?) -> Int64 {
      time.map { av_rescale_q($0, tick, target) + av_rescale_q(offset, Self.microseconds, target) } ?? qd_nopts()
    }
    let pointer = packet.pointer
    (pointer.pointee.pts, pointer.pointee.dts) = (moved(packet.pts), moved(packet.dts))
    pointer.pointee.duration = av_rescale_q(packet.duration, tick, target)
    pointer.pointee.pos = -1
    pointer.pointee.stream_index = Int32(index)
    if inner != nil { renewHeaders(of: index, packet, source, own) }
    return true
  }

  /// Tells the decoder of headers that differ from those before.
  private func renewHeaders(of index: Int, _ packet: Packet, _ demuxer: Demuxer, _ own: Int) {
    let new = demuxer.codecHeaders(ofStream: own)
    guard !new.isEmpty, new != headers[index] else { return }
    headers[index] = new
    guard let data = av_packet_new_side_data(packet.pointer, AV_PKT_DATA_NEW_EXTRADATA, new.count) else { return }
    for (i, byte) in new.enumerated() { data[i] = byte }
  }
}

extension Demuxer {
  /// Opens a clip in segments; blocks until the first ones have been read, or it is interrupted.
  ///
  /// - Parameter name: helps to find out the format.
  /// - Throws: `DemuxerError`, `AVError`, or the source's error.
  public static func segments(of source: any SegmentedSource, name: String, interrupter: Interrupter) throws -> Demuxer {
    guard let (run, demuxer) = try SegmentReader.open(source.run(at: source.startMicroseconds), of: source, name: name, interrupter) else {
      throw DemuxerError.unknownFormat
    }
    demuxer.segments = SegmentReader(source, first: run, of: demuxer, name: name, interrupter)
    demuxer.context.pointee.duration = source.durationMicroseconds ?? qd_nopts()
    demuxer.context.pointee.duration_estimation_method = AVFMT_DURATION_FROM_STREAM
    for i in 0..<Int(demuxer.context.pointee.nb_streams) { demuxer.stream(i).pointee.duration = qd_nopts() }
    return demuxer
  }
}
