import Playback

/// The logic of `StoryboardPlayer`: a value without a player, whose owner reports what has been played.
///
/// Each step returns actions for its owner to carry out, in order.
struct StoryPlayback: Sendable {
  /// An action on the player, or an effect to report.
  enum Action: Sendable {
    case tell(StoryboardEffect)
    /// Play another item now, from one of its times.
    case replace(StorySegment, from: MediaTime?)
    /// Seek to a time of the current item; if not exact, to the next frame that is cheap to reach.
    ///
    /// A jump of the story shows nothing until it lands.
    case seek(MediaTime, isExact: Bool, isJump: Bool)
    /// End the item at one of its times; nil for its own end.
    case end(PlayerItem, at: MediaTime?)
    /// Set the queue. If `goesOn`, the first item follows the current one; the others are only kept ready.
    case queue([StorySegment], goesOn: Bool)
    /// Have the bus deliver at these times of the current item.
    case observe([MediaTime])
    case pause
    /// Release the player: remove these items from its queue, and undo what ends an item.
    case letGo([PlayerItem])
  }

  private(set) var run: StoryboardRun
  private(set) var log: StoryboardLog
  private let makeItem: StoryboardPlayer.ItemMaker
  private let jumps: StoryboardPlayer.Jumps
  private var wishes: StoryWishes

  /// The segment that the player plays, as last reported.
  private(set) var current: StorySegment?
  /// Segments the player will report next: those it was given, or continues with by itself.
  private var arriving: [StorySegment] = []
  /// The player's queue, with the next segment first if `goesOn`.
  private var queue: [StorySegment] = []
  /// Segments removed from the queue, newest first: the player may have gone on to one in the meantime.
  private var dropped: ArraySlice<StorySegment> = []
  private var plan: StoryPlan?
  private var likely: [Storyboard.TrackID] = []
  /// The target, in nanoseconds of the item, of the story's own seek in flight. What is played before it lands does not count.
  private var seekTarget: Int64?
  /// True if the item has begun, but the jump to its start has not been reported.
  private var awaitsStart = false
  /// True once the player has been released, or taken over for something else.
  private(set) var isDetached = false
  private var observed: [MediaTime] = []
  /// True if the next segments may differ from those prepared.
  private var isStale = true
  private var actions: [Action] = []

  /// The maximum number of items kept ready: the current destination, the choice pointed at, and other likely tracks.
  private static let maxReady = 3

  init(
    _ run: StoryboardRun, jumps: StoryboardPlayer.Jumps, wishes: [String], makeItem: @escaping StoryboardPlayer.ItemMaker
  ) {
    self.run = run
    self.makeItem = makeItem
    self.jumps = jumps
    self.wishes = StoryWishes(wishes, decided: run.history.count)
    log = StoryboardLog(run.storyboard)
  }

  /// The current segment and the run's position in it; nil if the position is not in it.
  private var playing: (segment: StorySegment, place: StoryboardRun.Place)? {
    guard let current, let place = run.place, current.has(place.track) else { return nil }
    return (current, place)
  }

  /// True if what is played counts for the story, with no jump still in flight.
  private var isOnItsWay: Bool { arriving.isEmpty && seekTarget == nil }

  private mutating func takeActions() -> [Action] {
    makeWishes()
    prepare()
    defer { actions = [] }
    return actions
  }

  // MARK: - Requests

  /// Begins the story.
  ///
  /// - Parameter item: an item that the player already has and that starts with the first track; nil creates one.
  mutating func begin(with item: PlayerItem?) -> [Action] {
    guard current == nil, arriving.isEmpty else { return [] }
    let effects = run.begin()
    if let item, let place = run.place {
      let segment = StorySegment(
        item: item, scene: place.track.scene, firstTrack: place.track.track, offset: run.range(place.track).start)
      current = segment
      awaitsStart = true
      for effect in effects { tell(effect) }
      // A resumed run starts in the middle of it.
      let time = segment.itemTime(place.sceneTime)
      if time > .zero { jump(to: time, isJump: true) }
    } else {
      take(effects, .asked)
    }
    return takeActions()
  }

  /// - Parameter time: the time of the current item.
  mutating func choose(_ number: Int, at time: MediaTime) -> [Action] {
    guard !isDetached else { return [] }
    wishes.didChoose()
    let position = log.position
    if let (segment, place) = playing {
      // Between two events, the run's position is that of the first.
      log.pass(to: segment.offset + time - run.range(place.track).start, from: place)
    }
    take(run.choose(number), .asked)
    log.position = position
    return takeActions()
  }

  mutating func point(at number: Int?) -> [Action] {
    guard !isDetached else { return [] }
    take(run.point(at: number), .asked)
    return takeActions()
  }

  mutating func stepBack() -> [Action] {
    guard !run.history.isEmpty, !isDetached else { return [] }
    take(run.stepBack(), .asked)
    return takeActions()
  }

  /// Seeks to a time of the current item, clamped to the current track.
  mutating func seek(toItemTime time: MediaTime) -> [Action] {
    guard !isDetached, let (segment, place) = playing else { return [] }
    let range = run.range(place.track)
    let target = min(max(segment.offset + time, range.start), lastTime(of: range))
    take(run.seek(to: target), .asked)
    jump(to: segment.itemTime(target))
    return takeActions()
  }

  /// Releases the player.
  mutating func letGo() -> [Action] {
    guard !isDetached else { return [] }
    isDetached = true
    return [.letGo((arriving + queue).map(\.item))]
  }

  // MARK: - Events of the player

  /// - Parameter item: the player's current item.
  mutating func handle(_ passage: Passage, playing item: PlayerItem?) -> [Action] {
    // Ignore what was played before the story began.
    guard current != nil || !arriving.isEmpty else { return [] }
    // If the player was taken over, what it played of the story before that no longer matters.
    if !([current].compactMap { $0 } + arriving + queue + dropped).contains(where: { $0.item === item }) { return letGo() }
    guard !isDetached else { return [] }
    switch passage {
    case .played(let from, let to): if to > from { playForwards(to: to) } else { playBackwards(to: to) }
    case .jumped(let time): didJump(to: time)
    case .event(.currentItemChanged): itemDidChange(item)
    case .event(.playedToEnd): playToEnd()
    case .event, .started, .entered, .stopped: break
    }
    return takeActions()
  }

  private mutating func itemDidChange(_ item: PlayerItem?) {
    if let known = (queue + dropped).first(where: { $0.item === item }), known.item !== arriving.first?.item {
      current = known
      queue = arriving + queue
      arriving = []
      // The run has not decided that; its position wins.
      if let place = run.place, !known.begins(with: place.track) { go(to: place.track, from: place.sceneTime) }
    } else if !arriving.isEmpty {
      current = arriving.removeFirst()
    } else {
      return
    }
    queue.removeAll { $0.item === current?.item }
    dropped = []
    plan = nil
    isStale = true
    awaitsStart = true
  }

  private mutating func playForwards(to time: Int64) {
    // The maximum number of events in one passage.
    for _ in 0..<1000 {
      guard isOnItsWay, let (segment, place) = playing, let stop = run.nextStop else { return }
      awaitsStart = false
      let sceneTime = run.range(place.track).start + stop
      guard segment.nanoseconds(sceneTime) <= time else { return }
      advance(to: stop, place, playedTo: time)
    }
  }

  /// Handles the end of the item, which may come a nanosecond or more before the computed end.
  private mutating func playToEnd() {
    while isOnItsWay, let place = playing?.place, let stop = run.nextStop {
      guard let plan, run.range(place.track).start + stop <= plan.leavesAt else { return }
      advance(to: stop, place, playedTo: nil)
    }
  }

  private mutating func advance(to stop: MediaTime, _ place: StoryboardRun.Place, playedTo time: Int64?) {
    log.pass(to: stop, from: place)
    take(run.advance(toTrackTime: stop), .played(to: time))
    makeWishes()
  }

  private mutating func playBackwards(to time: Int64) {
    guard isOnItsWay, let (segment, place) = playing else { return }
    let start = run.range(place.track).start
    let cursor = run.visit?.cursor
    let effects = run.seek(to: sceneTime(time, segment))
    // Otherwise, what follows does not change.
    if !effects.isEmpty || run.visit?.cursor != cursor { take(effects, .asked) }
    // Before its start is another track.
    guard time < segment.nanoseconds(start) else { return }
    actions.append(.pause)
    jump(to: segment.itemTime(start))
  }

  private mutating func didJump(to time: Int64) {
    guard arriving.isEmpty else { return }
    let isOwn = time == seekTarget || (awaitsStart && time == 0)
    if time == seekTarget || !(awaitsStart && time == 0) { seekTarget = nil }
    awaitsStart = false
    guard !isOwn, let (segment, place) = playing else { return }
    let range = run.range(place.track)
    take(run.seek(to: sceneTime(time, segment)), .asked)
    if time < segment.nanoseconds(range.start) { jump(to: segment.itemTime(range.start)) }
    if time >= segment.nanoseconds(range.end) { jump(to: segment.itemTime(lastTime(of: range))) }
  }

  /// A time in a track's last frame; its end is already the next track's start.
  private func lastTime(of range: TimeRange) -> MediaTime {
    max(range.start, range.end - MediaTime(value: 1, timescale: 1_000_000))
  }

  /// The scene's time for a time of the item; exact for the times of events and track boundaries.
  private func sceneTime(_ time: Int64, _ segment: StorySegment) -> MediaTime {
    if let place = run.place {
      let range = run.range(place.track)
      for exact in run.events(place.track).map(\.time) + [range.start, range.end] where segment.nanoseconds(exact) == time {
        return exact
      }
    }
    return segment.offset + MediaTime(nanoseconds: time)
  }

  // MARK: - Next segments

  /// The reason why the run has moved.
  private enum Cause {
    case asked
    /// The player has played to this time, in nanoseconds of its item; nil if the item has ended.
    case played(to: Int64?)
  }

  private mutating func take(_ effects: [StoryboardEffect], _ cause: Cause) {
    isStale = true
    for effect in effects {
      tell(effect)
      if case .go(let departure) = effect, departure.manner == .jump { leave(departure, cause) }
    }
  }

  private mutating func tell(_ effect: StoryboardEffect) {
    log.write(effect)
    actions.append(.tell(effect))
    switch effect {
    case .decided: wishes.didDecide()
    // The story went back to before the choices showed.
    case .chosen(nil): wishes.didGoBack(decided: run.history.count)
    default: break
    }
  }

  private mutating func leave(_ departure: StoryboardDeparture, _ cause: Cause) {
    if case .played(let time) = cause, jumps == .exact, let current, let plan, let leftAt = departure.leftAt,
      plan == StoryPlan(leavesAt: leftAt, destination: .track(departure.to)), let next = queue.first, next.begins(with: departure.to),
      time.map({ $0 <= current.nanoseconds(leftAt) + 1 }) ?? true
    {
      // The player continues with it by itself, or already has.
      arriving.append(next)
      queue.removeFirst()
      return
    }
    go(to: departure.to, from: departure.start)
  }

  /// Moves the player to another position now.
  private mutating func go(to id: Storyboard.TrackID, from time: MediaTime) {
    let isAtStart = time == run.range(id).start
    if let current, arriving.isEmpty, current.has(id), jumps == .classic || !isAtStart {
      return jump(to: current.itemTime(time), isExact: jumps == .exact || !isAtStart, isJump: true)
    }
    let segment = segment(id, isWhole: jumps == .classic)
    queue.removeAll { $0.item === segment.item }
    arriving.append(segment)
    let itemTime = segment.itemTime(time)
    actions.append(.replace(segment, from: itemTime == .zero ? nil : itemTime))
    seekTarget = itemTime == .zero ? nil : itemTime.nanoseconds
  }

  private mutating func jump(to time: MediaTime, isExact: Bool = true, isJump: Bool = false) {
    seekTarget = time.nanoseconds
    // The end set for the item may be before the target.
    if let current { actions.append(.end(current.item, at: nil)) }
    plan = nil
    isStale = true
    actions.append(.seek(time, isExact: isExact, isJump: isJump))
  }

  /// The segment of a track: one that is being kept ready, else a new one.
  private mutating func segment(_ id: Storyboard.TrackID, isWhole: Bool = false) -> StorySegment {
    if let known = queue.first(where: { $0.begins(with: id) }) { return known }
    let first = isWhole ? 0 : id.track
    return StorySegment(
      item: makeItem(Storyboard.TrackID(scene: id.scene, track: first)), scene: id.scene, firstTrack: first,
      offset: run.timelines[id.scene].ranges[first].start)
  }

  /// Makes the next given choice, as soon as it is available.
  private mutating func makeWishes() {
    let controls = run.controls
    guard
      let wish = wishes.next(
        decided: run.history.count, isChosen: run.visit?.chosen != nil, isOpen: controls != nil)
    else { return }
    if let number = controls?.number(of: wish) {
      take(run.choose(number), .asked)
    } else if wish != "-" {
      take([.trouble("cannot choose \"\(wish)\"")], .asked)
    }
  }

  /// Ends the item where the story leaves it, and keeps likely next segments ready.
  private mutating func prepare() {
    guard isStale, !isDetached, let current, arriving.isEmpty else { return }
    isStale = false
    observe()
    guard let place = playing?.place else { return }
    let (new, likely) = (StoryPlan(run), run.visit?.likely ?? [])
    guard new != plan || likely != self.likely else { return }
    (plan, self.likely) = (new, likely)
    let sceneEnd = run.timelines[current.scene].length
    var wanted: [Storyboard.TrackID] = []
    var end = new?.leavesAt
    if case .track(let id) = new?.destination {
      if jumps == .classic, current.has(id), let leavesAt = new?.leavesAt, leavesAt < sceneEnd {
        // The item plays past that time until the run gets there.
        end = nil
      } else {
        wanted.append(id)
      }
    }
    actions.append(.end(current.item, at: end.flatMap { $0 < sceneEnd ? current.itemTime($0) : nil }))
    let goesOn = !wanted.isEmpty
    if jumps == .exact {
      let following = run.following(place.track)
      for id in likely where following != .track(id) && !wanted.contains(id) { wanted.append(id) }
    }
    let segments = wanted.prefix(Self.maxReady).map { segment($0) }
    dropped = (queue + dropped).prefix(2 * Self.maxReady)
    queue = segments
    actions.append(.queue(segments, goesOn: goesOn))
  }

  private mutating func observe() {
    var times: [MediaTime] = []
    if let (segment, place) = playing {
      times = run.events(place.track).filter { $0.trackTime > .zero }.map { segment.itemTime($0.time) }
      times.append(segment.itemTime(run.range(place.track).end))
    }
    guard times != observed else { return }
    observed = times
    actions.append(.observe(times))
  }
}
