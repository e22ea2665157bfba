import Playback
import Synchronization

/// Plays a storyboard in a player: reports its events, takes choices, and continues where they lead.
///
/// The next track of a scene plays on seamlessly. A jump to a track that is ready in time is exact and seamless, too; any other
/// jump waits for its frame, as `isFrameHidden` shows. Meanwhile the player may be paused, seeked, and played at any rate and
/// backwards; its queue, its action at item end and its items belong to the storyboard.
///
/// Calls return at once and may come from any thread. Effects are delivered in order, as the player's bus delivers.
public final class StoryboardPlayer: Sendable {
  /// The way jumps within a scene are made.
  public enum Jumps: Sendable {
    /// To a separate item, decoded ahead: no frame is lost, and none of a neighbouring track shows.
    case exact
    /// By a seek after the decision point, with no tolerance before and any after: cheap, but not exact.
    case classic
  }

  /// The player.
  public let player: Player
  /// The storyboard.
  public let storyboard: Storyboard
  private let state: Mutex<State>
  private let executor: any CallbackExecutor
  private let block: @Sendable (StoryboardEffect) -> Void

  private struct State {
    var playback: StoryPlayback
    var jobs: [Job] = []
    var isWorking = false
    var passages: TimeObserver?
    var boundaries: [TimeObserver] = []
    /// The number of jumps by a seek that have not landed.
    var landings = 0
    /// The loop range that the story has set to end its item.
    var range: TimeRange?
  }

  private enum Job {
    case begin(PlayerItem?)
    case choose(Int)
    case point(Int?)
    case stepBack
    case seek(MediaTime)
    case passage(Passage)
    case landed
  }

  /// Creates a player for a storyboard; nothing happens before `begin()`.
  ///
  /// - Parameters:
  ///   - clips: the clips of the tracks.
  ///   - player: the player, controlled by the story from `begin()` on.
  ///   - resuming: a run to resume; nil begins a new one.
  ///   - seed: the seed of a new run; nil for the storyboard's own.
  ///   - choices: choices made as soon as they are available, one for each decision, as for `StoryboardTrace`. If the story
  ///     goes back, each is made again for its decision.
  ///   - executor: runs `block`.
  ///   - block: called with each effect.
  /// - Throws: `StoryboardFailure` for a storyboard that cannot be run; all track lengths have to be known.
  public convenience init(
    _ storyboard: Storyboard, clips: StoryboardClips, player: Player, resuming saved: StoryboardRun.Saved? = nil,
    seed: UInt64? = nil, jumps: Jumps = .exact, choices: [String] = [], on executor: any CallbackExecutor = InlineExecutor(),
    using block: @escaping @Sendable (StoryboardEffect) -> Void = { _ in }
  ) throws(StoryboardFailure) {
    let run: StoryboardRun
    if let saved {
      run = try StoryboardRun(storyboard, resuming: saved)
    } else {
      run = try StoryboardRun(storyboard, seed: seed)
    }
    let shared = SharedClips(clips, storyboard)
    self.init(run, player: player, jumps: jumps, choices: choices, on: executor, using: block) { shared.item(from: $0) }
  }

  /// Creates an item of a scene, starting at one of its tracks.
  typealias ItemMaker = @Sendable (Storyboard.TrackID) -> PlayerItem

  init(
    _ run: StoryboardRun, player: Player, jumps: Jumps, choices: [String], on executor: any CallbackExecutor,
    using block: @escaping @Sendable (StoryboardEffect) -> Void, makeItem: @escaping ItemMaker
  ) {
    self.player = player
    self.storyboard = run.storyboard
    self.executor = executor
    self.block = block
    state = Mutex(State(playback: StoryPlayback(run, jumps: jumps, wishes: choices, makeItem: makeItem)))
  }

  /// Clips shared by several items.
  private final class SharedClips: Sendable {
    private let clips: Mutex<StoryboardClips>
    private let storyboard: Storyboard

    init(_ clips: StoryboardClips, _ storyboard: Storyboard) {
      self.clips = Mutex(clips)
      self.storyboard = storyboard
    }

    func item(from id: Storyboard.TrackID) -> PlayerItem {
      let (composition, path) = clips.withLock { ($0.composition(of: id.scene, from: id.track, in: storyboard), $0.path) }
      return PlayerItem(asset: Asset(composition: composition, path: path))
    }
  }

  // MARK: - Control

  /// Begins the story; the player keeps its rate.
  ///
  /// - Parameter item: the player's current item, if it starts with the first track to play or the track of a saved run; nil
  ///   creates another.
  public func begin(with item: PlayerItem? = nil) {
    let observer = player.addPassageObserver(on: InlineExecutor()) { [weak self] in self?.perform(.passage($0)) }
    state.withLock { $0.passages = observer }
    perform(.begin(item))
  }

  /// Makes or changes a choice. Does nothing unless `controls` show this choice.
  ///
  /// - Parameter number: the choice's key, from 1.
  public func choose(_ number: Int) { perform(.choose(number)) }

  /// Sets the choice that the viewer points at, so that its destination is opened and decoded ahead.
  ///
  /// At most three destinations are kept ready: where the story goes as it stands, with or without a choice; the choice pointed
  /// at; then right choices, others and wrong ones, each in order.
  ///
  /// - Parameter number: the choice's key, from 1; nil for none. An unavailable choice counts as none.
  public func point(at number: Int?) { perform(.point(number)) }

  /// Goes back to the last decision, to the time when its controls were shown. Does nothing before the first decision.
  public func stepBack() { perform(.stepBack) }

  /// Seeks to a time of the player's item, clamped to the current track; no events are reported.
  ///
  /// The player's own seeks do the same, but show frames of a neighbouring track if they leave the track.
  public func seek(toItemTime time: MediaTime) { perform(.seek(time)) }

  /// Releases the player: nothing more is reported or done. The player keeps its item; everything else that the story set is undone.
  public func end() {
    let (observers, actions) = state.withLock { state in
      defer { (state.passages, state.boundaries) = (nil, []) }
      return ([state.passages].compactMap { $0 } + state.boundaries, state.playback.letGo())
    }
    for observer in observers { observer.remove() }
    for action in actions { perform(action) }
  }

  // MARK: - State

  /// The run as of the last event.
  public var run: StoryboardRun { state.withLock { $0.playback.run } }

  /// The current position in the story; nil before its beginning and after its end.
  public var place: StoryboardRun.Place? { present.place }

  /// The choices available now and the time left; nil while controls are hidden.
  public var controls: StoryboardControls? {
    let present = present
    return present.controls
  }

  /// The data needed to resume the run.
  public var saved: StoryboardRun.Saved { present.saved }

  /// A trace of the story so far, in the format of `StoryboardTrace`. Any characters.
  public var trace: [String] { state.withLock { $0.playback.log.lines } }

  /// True while the first frame after a jump is not there yet, so that the last frame shown is of another track.
  public var isFrameHidden: Bool {
    let isLanding = state.withLock { $0.landings > 0 }
    return isLanding || player.displayedTiming == nil
  }

  /// The run at the player's current position.
  private var present: StoryboardRun {
    let (run, segment) = state.withLock { ($0.playback.run, $0.playback.current) }
    guard let segment, segment.item === player.currentItem, let place = run.place, segment.has(place.track) else { return run }
    return run.standing(atTrackTime: segment.offset + player.currentTime() - run.range(place.track).start)
  }

  // MARK: - Work

  /// Performs a job, or queues it for the thread already at work. Jobs run one at a time, in order.
  private func perform(_ job: Job) {
    let isMine = state.withLock { state in
      state.jobs.append(job)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    guard isMine else { return }
    while true {
      let actions = state.withLock { state -> [StoryPlayback.Action]? in
        guard !state.jobs.isEmpty else {
          state.isWorking = false
          return nil
        }
        return decide(state.jobs.removeFirst(), &state)
      }
      guard let actions else { return }
      for action in actions { perform(action) }
    }
  }

  /// Called with the lock held. The player's lock may be taken within it, never the other way round.
  private func decide(_ job: Job, _ state: inout State) -> [StoryPlayback.Action] {
    switch job {
    case .begin(let item): return state.playback.begin(with: item)
    case .choose(let number):
      // Too late if the player has moved on and has not reported it yet.
      if let current = state.playback.current, current.item !== player.currentItem { return [] }
      return state.playback.choose(number, at: player.currentTime())
    case .point(let number): return state.playback.point(at: number)
    case .stepBack: return state.playback.stepBack()
    case .seek(let time): return state.playback.seek(toItemTime: time)
    case .passage(let passage): return state.playback.handle(passage, playing: player.currentItem)
    case .landed:
      state.landings -= 1
      return []
    }
  }

  private func perform(_ action: StoryPlayback.Action) {
    switch action {
    case .tell(let effect): executor.execute { [block] in block(effect) }
    case .replace(let segment, let time):
      // The previous item's range would end this one.
      setRange(nil)
      if player.bringForward(segment.item) {
        player.advanceToNextItem()
      } else {
        player.replaceCurrentItem(with: segment.item)
      }
      if let time { seek(to: time, isExact: true, isJump: true) }
    case .seek(let time, let isExact, let isJump): seek(to: time, isExact: isExact, isJump: isJump)
    case .end(let item, let time):
      guard player.currentItem === item else { return }
      player.loopLimit = 1
      setRange(time.map { TimeRange(start: .zero, end: $0) })
    case .queue(let segments, let goesOn): setQueue(segments.map(\.item), goesOn: goesOn)
    case .observe(let times): observe(times)
    case .pause: player.pause()
    case .letGo(let items): letGo(items)
    }
  }

  private func setRange(_ range: TimeRange?) {
    state.withLock { $0.range = range }
    player.loopRange = range
  }

  /// Undoes what the story has set, unless it has been changed since.
  private func letGo(_ items: [PlayerItem]) {
    for item in items where item !== player.currentItem { player.remove(item) }
    if player.loopRange == state.withLock({ $0.range }) { player.loopRange = nil }
    if player.loopLimit == 1 { player.loopLimit = nil }
  }

  private func seek(to time: MediaTime, isExact: Bool, isJump: Bool) {
    guard isJump else { return player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) }
    state.withLock { $0.landings += 1 }
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: isExact ? .zero : .positiveInfinity) { [weak self] _ in
      self?.perform(.landed)
    }
  }

  private func setQueue(_ items: [PlayerItem], goesOn: Bool) {
    for former in player.queuedItems where !items.contains(where: { $0 === former }) && former !== player.currentItem {
      player.remove(former)
    }
    let queued = player.queuedItems
    for item in items where !queued.contains(where: { $0 === item }) { player.insert(item) }
    if let first = items.first { player.bringForward(first) }
    player.actionAtItemEnd = goesOn ? .advance : .pause
    player.openQueuedItems(items.count)
  }

  /// Adds an observer for each event, so that the bus delivers then, after the passage observer has reported what was played.
  private func observe(_ times: [MediaTime]) {
    let boundaries = times.map { time in
      player.addBoundaryTimeObserver(forTimes: [time], on: InlineExecutor()) { _ in }
    }
    let former = state.withLock { state in
      defer { state.boundaries = boundaries }
      return state.boundaries
    }
    for observer in former { observer.remove() }
  }
}
