import DecodePool
import Sound
import Synchronization

/// The sound of one player: keeps a voice on the course of the player's clock.
///
/// Safe to use from any thread.
final class PlayerSound: Sendable {
  private struct State {
    var follower = SoundFollower()
    /// The course last followed, and the number of the change that led to it: threads may bring them in another order.
    var course = SoundCourse()
    var version = 0
    var items: [Int: PlayerItem] = [:]
    var algorithm = AudioTimePitchAlgorithm.timeDomain
    /// The time by which the sound comes after the clock.
    var delay: HostTime = 0
  }

  private let voice: SoundVoice
  private let renderer: SoundRenderer
  private let lane: Lane
  private let clock: any HostClock
  private let state = Mutex(State())

  /// - Parameter didFindEnd: called on any thread with the number of an item that is nothing but sound, and the media time at which
  ///   that has been found to end.
  init(
    _ engine: SoundEngine, pool: DecodePool, clock: any HostClock, didFindEnd: @escaping @Sendable (Int, Int64) -> Void
  ) {
    self.clock = clock
    let owner = WeakOwner<PlayerSound>()
    voice = engine.makeVoice { owner.object?.wake() }
    renderer = SoundRenderer(voice, now: { clock.time }, didFindEnd: didFindEnd) { owner.object?.restart() }
    lane = pool.makeLane { [renderer] in renderer.step() } whenUnserved: { _ in }
    owner.set(self)
  }

  deinit { lane.close() }

  /// Follows the player's clock. Neither this item nor the next may have sound: then nothing is played, not even silence.
  ///
  /// - Parameters:
  ///   - version: counts the changes of the course.
  ///   - items: the items of the course, by number.
  func follow(_ course: SoundCourse, version: Int, items: [Int: PlayerItem]) {
    state.withLock { state in
      guard version > state.version else { return }
      let isSilent = ![course.run.item, course.next?.run.item].contains { $0.flatMap { items[$0] }?.mayHaveSound == true }
      let course = isSilent ? course.silent : course
      (state.version, state.course, state.items) = (version, course, items)
      perform(state.follower.follow(course, at: clock.time), &state)
    }
    wake()
  }

  /// Renders the present course anew, because of another track, format, delay or treatment of pitch.
  func restart() {
    state.withLock { state in
      perform(state.follower.begin(at: clock.time), &state)
    }
    wake()
  }

  /// The voice never calls back from these methods, so the lock may be held; it keeps changes in order.
  private func perform(_ action: SoundFollower.Action, _ state: inout State) {
    switch action {
    case .none: break
    case .goOn(let placement):
      order(state)
      voice.follow(placement.delayed(by: state.delay))
    case .resume(let placement):
      order(state)
      voice.play(placement.delayed(by: state.delay))
    case .stop: voice.stop()
    case .grain(let course):
      let generation = voice.flush()
      renderer.set(
        SoundRenderer.Order(
          generation: generation, course: course, start: course.timebase.anchorMedia, algorithm: state.algorithm, items: state.items,
          isGrain: true))
      voice.playAtOnce()
    case .restart(let placement):
      voice.stop()
      let generation = voice.flush()
      let start = state.course.timebase.media(at: clock.time.saturatingSubtract(max(0, state.delay)))
      renderer.set(
        SoundRenderer.Order(
          generation: generation, course: state.course, start: start, algorithm: state.algorithm, items: state.items))
      voice.play(placement.delayed(by: state.delay))
    }
  }

  private func order(_ state: State) { renderer.set(course: state.course, items: state.items) }

  private func wake() { lane.wake(deadline: UInt64(max(0, clock.time))) }

  // MARK: - Time

  /// The difference of the sound heard at a moment from the player's clock, in nanoseconds of media; nil if none is heard.
  func deviation(at host: HostTime) -> Int64? {
    guard let heard = voice.heard(at: host) else { return nil }
    let (course, delay) = state.withLock { ($0.course, $0.delay) }
    guard course.isAudible, heard.timeline == course.run.timeline else { return nil }
    return heard.media - course.timebase.media(at: host.saturatingSubtract(delay))
  }

  /// The time in nanoseconds by which the sound comes after the clock.
  var delay: HostTime {
    get { state.withLock { $0.delay } }
    set {
      let isOther = state.withLock { state in
        defer { state.delay = newValue }
        return state.delay != newValue
      }
      if isOther { restart() }
    }
  }

  // MARK: - Volume

  var volume: Float {
    get { voice.volume }
    set { voice.volume = newValue }
  }

  var isMuted: Bool {
    get { voice.isMuted }
    set { voice.isMuted = newValue }
  }

  var algorithm: AudioTimePitchAlgorithm {
    get { state.withLock { $0.algorithm } }
    set {
      let isOther = state.withLock { state in
        defer { state.algorithm = newValue }
        return state.algorithm != newValue
      }
      if isOther { restart() }
    }
  }

  /// The reason that the item's sound cannot be played although it has some; nil if there is none.
  var failure: PlaybackError? { renderer.failure }
}

extension SoundPlacement {
  fileprivate func delayed(by delay: HostTime) -> SoundPlacement {
    SoundPlacement(media: media, host: host.saturatingAdd(delay), rate: rate, timeline: timeline)
  }
}
