import Libav

/// A form of sound: interleaved 32-bit float samples.
struct SoundForm: Hashable, Sendable {
  /// Samples per second, of each channel.
  var rate: Int
  /// 1 or 2.
  var channels: Int

  /// Returns the index of the sample at a time; times out of reach count as the limit.
  func index(at nanoseconds: Int64) -> Int64 {
    let (seconds, rest) = nanoseconds.withinReach.quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds * Int64(rate) + (rest * Int64(rate) + (rest < 0 ? -500_000_000 : 500_000_000)) / 1_000_000_000
  }

  /// Returns the time of a sample in nanoseconds.
  func nanoseconds(at index: Int64) -> Int64 {
    let (seconds, rest) = index.quotientAndRemainder(dividingBy: Int64(rate))
    return Int64(saturating: Double(seconds) * 1e9).saturatingAdd(rest * 1_000_000_000 / Int64(rate))
  }
}

/// A source of samples that can begin anywhere. Use from one thread at a time.
protocol SampleSource: AnyObject {
  /// The index of the next sample, counted from time zero.
  var position: Int64 { get }

  /// Continues at a sample, exactly.
  ///
  /// - Throws: an error if the source cannot go there.
  func seek(to position: Int64) throws

  /// Appends the next samples. Returns false at the end; true if there may be more, even if there were none this time.
  ///
  /// - Throws: an error if nothing more can be read.
  func read(into samples: inout [Float]) throws -> Bool
}

/// Reads one track's sound as a continuous sequence of samples on the asset's timeline.
///
/// Samples before time zero are left out. Timestamps place the first sample after a seek; from then on samples follow one
/// another, and timestamps only tell of holes, which are silent, and of overlaps, which are cut.
final class SoundReader: SampleSource {
  let form: SoundForm
  private(set) var position: Int64 = 0
  private let demuxer: Demuxer
  private var decoder: Decoder
  private let converter: SoundConverter
  private let stream: StreamInfo
  private let startTime: MediaTime
  private let packet: Packet
  private let frame: DecodedFrame
  /// The samples since the last hole, seek or change of form; nil before the first.
  private var run: Run?
  private var scratch: [Float] = []
  /// Silence to be returned before anything else, in samples, and what follows it.
  private var hole: (count: Int64, following: [Float]) = (0, [])
  private var phase = Phase.reading
  private var landing = Landing.start
  /// Indexes of frames by their timestamps, as counted from the beginning. Timestamps may be less exact: those of Matroska are
  /// whole milliseconds.
  private var known: [Int64: Int64] = [:]
  private static let maxKnown = 1 << 16
  /// Added to timestamps, which may jump in formats such as MPEG-TS.
  private var stampOffset: Int64 = 0

  private enum Landing {
    /// The source went to its beginning.
    case start
    /// The source went to a place before the target by some seconds; the first samples tell where it arrived.
    case expected(early: Double)
    case done
  }

  private enum Phase {
    case reading
    /// The decoder gives its last frames.
    case draining
    case ended
  }

  /// Consecutive samples.
  private struct Run {
    /// The index of the next sample that the converter returns.
    var next: Int64
    /// The index of the next sample sent to it, and of the first one.
    let first: Int64
    var sent: Int64 = 0
    let rate: Int
    /// True if indexes were counted from the beginning.
    let isCounted: Bool

    init(at index: Int64, rate: Int, isCounted: Bool) { (next, first, self.rate, self.isCounted) = (index, index, rate, isCounted) }

    func expected(at outputRate: Int) -> Int64 {
      let (seconds, rest) = sent.quotientAndRemainder(dividingBy: Int64(rate))
      return first + seconds * Int64(outputRate) + rest * Int64(outputRate) / Int64(rate)
    }
  }

  /// The time before a target at which decoding begins, since decoders need the packets before; and for a second attempt, if
  /// the source then arrived after the target.
  private static let preroll = 0.25
  private static let longPreroll = 5.0
  /// Deviations of timestamps from the count of samples that are only imprecise.
  private static let jitter = 0.03
  /// A change of timestamps that is a jump, in formats that have them.
  private static let jump = 10.0
  /// The largest index considered; files may contain any timestamp.
  private static let farthest: Int64 = 1 << 50

  /// - Parameters:
  ///   - stream: a sound stream of the demuxer.
  ///   - startTime: the timestamp that is time zero.
  /// - Throws: `DecoderError` or `AVError`.
  init(_ demuxer: Demuxer, stream: StreamInfo, startTime: MediaTime, form: SoundForm) throws {
    self.demuxer = demuxer
    self.stream = stream
    self.startTime = startTime
    self.form = form
    decoder = try Decoder(demuxer: demuxer, stream: stream.index, threads: 1)
    converter = SoundConverter(sampleRate: form.rate, channelCount: form.channels)
    packet = try Packet()
    frame = try DecodedFrame()
    demuxer.select(streams: [stream.index])
  }

  func seek(to position: Int64) throws {
    let target = min(max(0, position), Self.farthest)
    // What lies shortly ahead is read on to.
    if phase == .reading, run != nil, hole.count == 0, target >= self.position, target - self.position <= Int64(form.rate) / 4 {
      self.position = target
      return
    }
    try go(to: target, early: Self.preroll)
    self.position = target
  }

  private func go(to target: Int64, early: Double) throws {
    let start = target - Int64(early * Double(form.rate))
    let time = MediaTime(value: start, timescale: Int32(clamping: form.rate)) + startTime
    if start <= 0 {
      // The packets before time zero are needed, too: the first samples depend on them.
      do {
        try demuxer.seek(stream: stream.index, toKeyAtOrBefore: time.ticks(in: stream.timeBase) ?? 0)
      } catch {
        try demuxer.rewind()
      }
      // Some decoders mix the end of what came before into the first samples, even when they are flushed.
      decoder = try Decoder(demuxer: demuxer, stream: stream.index, threads: 1)
    } else {
      try demuxer.seek(stream: stream.index, toKeyAtOrBefore: time.ticks(in: stream.timeBase) ?? 0)
    }
    decoder.flush()
    converter.reset()
    (run, phase, stampOffset, hole) = (nil, .reading, 0, (0, []))
    landing = start <= 0 ? .start : .expected(early: early)
  }

  func read(into samples: inout [Float]) throws -> Bool {
    if hole.count > 0 {
      fillHole(into: &samples)
      return true
    }
    switch phase {
    case .reading:
      if try demuxer.read(into: packet) == .packet {
        guard packet.streamIndex == stream.index else { return true }
        // Damaged packets are ignored.
        _ = try? decoder.send(packet)
      } else {
        phase = .draining
        _ = try? decoder.send(nil)
      }
    case .draining: break
    case .ended: return false
    }
    while true {
      switch (try? decoder.receive(into: frame)) ?? (phase == .draining ? .endOfStream : .needsPacket) {
      case .frame:
        let isBehind = try take(into: &samples)
        if !isBehind { continue }
        return true
      case .needsPacket: return true
      case .endOfStream:
        guard phase == .draining else { return true }
        endRun(into: &samples)
        phase = .ended
        return hole.count > 0
      }
    }
  }

  /// Takes the decoder's frame. Returns true if reading has begun anew elsewhere.
  private func take(into samples: inout [Float]) throws -> Bool {
    let rate = frame.sampleRate
    guard rate > 0, rate <= 1_000_000, frame.sampleCount > 0 else { return false }
    if converter.isOtherForm(frame) { endRun(into: &samples) }
    let timestamp = frame.bestEffortTimestamp
    let stamp = timestamp.map { index(of: MediaTime(ticks: $0, in: stream.timeBase) - startTime) }
    if var stamp, let expected = run?.expected(at: form.rate) {
      stamp += stampOffset
      let deviation = Double(stamp - expected) / Double(form.rate)
      if abs(deviation) > Self.jump, demuxer.mayBeDiscontinuous {
        stampOffset += expected - stamp
      } else if abs(deviation) > Self.jitter {
        endRun(into: &samples)
      }
    }
    let isAtStart = if case .start = landing { true } else { false }
    if case .expected(let early) = landing, let stamp, early < Self.longPreroll,
      stamp > position + Int64(Self.jitter * Double(form.rate))
    {
      try go(to: position, early: Self.longPreroll)
      return true
    }
    landing = .done
    let counted = timestamp.flatMap { known[$0] }
    var run = run ?? Run(
      at: counted ?? stamp.map { $0 + stampOffset } ?? position, rate: rate, isCounted: counted != nil || isAtStart)
    if run.isCounted, let timestamp, known.count < Self.maxKnown { known[timestamp] = run.expected(at: form.rate) }
    scratch.removeAll(keepingCapacity: true)
    try? converter.convert(frame, into: &scratch)
    run.sent += Int64(frame.sampleCount)
    emit(&run, into: &samples)
    self.run = run
    return false
  }

  private func index(of time: MediaTime) -> Int64 {
    min(max(form.index(at: time.clockNanoseconds ?? 0), -Self.farthest), Self.farthest)
  }

  /// Ends consecutive samples with those that the converter has kept.
  private func endRun(into samples: inout [Float]) {
    guard var run else { return }
    scratch.removeAll(keepingCapacity: true)
    converter.drain(into: &scratch)
    emit(&run, into: &samples)
    self.run = nil
  }

  /// Appends the converted samples that follow `position`; after a hole, once its silence has been returned.
  private func emit(_ run: inout Run, into samples: inout [Float]) {
    let first = run.next
    run.next += Int64(scratch.count / form.channels)
    let reached = position + hole.count + Int64(hole.following.count / form.channels)
    guard run.next > reached else { return }
    let new = scratch.dropFirst(Int(max(0, reached - first)) * form.channels)
    if hole.count > 0 {
      hole.following += new
    } else if first > position {
      hole = (first - position, Array(new))
    } else {
      samples += new
      position = run.next
    }
  }

  /// Returns silence in parts, since a file may have a hole of any length.
  private func fillHole(into samples: inout [Float]) {
    let count = min(hole.count, Int64(form.rate) / 10)
    samples.append(contentsOf: repeatElement(0, count: Int(count) * form.channels))
    position += count
    hole.count -= count
    guard hole.count == 0 else { return }
    samples += hole.following
    position += Int64(hole.following.count / form.channels)
    hole.following = []
  }
}
