import DecodePool
import Glibc

/// The sound of a program: one stream to a device, in which any number of voices are mixed.
///
/// Devices are looked for in the background, and again every 2 seconds while there is none; until then voices play silently,
/// with the same timing. Safe from any thread; no method waits for a device.
package final class SoundEngine: Sendable {
  /// Wakes a producer: its voice wants samples, or has a new generation. Called on any thread; must return soon.
  package typealias Wake = @Sendable () -> Void

  private let state: Monitor<EngineState>
  private let wakes = Monitor<[Int: Wake]>([:])
  private let now: @Sendable () -> Int64
  private let makeSilent: SilentOutputMaker
  private let onStatus: @Sendable (SoundStatus) -> Void

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - outputs: makers of outputs, in the order in which they are tried; none for silence.
  ///   - makeSilent: makes the output that is used while no device is open.
  ///   - now: the host's clock, in nanoseconds.
  ///   - onStatus: called with each new status, on any thread; must return soon.
  package init(
    outputs: [OutputMaker] = SoundEngine.systemOutputs, makeSilent: @escaping SilentOutputMaker = TimedOutput.silent,
    now: @escaping @Sendable () -> Int64 = SoundEngine.monotonicNow,
    onStatus: @escaping @Sendable (SoundStatus) -> Void = { _ in }
  ) {
    (self.now, self.makeSilent, self.onStatus) = (now, makeSilent, onStatus)
    let silent = makeSilent(.standard)
    state = Monitor(EngineState(silent, outputs))
    silent.open(self)
    perform(state.withLock { $0.advance(to: now()) })
  }

  deinit { close() }

  /// Ends all sound at once; the engine stays silent.
  package func close() {
    let (output, actions) = state.withLock { ($0.output, $0.close()) }
    output.close()
    for case .close(let other) in actions { other.close() }
  }

  // MARK: Engine

  /// The format that voices are asked for. It changes when a device with another rate is opened.
  package var format: SoundFormat { state.withLock { $0.mixer.format } }

  package var status: SoundStatus { state.withLock { $0.selection.status } }

  package var statistics: SoundStatistics { state.withLock { $0.statistics(now: now()) } }

  /// The gain of all voices, 0…8; 1 by default.
  package var volume: Float {
    get { state.withLock { $0.mixer.masterVolume } }
    set { perform(state.withLock { $0.setMasterVolume(newValue, now: now()) }) }
  }

  /// Names what is played, in the server's list of streams; controls and other invisible characters are removed.
  package func setTitle(_ title: String) {
    let text = SoundTitle.plain(title)
    let output = state.withLock {
      $0.setTitle(text)
      return $0.output
    }
    output.setTitle(text)
  }

  /// Creates a voice. It is removed when it is no longer referenced.
  ///
  /// - Parameter wake: called when the voice wants samples; see `SoundVoice.demand`.
  package func makeVoice(wake: @escaping Wake) -> SoundVoice {
    let id = state.withLock { $0.addVoice() }
    wakes.withLock { $0[id] = wake }
    return SoundVoice(self, id: id)
  }

  func removeVoice(_ id: Int) {
    wakes.withLock { $0[id] = nil }
    perform(state.withLock { $0.removeVoice(id, now: now()) })
  }

  // MARK: Voices

  func demand(of id: Int) -> SoundDemand {
    state.withLock { state in
      state.voice(id)?.demand ?? SoundDemand(format: state.mixer.format, generation: 0, room: 0, ahead: 0)
    }
  }

  func append(
    _ samples: UnsafeBufferPointer<Float>, at place: MediaPlace, mediaPerSample: Double, generation: Int, to id: Int
  ) -> Int? {
    let (count, effects) = state.withLock {
      $0.append(samples, at: place, mediaPerSample: mediaPerSample, generation: generation, to: id, now: now())
    }
    perform(effects)
    return count
  }

  func finish(generation: Int, _ id: Int) {
    state.withLock { _ = $0.update(id) { if $0.generation == generation { $0.finish() } } }
  }

  func flush(_ id: Int) -> Int {
    let (generation, effects) = state.withLock { state in
      let effects = state.change(id, now: now()) { $0.flush() }
      return (state.voice(id)?.generation ?? 0, effects)
    }
    perform(effects)
    return generation
  }

  func play(_ placement: SoundPlacement, _ id: Int) { change(id) { $0.play(placement) } }

  func playAtOnce(_ id: Int) { change(id) { $0.playAtOnce() } }

  func stop(_ id: Int) { change(id) { $0.stop() } }

  func follow(_ placement: SoundPlacement, _ id: Int) {
    perform(state.withLock { $0.follow(placement, id, now: now()) })
  }

  func heard(at host: Int64, _ id: Int) -> MediaPlace? { state.withLock { $0.heard(at: host, id) } }

  func volume(of id: Int) -> Float { state.withLock { $0.voice(id)?.gain.volume ?? 1 } }

  func setVolume(_ volume: Float, of id: Int) { change(id) { $0.setVolume(volume) } }

  func isMuted(_ id: Int) -> Bool { state.withLock { $0.voice(id)?.gain.isMuted ?? false } }

  func setMuted(_ isMuted: Bool, _ id: Int) { change(id) { $0.setMuted(isMuted) } }

  private func change(_ id: Int, _ body: (inout VoiceState) -> Void) {
    perform(state.withLock { $0.change(id, now: now(), body) })
  }

  // MARK: Effects

  /// Does what was decided, without the lock.
  private func perform(_ effects: EngineState.Effects) {
    for action in effects.selection {
      switch action {
      case .open(let output): output.open(self)
      case .close(let output): output.close()
      }
    }
    if effects.setsRunning { setRunning() }
    if effects.rewrites { state.withLock { $0.output }.rewrite() }
    if effects.wakesProducers { wakeProducers() }
    if effects.tellsStatus { onStatus(status) }
  }

  /// Passes on whether the device is to run. Of several threads that do so, the last one sees the final state.
  private func setRunning() {
    while true {
      let (output, isRunning, title) = state.withLock { ($0.output, $0.isRunning, $0.title) }
      output.setTitle(title)
      output.setRunning(isRunning)
      if state.withLock({ $0.output === output && $0.isRunning == isRunning }) { return }
    }
  }

  private func wakeProducers() {
    while let id = state.withLock({ $0.takeWake() }) { wakes.withLock { $0[id] }?() }
  }

  /// The time of CLOCK_MONOTONIC in nanoseconds.
  package static let monotonicNow: @Sendable () -> Int64 = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension SoundEngine: SoundOutputClient {
  package func output(_ output: any SoundOutput, didOpen device: SoundDevice) {
    perform(state.withLock { $0.didOpen(output, device, now: now()) })
  }

  package func output(_ output: any SoundOutput, didCloseBecause reason: String) {
    perform(state.withLock { $0.didClose(output, reason: reason, makeSilent: makeSilent, now: now()) })
  }

  package func output(
    _ output: any SoundOutput, render buffer: UnsafeMutableBufferPointer<Float>, at index: Int64
  ) {
    perform(state.withLock { $0.render(output, buffer, at: index, now: now()) })
  }

  package func output(_ output: any SoundOutput, didRead reading: DeviceReading) {
    perform(state.withLock { $0.didRead(output, reading) })
  }

  package func outputDidLosePlace(_ output: any SoundOutput) { perform(state.withLock { $0.didLosePlace(output) }) }

  package func outputDidUnderrun(_ output: any SoundOutput) { state.withLock { $0.didUnderrun(output) } }
}
