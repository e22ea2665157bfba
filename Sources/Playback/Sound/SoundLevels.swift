import Libav

/// The loudness of a hundredth of a second, over all channels.
struct SoundLevel: Hashable, Sendable {
  /// The peak value, 0…1.
  var peak: Float = 0
  /// The root mean square, 0…1.
  var power: Float = 0
  /// The K-weighted mean square, of which loudness is computed.
  var weighted: Float = 0

  static let perSecond = 100
}

/// Levels of a track's sound around a position: decodes on from there, and keeps some seconds. Use from one thread at a
/// time.
final class SoundLevels {
  private let demuxer: Demuxer
  private let decoder: Decoder
  private let track: AssetTrack
  private let startTime: MediaTime
  private let packet: Packet
  private let frame: DecodedFrame
  /// Index of the first of `levels`, counted from time 0.
  private(set) var first = 0
  private var levels: [SoundLevel] = []
  /// Index from which everything is known up to the last level; missing parts are silent.
  private var origin = 0
  private var samples: [Float] = []
  /// Computes the next level; nil before the first sample.
  private var meter: SoundMeter?
  /// The next sample's time in samples of `rate`; nil before the first one.
  private var clock: (sample: Int64, rate: Int)?
  private var isDraining = false
  /// Index after the last level; nil until the end has been decoded.
  private(set) var end: Int?

  /// The maximum number of levels kept.
  private static let capacity = 6000
  /// The maximum difference of timestamps and samples in seconds, and the longest gap where it may be a jump.
  private static let maxDrift = 0.1
  private static let maxGap = 10.0
  /// The largest sample index considered.
  private static let farthest = 1e15

  /// - Throws: `DecoderError` or `AVError`.
  init(_ demuxer: Demuxer, track: AssetTrack, startTime: MediaTime) throws {
    self.demuxer = demuxer
    self.track = track
    self.startTime = startTime
    decoder = try Decoder(demuxer: demuxer, stream: track.index, threads: 1)
    packet = try Packet()
    frame = try DecodedFrame()
    demuxer.select(streams: [track.index])
  }

  /// Index after the last known level.
  var known: Int { first + levels.count }

  /// Returns true if a range is known as far as there is sound; time before 0 is silent.
  func isKnown(_ range: Range<Int>) -> Bool {
    end != nil || (max(0, range.lowerBound) >= origin && range.upperBound <= known)
  }

  /// Returns the levels of a range, with silence where there is no sound.
  subscript(range: Range<Int>) -> [SoundLevel] {
    range.map { self[$0] }
  }

  /// Returns the level with an index; silence where there is no sound.
  subscript(index: Int) -> SoundLevel { levels.indices.contains(index - first) ? levels[index - first] : SoundLevel() }

  /// Continues decoding so that a range becomes known, from the current position or from a place before the range.
  ///
  /// - Throws: an error if the source cannot seek there.
  func approach(_ range: Range<Int>) throws {
    let start = max(0, range.lowerBound)
    if start >= origin, start <= known + 5 * SoundLevel.perSecond { return }
    // Sound decoders need some packets of preroll.
    let time = MediaTime(value: Int64(max(0, start - SoundLevel.perSecond / 2)), timescale: Int32(SoundLevel.perSecond))
    if time == .zero {
      try demuxer.rewind()
    } else {
      try demuxer.seek(stream: track.index, toKeyAtOrBefore: (time + startTime).ticks(in: track.timeBase) ?? 0)
    }
    decoder.flush()
    forget()
    origin = start
  }

  /// Seeks to the beginning.
  ///
  /// - Throws: an error if the source cannot seek there.
  func rewind() throws {
    guard origin > 0 || isDraining || !levels.isEmpty else { return }
    try demuxer.rewind()
    decoder.flush()
    forget()
  }

  private func forget() {
    (levels, first, clock, meter, isDraining) = ([], 0, nil, nil, false)
    (end, origin) = (nil, 0)
  }

  /// True if the data was found to be truncated.
  var isCutOff: Bool { demuxer.isCutOff }

  /// Decodes a packet. Do not call it once the end is known.
  ///
  /// - Throws: `AVError` if nothing more can be read.
  func decode() throws {
    if !isDraining {
      if try demuxer.read(into: packet) == .packet {
        guard packet.streamIndex == track.index else { return }
        // Damaged packets are ignored.
        _ = try? decoder.send(packet)
      } else {
        isDraining = true
        _ = try? decoder.send(nil)
      }
    }
    while true {
      let result = (try? decoder.receive(into: frame)) ?? (isDraining ? .endOfStream : .needsPacket)
      switch result {
      case .frame: take()
      case .needsPacket: return
      case .endOfStream:
        if isDraining { finish() }
        return
      }
    }
  }

  private func take() {
    let rate = frame.sampleRate, places = frame.channelPlaces
    guard rate > 0, rate <= 1_000_000, !places.isEmpty else { return }
    frame.readSamples(into: &samples)
    var start = 0
    let count = samples.count / places.count
    var meter = meter.flatMap { $0.isFor(sampleRate: rate, places: places) ? $0 : nil }
      ?? SoundMeter(sampleRate: rate, places: places)
    var clock = clock.flatMap { $0.rate == rate ? $0 : nil } ?? (sample: -1, rate: rate)
    let stamp = frame.bestEffortTimestamp.map { MediaTime(ticks: $0, in: track.timeBase) - startTime }
    if clock.sample < 0 || stamp.map({ isBehindGap($0, clock) }) ?? false {
      let time = stamp ?? .zero
      clock.sample = Int64(min(max((time.seconds * Double(rate)).rounded(), -Self.farthest), Self.farthest))
      // Sound before time 0 is not heard.
      start = Int(max(0, min(-clock.sample, Int64(count))))
      clock.sample = max(0, clock.sample)
      let index = Int(clock.sample) * SoundLevel.perSecond / rate
      // A file may contain any timestamp: a distant time is not reached level by level.
      if levels.isEmpty || index - known > Self.capacity { (levels, first) = ([], index) }
    }
    samples.withUnsafeBufferPointer { samples in
      guard let values = samples.baseAddress else { return }
      var position = start
      while position < count {
        let index = Int(clock.sample) * SoundLevel.perSecond / rate
        while index > known { levels.append(meter.take()) }
        // Up to the first sample of the next level.
        let next = ((index + 1) * rate + SoundLevel.perSecond - 1) / SoundLevel.perSecond
        let step = min(count - position, max(1, next - Int(clock.sample)))
        meter.add(values + position * places.count, count: step)
        position += step
        clock.sample += Int64(step)
      }
    }
    (self.clock, self.meter) = (clock, meter)
    if levels.count > Self.capacity {
      let dropped = levels.count - Self.capacity / 2
      levels.removeFirst(dropped)
      first += dropped
      origin = first
    }
  }

  /// Returns true if sound is missing before a time. Where a format's stamps may jump, a long way is no gap.
  private func isBehindGap(_ time: MediaTime, _ clock: (sample: Int64, rate: Int)) -> Bool {
    let gap = time.seconds - Double(clock.sample) / Double(clock.rate)
    return gap > Self.maxDrift && (gap < Self.maxGap || !demuxer.mayBeDiscontinuous)
  }

  private func finish() {
    if var meter, !meter.isEmpty { levels.append(meter.take()) }
    meter = nil
    end = known
  }
}
