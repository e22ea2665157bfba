import CFFmpeg

/// Reads the packets of a segmented source on one timeline: that of the timestamps of the first run.
///
/// Timestamps of other runs are moved. Those of one group belong together, so once one of its runs has told by how much, all
/// follow: also those of other variants, unless their timestamps turn out to be unrelated. Where a run of another variant begins
/// before the end of what has been read, its first frames are only decoded for those that follow.
///
/// Each packet tells its coding, which may change from run to run. Use from one thread at a time.
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
  let base: Int64
  /// The microseconds to add to timestamps.
  private var offsets: [Place: Int64] = [:]
  /// The stream of the run that is each of the clip's streams, by index.
  private var indices: [Int: Int] = [:]
  private var selection: Set<Int>?
  /// The codings of the first run, and of the current one, by the clip's streams.
  private var firstFormats: [Int: StreamFormat] = [:]
  private var formats: [Int: StreamFormat] = [:]
  /// The end of what has been read of each stream since the last seek, in its ticks.
  private var ends: [Int: Int64] = [:]
  /// The end of what had been read of each stream before the run of another variant.
  private var resumes: [Int: Int64] = [:]

  /// Runs whose timestamps count from the same moment.
  private struct Place: Hashable {
    let group: Int
    let variant: Int
  }

  /// The difference between expected and actual times up to which variants count as in step, in microseconds.
  private static let tolerance: Int64 = 500_000

  private enum State: Equatable {
    case reading
    /// The next packet is that at a time in microseconds of the clip.
    case seeking(Int64)
    case ended
  }

  /// - Parameter base: the timestamp that is the start of the clip, in microseconds; nil to find out from the first run.
  init(
    _ source: any SegmentedSource, first run: SegmentRun, of demuxer: Demuxer, name: String, base: Int64?,
    _ interrupter: Interrupter
  ) {
    (self.source, self.run, self.name, self.interrupter) = (source, run, name, interrupter)
    let start = Self.start(of: demuxer)
    self.base = base ?? start - run.start
    // Timestamps that are not in step with those of the clip belong to a clock of their own.
    let difference = self.base + run.start - start
    offsets[Place(group: run.group, variant: run.variant)] = abs(difference) <= Self.tolerance ? 0 : difference
    // Without memory for it, the coding counts as the same throughout.
    for stream in demuxer.streams { firstFormats[stream.index] = try? StreamFormat(of: demuxer.stream(stream.index)) }
    formats = firstFormats
  }

  /// The coding of a stream's first packets.
  func firstFormat(ofStream index: Int) -> StreamFormat? { firstFormats[index] }

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
        try begin(source.run(at: time, interrupter), for: outer)
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
    let isSought = state != .reading, former = run
    (run, inner, state) = (opened.run, demuxer, .reading)
    if isSought { ends = [:] }
    resumes = !isSought && former.variant != run.variant && former.group == run.group ? ends : [:]
    noteOffset(of: demuxer, outer)
    indices = [:]
    var used: Set<Int> = []
    for stream in outer.streams {
      guard let same = demuxer.streams.first(where: { $0.kind == stream.kind && !used.contains($0.index) }) else { continue }
      indices[stream.index] = same.index
      used.insert(same.index)
      let new = try? StreamFormat(of: demuxer.stream(same.index))
      if let new, formats[stream.index].map({ !$0.isSame(as: new) }) ?? true {
        formats[stream.index] = firstFormats[stream.index].flatMap { $0.isSame(as: new) ? $0 : nil } ?? new
      }
    }
    applySelection()
  }

  /// Finds out by how much the run's timestamps are to be moved, unless it is known.
  private func noteOffset(of demuxer: Demuxer, _ outer: Demuxer) {
    let place = Place(group: run.group, variant: run.variant)
    guard offsets[place] == nil else { return }
    let start = Self.start(of: demuxer)
    var expected = [base + run.start]
    if let video = outer.streams.first(where: { $0.kind == .video }), let end = resumes[video.index] {
      expected.append(av_rescale_q(end, outer.stream(video.index).pointee.time_base, Self.microseconds))
    }
    let shared = offsets.first { known in
      known.key.group == place.group && expected.contains { abs($0 - start - known.value) <= Self.tolerance }
    }
    offsets[place] = shared?.value ?? base + run.start - start
  }

  /// Moves a packet to the clip's timeline. Returns false if it is of no stream of the clip.
  private func place(_ packet: Packet, for outer: Demuxer) -> Bool {
    let source = inner ?? outer, own = packet.streamIndex
    guard let index = inner == nil ? own : indices.first(where: { $0.value == own })?.key else { return false }
    let tick = source.stream(own).pointee.time_base
    let target = outer.stream(index).pointee.time_base, offset = offsets[Place(group: run.group, variant: run.variant)] ?? 0
    func moved(_ time: Int64?) -> Int64 {
      time.map { av_rescale_q($0, tick, target) + av_rescale_q(offset, Self.microseconds, target) } ?? qd_nopts()
    }
    let pointer = packet.pointer
    (pointer.pointee.pts, pointer.pointee.dts) = (moved(packet.pts), moved(packet.dts))
    pointer.pointee.duration = av_rescale_q(packet.duration, tick, target)
    pointer.pointee.pos = -1
    pointer.pointee.stream_index = Int32(index)
    packet.format = formats[index]
    return passesResume(packet, index)
  }

  /// Notes the end of a packet. Returns false for one that repeats what has been read before, and has frames decoded but not shown
  /// that do.
  private func passesResume(_ packet: Packet, _ index: Int) -> Bool {
    guard let pts = packet.pts else { return true }
    let isRepeated = resumes[index].map { pts + packet.duration / 2 < $0 } ?? false
    guard isRepeated else {
      ends[index] = max(ends[index] ?? .min, pts + packet.duration)
      return true
    }
    packet.pointer.pointee.flags |= AV_PKT_FLAG_DISCARD
    return packet.format?.parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
  }
}

extension Demuxer {
  /// Opens a clip in segments; blocks until the first ones have been read, or it is interrupted.
  ///
  /// - Parameters:
  ///   - name: helps to find out the format.
  ///   - base: the timestamp at the start of the clip, in microseconds, if the segments accompany others; nil to find out.
  /// - Throws: `DemuxerError`, `AVError`, or the source's error.
  public static func segments(
    of source: any SegmentedSource, name: String, base: Int64? = nil, interrupter: Interrupter
  ) throws -> Demuxer {
    guard
      let (run, demuxer) = try SegmentReader.open(
        source.run(at: source.startMicroseconds, interrupter), of: source, name: name, interrupter)
    else {
      throw DemuxerError.unknownFormat
    }
    demuxer.segments = SegmentReader(source, first: run, of: demuxer, name: name, base: base, interrupter)
    demuxer.context.pointee.duration = source.durationMicroseconds ?? qd_nopts()
    demuxer.context.pointee.duration_estimation_method = AVFMT_DURATION_FROM_STREAM
    let lead = run.start
    if demuxer.context.pointee.start_time != qd_nopts() { demuxer.context.pointee.start_time -= lead }
    for i in 0..<Int(demuxer.context.pointee.nb_streams) {
      let stream = demuxer.stream(i)
      stream.pointee.duration = qd_nopts()
      // The clip begins earlier than what is read first.
      guard stream.pointee.start_time != qd_nopts() else { continue }
      stream.pointee.start_time -= av_rescale_q(lead, AVRational(num: 1, den: 1_000_000), stream.pointee.time_base)
    }
    return demuxer
  }

  /// The timestamp at the start of a clip in segments, in microseconds; nil for other clips.
  public var segmentBase: Int64? { segments?.base }
}
