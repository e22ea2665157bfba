import DecodePool
import Pixels
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// Players on one hand-moved clock, driven as a run loop would drive them, without a thread.
///
/// A turn (deliver, take frames) happens only when somebody woke the loop or an announced time has come, so a missing
/// wake-up shows as a frame or an event that never arrives.
final class Stage {
  let clock = ManualClock()
  let pool: DecodePool
  let bus: TimeObserverBus
  let group: PlayerGroup
  private(set) var panes: [StagePane] = []
  private let isWoken: Flag
  private let pace = Pace()
  /// Duration of one step of the pool's only worker; with 0 all work is done at once.
  var stepNanoseconds: HostTime {
    get { pace.step.load(ordering: .relaxed) }
    set { pace.step.store(newValue, ordering: .relaxed) }
  }
  /// The cache budget of every player that is added.
  var cacheBudget = 0

  /// The pace of time while the worker is at work.
  final class Pace: Sendable {
    let step = Atomic<HostTime>(0)
    let end = Atomic<HostTime>(.max)

    func pass(_ clock: ManualClock) {
      let step = min(step.load(ordering: .relaxed), end.load(ordering: .relaxed) - clock.now)
      if step > 0 { clock.advance(by: step) }
    }
  }

  final class Flag: Sendable {
    let raised = Atomic(true)
    func raise() { raised.store(true, ordering: .relaxed) }
    func lower() -> Bool { raised.exchange(false, ordering: .relaxed) }
  }

  init() {
    let flag = Flag()
    isWoken = flag
    pool = DecodePool(threads: 0, now: clock.unsignedNow)
    bus = TimeObserverBus(clock: clock) { flag.raise() }
    group = PlayerGroup(clock: clock)
  }

  /// Adds a player, with an item of `script` unless that is nil.
  @discardableResult
  func add(
    _ script: FrameScript? = .constant(count: 100), faults: ScriptedSource.Faults = .init(), index: IndexScript = .none,
    cuts: [Int] = []
  ) -> StagePane {
    let player = Player(context: PlaybackContext(pool: pool, bus: bus))
    player.cacheBudget = cacheBudget
    let pane = StagePane(player) { [pace, clock] in pace.pass(clock) }
    pane.output.setWaker { [isWoken] in isWoken.raise() }
    panes.append(pane)
    if let script { pane.load(script, faults: faults, index: index, cuts: cuts) }
    return pane
  }

  /// Steps by so many frames and tells which one is shown then.
  func stepped(_ pane: StagePane, _ count: Int) -> Int? {
    pane.player.step(byCount: count)
    settle()
    return pane.player.displayedTiming?.number
  }

  /// Lets everything happen that can happen at this moment.
  func settle() { run(until: clock.now) }

  func run(seconds: Double) { run(until: clock.now + HostTime((seconds * 1e9).rounded())) }

  /// Goes on until no seek is under way in any of the panes; no longer than a minute, which fails.
  func runUntilLanded(
    _ landing: [StagePane], every pause: Double = 0.01, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let end = clock.now + 60_000_000_000
    while landing.contains(where: \.player.isSeeking) {
      guard clock.now < end else {
        Issue.record("a seek has not landed for a minute", sourceLocation: sourceLocation)
        return
      }
      run(seconds: pause)
    }
  }

  /// More turns at one moment than this mean that the loop never comes to rest.
  private static let maxTurns = 100_000

  /// Goes on until the clock has come to `end`.
  func run(until end: HostTime) {
    var idleTurns = 0
    var (moment, turns) = (clock.now, 0)
    while true {
      if clock.now != moment { (moment, turns, idleTurns) = (clock.now, 0, 0) }
      turns += 1
      guard turns < Self.maxTurns else {
        Issue.record("the run loop never comes to rest at \(moment)")
        return
      }
      let worked = work(until: end)
      let woken = isWoken.lower()
      let due = nextTurn().map { $0 <= clock.now } ?? false
      if woken || due {
        let happened = turn() || woken
        idleTurns = happened ? 0 : idleTurns + 1
        guard idleTurns < 4 else {
          Issue.record("the run loop spins at \(clock.now)")
          return
        }
        continue
      }
      if worked { continue }
      let next = nextTurn() ?? .max
      if next > end {
        if clock.now >= end { return }
        clock.advance(to: end)
      } else {
        clock.advance(to: next)
      }
    }
  }

  private func work(until end: HostTime) -> Bool {
    guard stepNanoseconds > 0 else {
      var steps = 0
      while pool.runNextStep() {
        steps += 1
        if steps > 200_000 {
          Issue.record("the pool never comes to rest")
          return false
        }
      }
      return steps > 0
    }
    let start = clock.now
    pace.end.store(end, ordering: .relaxed)
    guard start < end, pool.runNextStep() else { return false }
    // A step without decoding takes as long.
    if clock.now == start { pace.pass(clock) }
    return true
  }

  private func nextTurn() -> HostTime? {
    let times =
      panes.compactMap { $0.output.nextTime(after: clock.now) }
      + [bus.nextDelivery()].compactMap { $0 }
    return times.min()
  }

  /// Returns whether anything came of it.
  private func turn() -> Bool {
    let eventsBefore = panes.reduce(0) { $0 + $1.events.all.count }
    let callsBefore = StagePane.observerCalls.load(ordering: .relaxed)
    bus.deliver()
    group.releaseIfReady()
    var happened = false
    for pane in panes { happened = pane.take(at: clock.now) || happened }
    return happened || panes.reduce(0) { $0 + $1.events.all.count } != eventsBefore
      || StagePane.observerCalls.load(ordering: .relaxed) != callsBefore
  }
}

/// A thread-safe list.
final class Recorder<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  func append(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
  func take() -> [Value] {
    values.withLock { values in
      defer { values = [] }
      return values
    }
  }
}

/// A block that is called at every moment of the steps of some sources.
///
/// `@unchecked Sendable`: a stage's pool has no threads, so that the test's own thread does every step.
final class MomentHook: @unchecked Sendable {
  private var body: ((ScriptedSource.Moment) -> Void)?

  /// Sets the block; nil ends the calls.
  func set(_ body: ((ScriptedSource.Moment) -> Void)?) { self.body = body }

  func follow(_ source: ScriptedSource) { source.setHook { [self] in body?($0) } }
}

/// A player with its source, and all that came out of it.
final class StagePane {
  struct Shown: Equatable {
    var number: Int
    var host: HostTime
    var due: HostTime
    var size: PixelSize
    /// Shown on the way to another one.
    var isApproximate: Bool
  }

  static let observerCalls = Atomic(0)

  let player: Player
  let output: VideoOutput
  private(set) var source: ScriptedSource
  let events = Recorder<PlayerEvent>()
  var shown: [Shown] = []
  private var observer: TimeObserver?

  static let request = RenderRequest(box: PixelSize(width: 16, height: 9))

  /// Lets time pass as a step of the lane takes it; sources call it.
  let passTime: @Sendable () -> Void
  /// Which number the image of a frame tells: that of the frame, unless its item makes its frames of others'.
  var numberInImage: (Int) -> Int = { $0 }
  private let hook = MomentHook()

  init(_ player: Player, passTime: @escaping @Sendable () -> Void) {
    self.player = player
    output = VideoOutput(player)
    self.passTime = passTime
    source = ScriptedSource(.constant(count: 1))
    output.request = Self.request
    observer = player.addEventObserver(on: InlineExecutor()) { [events] in events.append($0) }
  }

  /// Frames that an index told of that comes while the source runs.
  private var indexedCount = 0

  /// - Parameter cuts: numbers of frames at which the script is cut into pieces, of which a composition is made that shows the
  ///   same as the script.
  @discardableResult
  func load(
    _ script: FrameScript, faults: ScriptedSource.Faults = .init(), index: IndexScript = .none, cuts: [Int] = []
  ) -> PlayerItem {
    source = ScriptedSource(script, faults: faults, index: index)
    indexedCount = 0
    source.setDuringDecode(passTime)
    hook.follow(source)
    let item = cuts.isEmpty ? Self.item(source) : composed(script, faults, index, cuts)
    #expect(player.replaceCurrentItem(with: item))
    return item
  }

  private func composed(
    _ script: FrameScript, _ faults: ScriptedSource.Faults, _ index: IndexScript, _ cuts: [Int]
  ) -> PlayerItem {
    let asset = Asset(path: "script")
    var movie = Composition()
    let times = [.zero] + cuts.filter { (1..<script.frames.count).contains($0) }.sorted().map { script.frames[$0].pts } + [script.end]
    for (start, end) in zip(times, times.dropFirst()) where start < end {
      #expect(throws: Never.self) { try movie.append(TimeRange(start: start, end: end), of: asset) }
    }
    let plan = CompositionPlan(movie)
    var timeline = CompositionTimeline(plan)
    for clip in timeline.sources {
      timeline.add(script.timeline(), rate: script.nominalFrameRate, tolerance: .zero, of: clip)
    }
    let known = timeline.known.map { FrameIndex(timeline: $0) }
    return PlayerItem { [passTime, hook] in
      CompositionSource(
        plan, index: known, size: script.size, frameRate: script.nominalFrameRate, failures: CompositionFailures()
      ) { _, _ in
        let source = ScriptedSource(script, faults: faults, index: index)
        source.setDuringDecode(passTime)
        hook.follow(source)
        return OpenedClip(source: source, tolerance: .zero)
      }
    }
  }

  static func item(_ source: ScriptedSource) -> PlayerItem { PlayerItem { source } }

  /// Lets the index go on by a bit of its own length, of which `share` tells how much (0…1): more of it comes, it is finished,
  /// or, where its order was refuted, it is finished with what a decode tells.
  ///
  /// - Parameter isLast: all of it comes at once.
  func moveIndex(by share: Double, isLast: Bool = false) {
    guard let index = source.index, !index.hasEnded else { return }
    if index.orderIsUnreliable { return source.finishIndex(origin: .decode) }
    indexedCount += Int(share * Double(script.frames.count)) + 1
    if isLast || indexedCount >= script.frames.count {
      source.finishIndex()
    } else {
      source.publishIndex(first: indexedCount)
    }
  }

  /// The pane's request; nil while nobody sees it.
  var request: RenderRequest? {
    get { output.request }
    set { output.request = newValue }
  }

  /// Calls `body` at every moment of the lane's steps, with this pane and each item it gets; nil ends that.
  func setHook(_ body: ((ScriptedSource.Moment, StagePane) -> Void)?) {
    hook.set(body.map { body in { [weak self] moment in if let self { body(moment, self) } } })
  }

  /// Calls `body` once, at the first moment that is a `match`.
  func atNext(_ match: @escaping (ScriptedSource.Moment) -> Bool, _ body: @escaping (StagePane) -> Void) {
    setHook { moment, pane in
      guard match(moment) else { return }
      pane.setHook(nil)
      body(pane)
    }
  }

  /// Takes what is due as a display would.
  func take(at host: HostTime) -> Bool {
    guard let (frame, due) = output.take(at: host) else { return false }
    let number = ScriptedSource.number(in: frame.image)
    #expect(number == numberInImage(frame.timing.number) + (frame.timing.isCertain ? 0 : ScriptedSource.wrong))
    shown.append(
      Shown(number: number, host: host, due: due, size: frame.image.size, isApproximate: frame.isApproximate))
    output.didShow(due: due, at: host)
    return true
  }

  var numbers: [Int] { shown.map(\.number) }
  var script: FrameScript { source.script }

  /// Returns the numbers of the frames shown since the last call.
  func takeShown() -> [Int] {
    defer { shown = [] }
    return numbers
  }

  /// The number of times that the source did each of these.
  struct Work: Equatable {
    /// Seeks and rewinds.
    var moves = 0
    var decodes = 0
    var renders = 0
  }

  /// Returns the work that the source has done since the last call.
  func takeWork() -> Work {
    source.takeCalls().reduce(into: Work()) { work, call in
      switch call {
      case .seek, .rewind: work.moves += 1
      case .decode: work.decodes += 1
      case .render: work.renders += 1
      }
    }
  }

  /// Expects the frame on display to be that of the present time.
  func expectPresentFrame(sourceLocation: SourceLocation = #_sourceLocation) {
    let now = player.currentTime()
    #expect(
      player.displayedTiming?.number == script.number(at: now), "at \(now)", sourceLocation: sourceLocation)
  }

  /// Records how each seek ends, in order, as (number of the seek, result).
  let seeks = Recorder<SeekOutcome>()
  private(set) var seekCount = 0

  @discardableResult
  func seek(_ seconds: Double, before: MediaTime = .zero, after: MediaTime = .zero) -> Int {
    seek(MediaTime(seconds: seconds, preferredTimescale: 1_000_000), before: before, after: after)
  }

  @discardableResult
  func seek(_ time: MediaTime, before: MediaTime = .zero, after: MediaTime = .zero) -> Int {
    seekCount += 1
    let number = seekCount
    player.seek(to: time, toleranceBefore: before, toleranceAfter: after) { [seeks] in
      seeks.append(SeekOutcome(number: number, result: $0))
    }
    return number
  }
}

struct SeekOutcome: Hashable, Sendable {
  var number: Int
  var result: SeekResult
}

func seconds(_ value: Double) -> MediaTime { MediaTime(seconds: value, preferredTimescale: 1_000_000) }
