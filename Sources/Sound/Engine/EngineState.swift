/// All that an engine's lock protects. Transitions return effects, for when the lock is released. Not safe from threads.
struct EngineState {
  private(set) var mixer: Mixer
  private(set) var clock: DeviceClock
  private(set) var selection: OutputSelection
  /// The output that asks for samples.
  private(set) var output: any SoundOutput
  private(set) var title = ""
  private(set) var lastReading: DeviceReading?
  private var device = DeviceState.paused
  private var nextID = 1
  private var counts = Counts()

  private struct Counts {
    var underruns = 0
    var rewrites = 0
    var starvationsOfRemoved = 0
  }

  private enum DeviceState {
    case paused
    case running
    /// Nothing has been heard since this moment.
    case idle(since: Int64)
  }

  /// Actions to perform without the lock.
  struct Effects {
    var rewrites = false
    var setsRunning = false
    var selection: [OutputSelection.Action] = []
    var tellsStatus = false
    var wakesProducers = false

    static let none = Effects()
    static let change = Effects(rewrites: true)

    mutating func merge(_ other: Effects) {
      rewrites = rewrites || other.rewrites
      setsRunning = setsRunning || other.setsRunning
      selection += other.selection
      tellsStatus = tellsStatus || other.tellsStatus
      wakesProducers = wakesProducers || other.wakesProducers
    }
  }

  /// Nanoseconds of silence after which the device is paused.
  static let idleTime: Int64 = 5_000_000_000

  init(_ silent: any SoundOutput, _ makers: [OutputMaker]) {
    mixer = Mixer(format: .standard)
    clock = DeviceClock(rate: SoundFormat.standard.rate)
    selection = OutputSelection(makers)
    output = silent
  }

  // MARK: Voices

  mutating func addVoice() -> Int {
    defer { nextID += 1 }
    mixer.voices.append(VoiceState(id: nextID, format: mixer.format))
    return nextID
  }

  mutating func removeVoice(_ id: Int, now: Int64) -> Effects {
    guard let index = mixer.voices.firstIndex(where: { $0.id == id }) else { return .none }
    counts.starvationsOfRemoved += mixer.voices[index].starvations
    mixer.voices.remove(at: index)
    return didChange(now: now)
  }

  func voice(_ id: Int) -> VoiceState? { mixer.voices.first { $0.id == id } }

  /// Changes a voice in place, if it exists.
  mutating func update<R>(_ id: Int, _ body: (inout VoiceState) -> R) -> R? {
    guard let index = mixer.voices.firstIndex(where: { $0.id == id }) else { return nil }
    return body(&mixer.voices[index])
  }

  /// Changes a voice so that it sounds different.
  mutating func change(_ id: Int, now: Int64, _ body: (inout VoiceState) -> Void) -> Effects {
    guard update(id, body) != nil else { return .none }
    return didChange(now: now)
  }

  mutating func append(
    _ samples: UnsafeBufferPointer<Float>, at place: MediaPlace, mediaPerSample: Double, generation: Int, to id: Int, now: Int64
  ) -> (count: Int?, effects: Effects) {
    let rendered = mixer.rendered
    let heard = clock.index(at: Double(now))
    let result = update(id) { voice -> (count: Int, isLate: Bool)? in
      guard voice.generation == generation else { return nil }
      return voice.append(samples, at: place, mediaPerSample: mediaPerSample, rendered: rendered, heard: heard)
    }
    guard let result = result ?? nil else { return (nil, .none) }
    guard result.isLate else { return (result.count, .none) }
    mixer.noteChange()
    return (result.count, .change)
  }

  func heard(at host: Int64, _ id: Int) -> MediaPlace? {
    guard let index = clock.index(at: Double(host)) else { return nil }
    return voice(id)?.heard(at: index)
  }

  mutating func follow(_ placement: SoundPlacement, _ id: Int, now: Int64) -> Effects {
    let heard = heard(at: now, id)
    guard update(id, { $0.follow(placement, heard: heard, at: now) }) == true else { return .none }
    return didChange(now: now)
  }

  mutating func setMasterVolume(_ volume: Float, now: Int64) -> Effects {
    mixer.setMasterVolume(volume)
    return didChange(now: now)
  }

  /// Notes a change of what is heard, and starts the device if it is needed.
  private mutating func didChange(now: Int64) -> Effects {
    mixer.noteChange()
    var effects = Effects.change
    switch (device, mixer.isAudible) {
    case (.paused, true):
      device = .running
      effects.setsRunning = true
    case (.idle, true): device = .running
    case (.running, false): device = .idle(since: now)
    default: break
    }
    return effects
  }

  // MARK: Output

  mutating func render(
    _ caller: any SoundOutput, _ buffer: UnsafeMutableBufferPointer<Float>, at index: Int64, now: Int64
  ) -> Effects {
    guard caller === output else {
      buffer.update(repeating: 0)
      return .none
    }
    if index < mixer.rendered { counts.rewrites += 1 }
    mixer.render(into: buffer, at: index, clock: clock)
    var effects = Effects()
    effects.wakesProducers = mixer.voices.contains { $0.wantsWake }
    // A voice without a clock ends by itself.
    if case .running = device, !mixer.isAudible { device = .idle(since: now) }
    if case .idle(let time) = device, now - time >= Self.idleTime {
      pause()
      effects.setsRunning = true
    }
    // Silence has a thread that comes by often enough to look for devices.
    if output.kind == .silent { effects.merge(advance(to: now)) }
    return effects
  }

  /// Takes the index of a producer that is to be woken.
  mutating func takeWake() -> Int? {
    for index in mixer.voices.indices where mixer.voices[index].takeWake() { return mixer.voices[index].id }
    return nil
  }

  private mutating func pause() {
    device = .paused
    losePlace()
  }

  mutating func losePlace() {
    clock.restart()
    lastReading = nil
    mixer.loseAlignments()
  }

  mutating func didRead(_ caller: any SoundOutput, _ reading: DeviceReading) -> Effects {
    guard caller === output, isRunning else { return .none }
    lastReading = reading
    guard clock.add(reading) == .started else { return .none }
    mixer.loseAlignments()
    return .change
  }

  mutating func didLosePlace(_ caller: any SoundOutput) -> Effects {
    guard caller === output else { return .none }
    losePlace()
    return .change
  }

  mutating func didUnderrun(_ caller: any SoundOutput) { if caller === output { counts.underruns += 1 } }

  var isRunning: Bool {
    if case .paused = device { false } else { true }
  }

  mutating func advance(to now: Int64) -> Effects {
    let before = selection.status
    let actions = selection.advance(to: now)
    return Effects(selection: actions, tellsStatus: selection.status != before)
  }

  mutating func didOpen(_ opened: any SoundOutput, _ opensDevice: SoundDevice, now: Int64) -> Effects {
    if opened === output { return .none }
    guard selection.didOpen(opened, opensDevice) else { return Effects(selection: [.close(opened)]) }
    let silent = output
    // It runs from the beginning: what is played first would miss the time that a device takes to start.
    if case .paused = device { device = .idle(since: now) }
    var effects = use(opened, opensDevice.format)
    effects.selection = [.close(silent)]
    return effects
  }

  mutating func didClose(
    _ closed: any SoundOutput, reason: String, makeSilent: SilentOutputMaker, now: Int64
  ) -> Effects {
    let before = selection.status
    let (actions, wasOpen) = selection.didClose(closed, reason: reason, now: now)
    var effects = Effects()
    if wasOpen {
      let silent = makeSilent(mixer.format)
      effects = use(silent, mixer.format)
      effects.selection = [.open(silent)]
    }
    effects.selection += actions
    effects.tellsStatus = selection.status != before
    return effects
  }

  private mutating func use(_ new: any SoundOutput, _ format: SoundFormat) -> Effects {
    output = new
    mixer.restart(format)
    clock = DeviceClock(rate: format.rate)
    lastReading = nil
    return Effects(rewrites: true, setsRunning: true, tellsStatus: true, wakesProducers: true)
  }

  mutating func setTitle(_ title: String) { self.title = title }

  mutating func close() -> [OutputSelection.Action] {
    device = .paused
    return selection.close()
  }

  // MARK: Statistics

  /// More nanoseconds than a device can mean, whatever a server says.
  private static let longest = 1e15

  private func nanoseconds(_ samples: Double) -> Int64 {
    Int64(min(max(0, samples) * mixer.format.sampleDuration, Self.longest))
  }

  func statistics(now: Int64) -> SoundStatistics {
    var result = SoundStatistics()
    result.status = selection.status
    result.format = mixer.format
    result.isRunning = isRunning
    if let reading = lastReading {
      let heard = clock.index(at: Double(now)) ?? reading.heard
      result.latency = nanoseconds(Double(mixer.rendered) - heard)
      result.fixedLatency = nanoseconds(Double(reading.taken) - reading.heard)
    }
    result.drift = clock.measuredDrift.map { $0 * 1e6 }
    result.spread = clock.spread.map { Int64(min($0, Self.longest)) }
    result.underruns = counts.underruns
    result.starvations = mixer.voices.reduce(counts.starvationsOfRemoved) { $0 + $1.starvations }
    result.rewrites = counts.rewrites
    result.losses = selection.losses
    return result
  }
}
