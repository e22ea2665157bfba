import DecodePool
import Glibc
import Pixels
import Playback
import Synchronization
import TestSupport
import Testing

@testable import Movies

/// A storyboard that plays in a player by a hand-moved clock, driven as a run loop would drive it, without a thread.
///
/// Its frames are 25 a second, and each gives its scene and its number in the scene's composition.
final class StoryStage {
  struct Shown: Hashable {
    var scene: Int
    var frame: Int
    var host: HostTime
  }

  let clock = ManualClock()
  let bus: TimeObserverBus
  let pool: DecodePool
  let player: Player
  let output: VideoOutput
  /// The sound device; nil for none.
  let device: StoryDevice?
  private(set) var story: StoryboardPlayer!
  private(set) var shown: [Shown] = []
  /// Nanoseconds during which nothing was to be seen.
  private(set) var hiddenNanoseconds: HostTime = 0
  /// True if the frames are of real clips, and give their numbers in these.
  private let isReal: Bool
  private let record = Record()
  private let makeItem: StoryboardPlayer.ItemMaker
  /// Duration of a step of the worker.
  var stepNanoseconds: HostTime = 0

  init(
    _ storyboard: Storyboard, run resumed: StoryboardRun? = nil, choices: [String] = [],
    jumps: StoryboardPlayer.Jumps = .exact, progressPerFrame: Int = 0, clips: StoryboardClips? = nil, hasSound: Bool = false
  ) throws {
    isReal = clips != nil
    let flag = Flag()
    self.flag = flag
    pool = DecodePool(threads: 0, now: clock.unsignedNow)
    bus = TimeObserverBus(clock: clock) { flag.raise() }
    device = hasSound ? StoryDevice(clock) : nil
    player = Player(context: PlaybackContext(pool: pool, bus: bus, sound: device?.engine))
    output = VideoOutput(player)
    output.setWaker { flag.raise() }
    output.request = RenderRequest(box: clips == nil ? PixelSize(width: 16, height: 9) : PixelSize(width: 160, height: 90))
    let run = try resumed ?? StoryboardRun(storyboard)
    let timelines = run.timelines
    makeItem = { [record] id in
      if var clips {
        let item = PlayerItem(asset: Asset(composition: clips.composition(of: id.scene, from: id.track, in: storyboard)))
        record.items.withLock { $0.append((item, id)) }
        return item
      }
      let timeline = timelines[id.scene]
      let length = timeline.length - timeline.ranges[id.track].start
      var faults = ScriptedSource.Faults()
      faults.progressPerFrame = progressPerFrame
      let source = ScriptedSource(.constant(count: Int((length.seconds * 25).rounded())), faults: faults)
      let item = PlayerItem { source }
      record.items.withLock { $0.append((item, id)) }
      return item
    }
    story = StoryboardPlayer(
      run, player: player, jumps: jumps, choices: choices, on: InlineExecutor(),
      using: { [record] effect in record.effects.withLock { $0.append(effect) } }, makeItem: makeItem)
  }

  /// State that threads other than the test's might write.
  private final class Record: Sendable {
    let effects = Mutex<[StoryboardEffect]>([])
    /// Items that were made, each with its first track.
    let items = Mutex<[(item: PlayerItem, first: Storyboard.TrackID)]>([])
  }

  private final class Flag: Sendable {
    let raised = Atomic(true)
    func raise() { raised.store(true, ordering: .relaxed) }
    func lower() -> Bool { raised.exchange(false, ordering: .relaxed) }
  }
  private let flag: Flag

  /// True if the player has been given other items than the story's.
  private var hasOtherItems = false

  /// Runs on with items that are not the story's.
  func runWithoutIdentity(seconds: Double) {
    hasOtherItems = true
    run(seconds: seconds)
  }

  /// - Parameter first: Track of which the player has an item already.
  func begin(rate: Double = 1, with first: Storyboard.TrackID? = nil) {
    let item = first.map(makeItem)
    if let item {
      player.replaceCurrentItem(with: item)
      settle()
    }
    story.begin(with: item)
    player.defaultRate = rate
    player.play()
    settle()
  }

  func settle() { run(until: clock.now) }
  func run(seconds: Double) { run(until: clock.now + HostTime((seconds * 1e9).rounded())) }

  /// Runs until the clock has come to `end`.
  func run(until end: HostTime) {
    for _ in 0..<2_000_000 {
      var worked = false
      if stepNanoseconds == 0 {
        while pool.runNextStep() { worked = true }
      } else if clock.now < end, pool.runNextStep() {
        worked = true
        advance(to: min(clock.now + stepNanoseconds, end))
      }
      let nextFrame = story.isFrameHidden ? nil : output.nextFrameTime(after: clock.now)
      let next = [nextFrame, bus.nextDelivery()].compactMap { $0 }.min()
      if flag.lower() || next.map({ $0 <= clock.now }) ?? false {
        bus.deliver()
        take()
        continue
      }
      if worked { continue }
      if waitForItems() { continue }
      guard clock.now < end else { return }
      advance(to: min(end, next ?? end))
    }
    Issue.record("the run loop never comes to rest")
  }

  private func advance(to time: HostTime) {
    if story.isFrameHidden { hiddenNanoseconds += time - clock.now }
    guard let device else { return clock.advance(to: time) }
    // In short steps, between which sound is rendered.
    device.step()
    while clock.now < time {
      clock.advance(to: min(time, clock.now + 5_000_000))
      device.step()
      while pool.runNextStep() {}
    }
  }

  /// Waits for items that are being opened by other threads. Returns whether there were any.
  private func waitForItems() -> Bool {
    guard isReal else { return false }
    let opening = ([player.currentItem].compactMap { $0 } + player.queuedItems).filter { $0.status == .unknown }
    let patience = MonotonicClock()
    let start = patience.now
    while opening.contains(where: { $0.status == .unknown }) {
      guard patience.now - start < 30_000_000_000 else {
        Issue.record("an item is never opened")
        return false
      }
      sched_yield()
    }
    return !opening.isEmpty
  }

  private func take() {
    // As whoever shows frames does: what is hidden is not taken.
    guard !story.isFrameHidden, let (frame, due) = output.copyFrame(at: clock.now) else { return }
    output.didShow(due: due, at: clock.now)
    let current = player.currentItem
    guard let id = record.items.withLock({ $0.first { $0.item === current }?.first }) else {
      if !hasOtherItems { Issue.record("a frame of no item") }
      return
    }
    if isReal {
      guard let number = FrameNumber.read(frame.image) else {
        Issue.record("a frame without a number")
        return
      }
      shown.append(Shown(scene: id.scene, frame: number, host: clock.now))
      return
    }
    let offset = Int((story.run.timelines[id.scene].ranges[id.track].start.seconds * 25).rounded())
    shown.append(Shown(scene: id.scene, frame: offset + ScriptedSource.number(in: frame.image), host: clock.now))
  }

  /// The effects so far, in short, without those that are only likely.
  var told: [String] {
    record.effects.withLock { $0 }.compactMap { effect in
      if case .likely = effect { return nil }
      return effect.text(story.storyboard)
    }
  }

  /// The reported events.
  var events: [SceneTimeline.Event] { record.effects.withLock { $0 }.compactMap(\.event) }

  /// Frames as "scene:frame", or as ranges of frames that follow one another: "0:0-99".
  var stretches: [String] {
    var result: [(scene: Int, first: Int, last: Int)] = []
    for frame in shown {
      if let last = result.last, last.scene == frame.scene, last.last + 1 == frame.frame {
        result[result.count - 1].last = frame.frame
      } else {
        result.append((frame.scene, frame.frame, frame.frame))
      }
    }
    return result.map { "\($0.scene):\($0.first)-\($0.last)" }
  }
}
