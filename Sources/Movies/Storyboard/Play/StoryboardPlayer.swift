import Playback
import Synchronization

/// Plays a storyboard in a player: tells its events, takes choices, and goes on where they lead.
///
/// A track that follows another one in its scene plays on without a seam. A jump to what was ready in time is exact and seamless,
/// too; any other one waits for its frame, and `isFrameHidden` says so. The player may be paused, seeked, and played at any rate
/// and backwards meanwhile; its queue, the action at its end and its items are the storyboard's.
///
/// Its calls return at once and may come from any thread. Effects are told in order, as the player's bus delivers.
public final class StoryboardPlayer: Sendable {
  /// How jumps within a scene are made.
  public enum Jumps: Sendable {
    /// To an item of their own, decoded ahead: no frame is lost, and none of a neighbour shows.
    case exact
    /// By a seek when the decision point has been passed, with no tolerance before and any after: cheap, and not exact.
    case classic
  }

  /// What plays it.
  public let player: Player
  /// What is played.
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
    /// Jumps by a seek that have not landed.
    var landings = 0
    /// What the story has let its item end with.
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

  /// Makes a player of a storyboard; nothing happens before `begin()`.
  ///
  /// - Parameters:
  ///   - clips: where the tracks' clips are.
  ///   - player: taken over from `begin()` on.
  ///   - resuming: a run to be taken up again; nil begins a new one.
  ///   - seed: where chance begins in a new run; nil for the storyboard's own.
  ///   - choices: what is chosen as soon as it can be, one for each decision: as `StoryboardTrace` takes them. Where the story
  ///     goes back, each is chosen anew for its decision.
  ///   - executor: where `block` runs.
  ///   - block: is given each effect.
  /// - Throws: `StoryboardFailure` for a storyboard that cannot be run: its tracks' lengths have to be known.
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

  /// Makes an item of a scene from one of its tracks on.
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

  /// Clips that several items play.
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

  // MARK: - Steering it

  /// Begins the story; its player plays at the rate that it has.
  ///
  /// - Parameter item: the player's current item, where that begins with the track that is played first, or in which a saved run
  ///   was; nil takes another.
  public func begin(with item: PlayerItem? = nil) {
    let observer = player.addPassageObserver(on: InlineExecutor()) { [weak self] in self?.perform(.passage($0)) }
    state.withLock { $0.passages = observer }
    perform(.begin(item))
  }

  /// Chooses, or chooses anew: possible while `controls` show, for what they show. Else nothing happens.
  ///
  /// - Parameter number: the choice's key, from 1.
  public func choose(_ number: Int) { perform(.choose(number)) }

  /// Says what the viewer has in mind, so that where it leads is opened and decoded ahead, before it is chosen.
  ///
  /// Of many choices only some are kept ready: where the story goes as it stands, by what is chosen or by nothing; what is pointed
  /// at; then right choices, others and wrong ones in their order, until there are three.
  ///
  /// - Parameter number: the choice's key, from 1; nil for none. What cannot be chosen counts as none.
  public func point(at number: Int?) { perform(.point(number)) }

  /// Goes back to the last decision, to where its controls were shown. Nothing happens where nothing has been decided.
  public func stepBack() { perform(.stepBack) }

  /// Goes to a time of the player's item, as far as the track that is played reaches; no event is told.
  ///
  /// Seeks of the player's own do the same, but show frames of a neighbour where they leave the track.
  public func seek(toItemTime time: MediaTime) { perform(.seek(time)) }

  /// Lets the player be: nothing more is told or done. Its item stays, and nothing else that the story has set.
  public func end() {
    let (observers, actions) = state.withLock { state in
      defer { (state.passages, state.boundaries) = (nil, []) }
      return ([state.passages].compactMap { $0 } + state.boundaries, state.playback.letGo())
    }
    for observer in observers { observer.remove() }
    for action in actions { perform(action) }
  }

  // MARK: - What it tells of itself

  /// The run as it stands at the last event.
  public var run: StoryboardRun { state.withLock { $0.playback.run } }

  /// Where the story is now; nil before its beginning and after its end.
  public var place: StoryboardRun.Place? { present.place }

  /// What can be chosen now, with the time that is left; nil while controls are hidden.
  public var controls: StoryboardControls? {
    let present = present
    return present.controls
  }

  /// What is needed to take the run up again.
  public var saved: StoryboardRun.Saved { present.saved }

  /// Lines that tell what has happened so far, as `StoryboardTrace` tells what would: any characters.
  public var trace: [String] { state.withLock { $0.playback.log.lines } }

  /// Whether the frame that a jump leads to has not come yet: what an output has shown last is of another track.
  public var isFrameHidden: Bool {
    let isLanding = state.withLock { $0.landings > 0 }
    return isLanding || player.displayedTiming == nil
  }

  /// The run with the place at which the player is.
  private var present: StoryboardRun {
    let (run, segment) = state.withLock { ($0.playback.run, $0.playback.current) }
    guard let segment, segment.item === player.currentItem, let place = run.place, segment.has(place.track) else { return run }
    return run.standing(atTrackTime: segment.offset + player.currentTime() - run.range(place.track).start)
  }

  // MARK: - Work

  /// Does a piece of work, or leaves it to the thread that is at work: one after another, in the order in which they come.
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

  /// Called with the lock held; the player's own lock may be taken within it, never the other way round.
  private func decide(_ job: Job, _ state: inout State) -> [StoryPlayback.Action] {
    switch job {
    case .begin(let item): return state.playback.begin(with: item)
    case .choose(let number):
      // Where the player has gone on, and has not told of it yet, it is too late.
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
      // The range of the item before would end this one.
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

  /// Takes back what the story has set, where nobody has set something else.
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

  /// An observer for each event, so that the bus comes then; what was played up to there the other observer has told before.
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
