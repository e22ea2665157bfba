/// A voice as the mixer sees it: its samples, and where they lie on the device's indexes. Not safe from threads.
struct VoiceState {
  let id: Int
  private(set) var ring: SampleRing
  private(set) var generation = 1
  private(set) var transport = Transport.stopped
  private(set) var alignment: Alignment?
  private(set) var gain = VoiceGain()
  private var supply = Supply.wanted
  /// The position after the last sample rendered.
  private var rendered: Int64 = 0
  private(set) var starvations = 0

  enum Transport: Hashable {
    case stopped
    case playing(SoundPlacement)
    /// From the first sample on, as soon as the device allows, by no clock.
    case atOnce
  }

  /// The place of the samples on the device: position = index - offset.
  struct Alignment: Hashable {
    let offset: Int64
    /// The first position that is heard.
    let first: Int64
  }

  /// The producer's part.
  private enum Supply {
    /// It has not been woken since it last added samples.
    case wanted
    /// It was woken, and has not added samples since.
    case asked
    /// It has no more.
    case finished
  }

  /// Nanoseconds of samples kept: ahead of those rendered, and after they were rendered. The latter covers what is queued in
  /// devices, so that it can be rendered again.
  static let ahead: Int64 = 400_000_000
  static let behind: Int64 = 1_000_000_000
  /// The least room, in nanoseconds, for which a producer is woken.
  private static let wakeRoom: Int64 = 100_000_000
  /// The deviation in nanoseconds from the player's clock beyond which samples are placed anew.
  static let maxDeviation: Int64 = 100_000_000

  init(id: Int, format: SoundFormat) {
    self.id = id
    ring = Self.makeRing(format)
  }

  private static func makeRing(_ format: SoundFormat) -> SampleRing {
    SampleRing(format: format, capacity: format.sampleCount(nanoseconds: ahead + behind))
  }

  // MARK: Samples

  var demand: SoundDemand {
    SoundDemand(format: ring.format, generation: generation, room: room, ahead: Int(ring.end - rendered))
  }

  private var room: Int {
    let wanted = rendered + Int64(ring.format.sampleCount(nanoseconds: Self.ahead)) - ring.end
    return max(0, min(Int(wanted), ring.room))
  }

  /// Adds samples. The second result is true if some belong to indexes that were rendered without them.
  ///
  /// - Parameter heard: the index that is heard now; nil if unknown.
  mutating func append(
    _ samples: UnsafeBufferPointer<Float>, at place: MediaPlace, mediaPerSample: Double, rendered index: Int64, heard: Double?
  ) -> (count: Int, isLate: Bool) {
    let end = ring.end
    let offered = UnsafeBufferPointer(rebasing: samples.prefix(room * ring.format.channels))
    let count = ring.append(offered, at: place, mediaPerSample: mediaPerSample)
    guard count > 0 else { return (0, false) }
    supply = .wanted
    guard transport != .stopped else { return (count, false) }
    guard let alignment else { return (count, true) }
    if end > alignment.first, let heard, heard > Double(end + alignment.offset) { starvations += 1 }
    return (count, end + alignment.offset < index && ring.end > alignment.first)
  }

  mutating func finish() { supply = .finished }

  /// Drops all samples and stops: the clock of the time before says nothing about those that follow.
  mutating func flush() {
    transport = .stopped
    ring.removeAll()
    startGeneration()
  }

  mutating func changeFormat(_ format: SoundFormat) {
    ring = Self.makeRing(format)
    startGeneration()
  }

  private mutating func startGeneration() {
    generation += 1
    rendered = 0
    alignment = nil
    supply = .wanted
  }

  /// True if the producer is to be woken.
  var wantsWake: Bool { supply == .wanted && room >= ring.format.sampleCount(nanoseconds: Self.wakeRoom) }

  /// Returns `wantsWake`, true once only.
  mutating func takeWake() -> Bool {
    guard wantsWake else { return false }
    supply = .asked
    return true
  }

  // MARK: Time

  mutating func play(_ placement: SoundPlacement) {
    transport = .playing(placement)
    alignment = nil
  }

  mutating func playAtOnce() {
    transport = .atOnce
    alignment = nil
  }

  /// Takes over a corrected clock, and returns true if the samples are too far from it.
  mutating func follow(_ placement: SoundPlacement, heard: MediaPlace?, at host: Int64) -> Bool {
    guard case .playing = transport else { return false }
    transport = .playing(placement)
    guard let heard, heard.timeline == placement.timeline,
      abs(Double(heard.media) - placement.media(at: Double(host))) > Double(Self.maxDeviation)
    else { return false }
    alignment = nil
    return true
  }

  mutating func stop() {
    transport = .stopped
    alignment = nil
  }

  /// Forgets the place on the device, whose indexes have no known time any more. Samples without a clock stay where they are.
  mutating func loseAlignment() {
    if transport != .atOnce { alignment = nil }
  }

  /// Forgets the place on a device that has been replaced. What belongs to no clock does not come later.
  mutating func loseDevice() {
    if transport == .atOnce { transport = .stopped }
    alignment = nil
  }

  /// Places the samples where the player's clock wants them, if they have no place.
  mutating func align(at index: Int64, clock: DeviceClock) {
    if transport == .atOnce, alignment == nil, ring.end > ring.start {
      alignment = Alignment(offset: index - ring.start, first: ring.start)
      return
    }
    guard case .playing(let placement) = transport, alignment == nil, let moment = clock.host(of: Double(index)),
      let position = ring.position(media: placement.media(at: moment), timeline: placement.timeline), abs(position) < 1e15
    else { return }
    // Before its start, a player's clock stands.
    let isAhead = Double(placement.host) > moment
    let start = isAhead ? ring.position(media: Double(placement.media), timeline: placement.timeline) : nil
    alignment = Alignment(
      offset: index - Int64(position.rounded()), first: max(ring.start, start.map { Int64($0.rounded()) } ?? 0))
    rendered = max(ring.start, min(Int64(position.rounded()), ring.end))
  }

  /// The media heard at an index; nil if no samples are in place for it.
  func heard(at index: Double) -> MediaPlace? {
    guard let alignment else { return nil }
    let position = index - Double(alignment.offset)
    guard position >= Double(max(alignment.first, ring.start)), position <= Double(ring.end) else { return nil }
    return ring.place(at: position)
  }

  // MARK: Mixing

  mutating func setVolume(_ volume: Float) { gain.volume = volume.isFinite ? min(max(volume, 0), VoiceGain.max) : gain.volume }

  mutating func setMuted(_ isMuted: Bool) { gain.isMuted = isMuted }

  /// True if the voice plays and can be heard.
  var isAudible: Bool { transport != .stopped && gain.linear > 0 }

  /// Adds the samples of some indexes to a mix.
  mutating func mix(into buffer: UnsafeMutableBufferPointer<Float>, at index: Int64, gain master: Float) {
    guard let alignment, let mix = buffer.baseAddress else { return }
    let channels = ring.format.channels
    let begin = index - alignment.offset
    let end = begin + Int64(buffer.count / channels)
    let gain = gain.linear * master
    if gain > 0 {
      let lower = min(max(begin, alignment.first, ring.start), end)
      let upper = max(lower, min(end, ring.end))
      let ramp = Ramp(format: ring.format)
      ring.withValues(lower..<upper) { values, first, count in
        let target = mix + Int(first - begin) * channels
        let rising = min(max(0, Int(alignment.first + Int64(ramp.count) - first)), count)
        for sample in 0..<rising {
          let level = gain * ramp[Int(first - alignment.first) + sample]
          for channel in 0..<channels { target[sample * channels + channel] += level * values[sample * channels + channel] }
        }
        for value in rising * channels..<count * channels { target[value] += gain * values[value] }
      }
      fadeAfterEnd(mix, from: begin, to: end, gain: gain, ramp)
    }
    rendered = max(ring.start, end)
    let kept = Int64(ring.format.sampleCount(nanoseconds: Self.behind))
    // What is rendered may yet be rendered again.
    if transport == .atOnce, supply == .finished, begin > ring.end + kept { transport = .stopped }
    ring.trim(before: end - kept)
  }

  /// Lets the last value die away after the end of the samples, which may be anywhere in a wave.
  private func fadeAfterEnd(
    _ mix: UnsafeMutablePointer<Float>, from begin: Int64, to end: Int64, gain: Float, _ ramp: Ramp
  ) {
    let channels = ring.format.channels
    guard let alignment, ring.end > max(ring.start, alignment.first) else { return }
    let lower = max(begin, ring.end)
    let upper = min(end, ring.end + Int64(ramp.count))
    guard lower < upper else { return }
    let gain = gain * ramp[Int(ring.end - 1 - alignment.first)]
    ring.withValues(ring.end - 1..<ring.end) { values, _, _ in
      for position in lower..<upper {
        let level = gain * (1 - ramp[Int(position - ring.end)])
        for channel in 0..<channels { mix[Int(position - begin) * channels + channel] += level * values[channel] }
      }
    }
  }
}

/// The gain of a voice.
struct VoiceGain: Hashable {
  var volume: Float = 1
  var isMuted = false

  static let max: Float = 8

  var linear: Float { isMuted ? 0 : volume }
}

/// A linear ramp of 5 ms.
struct Ramp {
  /// The number of samples before it reaches 1.
  let count: Int

  init(format: SoundFormat) { count = format.sampleCount(nanoseconds: 5_000_000) }

  /// The level at a sample of the ramp, more than 0.
  subscript(sample: Int) -> Float { sample >= count ? 1 : Float(max(0, sample) + 1) / Float(count + 1) }
}
