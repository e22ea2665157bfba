import Playback

/// What a storyboard's player decides: a value that knows no player, told of what has been played.
///
/// Each step returns what is to be done, in order, by whoever owns it.
struct StoryPlayback: Sendable {
  /// Something to be done with the player, or to be told.
  enum Action: Sendable {
    case tell(StoryboardEffect)
    /// Plays another item now, from a time of it.
    case replace(StorySegment, from: MediaTime?)
    /// Goes to a time of the present item; where it need not be exact, to the next frame that is cheap.
    ///
    /// One that is a jump of the story shows nothing until it is there.
    case seek(MediaTime, isExact: Bool, isJump: Bool)
    /// The item ends at a time of it; nil for its own end.
    case end(PlayerItem, at: MediaTime?)
    /// What follows the item: the first, or nothing; the others may do so later, and are to be ready.
    case queue([StorySegment], goesOn: Bool)
    /// The bus is to come at these times of the present item.
    case observe([MediaTime])
    case pause
    /// The player is no more the story's: its items leave the queue, and what ends an item is taken back.
    case letGo([PlayerItem])
  }

  private(set) var run: StoryboardRun
  private(set) var log: StoryboardLog
  private let makeItem: StoryboardPlayer.ItemMaker
  private let jumps: StoryboardPlayer.Jumps
  private var wishes: StoryWishes

  /// What the player plays, as far as it has told.
  private(set) var current: StorySegment?
  /// What the player is going to tell of: items that it was given, or that it goes on with by itself.
  private var arriving: [StorySegment] = []
  /// The player's queue, the next one first where `goesOn`.
  private var queue: [StorySegment] = []
  /// What was in the queue before, newest first: the player may have gone on to it in the meantime.
  private var dropped: ArraySlice<StorySegment> = []
  private var plan: StoryPlan?
  private var likely: [Storyboard.TrackID] = []
  /// The place, in nanoseconds of the item, to which a seek of the story's own is going to take the player: what is played
  /// before is no more the story's.
  private var seekTarget: Int64?
  /// Whether the item has begun, and the jump to its start has not been told.
  private var awaitsStart = false
  /// Whether somebody has taken the player for something else, or is to have it.
  private(set) var isDetached = false
  private var observed: [MediaTime] = []
  /// Whether what follows may be another than was prepared.
  private var isStale = true
  private var actions: [Action] = []

  /// Items that are kept ready at the most: where the story goes as it stands, what is pointed at, and what is likely otherwise.
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

  /// What the player plays, with the place in it at which the run is; nil where that is not in it.
  private var playing: (segment: StorySegment, place: StoryboardRun.Place)? {
    guard let current, let place = run.place, current.has(place.track) else { return nil }
    return (current, place)
  }

  /// Whether what is played is the story's: no jump has to land first.
  private var isOnItsWay: Bool { arriving.isEmpty && seekTarget == nil }

  private mutating func takeActions() -> [Action] {
    makeWishes()
    prepare()
    defer { actions = [] }
    return actions
  }

  // MARK: - What is asked for

  /// Begins the story.
  ///
  /// - Parameter item: one of the first track on that the player has already; nil makes one.
  mutating func begin(with item: PlayerItem?) -> [Action] {
    guard current == nil, arriving.isEmpty else { return [] }
    let effects = run.begin()
    if let item, let place = run.place {
      let segment = StorySegment(
        item: item, scene: place.track.scene, firstTrack: place.track.track, offset: run.range(place.track).start)
      current = segment
      awaitsStart = true
      for effect in effects { tell(effect) }
      // A run that is taken up is in the midst of it.
      let time = segment.itemTime(place.sceneTime)
      if time > .zero { jump(to: time, isJump: true) }
    } else {
      take(effects, .asked)
    }
    return takeActions()
  }

  /// - Parameter time: of the present item.
  mutating func choose(_ number: Int, at time: MediaTime) -> [Action] {
    guard !isDetached else { return [] }
    wishes.didChoose()
    let position = log.position
    if let (segment, place) = playing {
      // Between two events; the run stands at the first.
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

  /// Goes to a time of the present item, which is brought into the track that is played.
  mutating func seek(toItemTime time: MediaTime) -> [Action] {
    guard !isDetached, let (segment, place) = playing else { return [] }
    let range = run.range(place.track)
    let target = min(max(segment.offset + time, range.start), lastTime(of: range))
    take(run.seek(to: target), .asked)
    jump(to: segment.itemTime(target))
    return takeActions()
  }

  /// Lets the player be from now on.
  mutating func letGo() -> [Action] {
    guard !isDetached else { return [] }
    isDetached = true
    return [.letGo((arriving + queue).map(\.item))]
  }

  // MARK: - What the player tells

  /// - Parameter item: that the player has now.
  mutating func handle(_ passage: Passage, playing item: PlayerItem?) -> [Action] {
    // Of what was played before its beginning nothing is the story's.
    guard current != nil || !arriving.isEmpty else { return [] }
    // What has been played of the story before somebody took the player does not matter any more.
    if !([current].compactMap { $0 } + arriving + queue + dropped).contains(where: { $0.item === item }) { return letGo() }
    guard !isDetached else { return [] }
    switch passage {
    case .played(let from, let to): if to > from { playForwards(to: to) } else { playBackwards(to: to) }
    case .jumped(let time): didJump(to: time)
    case .event(.currentItemChanged): itemDidChange(item)
    case .event(.playedToEnd): playToEnd()
    case .event, .started, .stopped: break
    }
    return takeActions()
  }

  private mutating func itemDidChange(_ item: PlayerItem?) {
    if let known = (queue + dropped).first(where: { $0.item === item }), known.item !== arriving.first?.item {
      current = known
      queue = arriving + queue
      arriving = []
      // The run has not decided that: it says where to go.
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
    // Tracks within one passage at the most.
    for _ in 0..<1000 {
      guard isOnItsWay, let (segment, place) = playing, let stop = run.nextStop else { return }
      awaitsStart = false
      let sceneTime = run.range(place.track).start + stop
      guard segment.nanoseconds(sceneTime) <= time else { return }
      advance(to: stop, place, playedTo: time)
    }
  }

  /// The item has ended, a nanosecond or more before what was computed.
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
    // Else nothing that follows is another.
    if !effects.isEmpty || run.visit?.cursor != cursor { take(effects, .asked) }
    // What lies before is another track.
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

  /// A time in a track's last frame: its end is another track's beginning.
  private func lastTime(of range: TimeRange) -> MediaTime {
    max(range.start, range.end - MediaTime(value: 1, timescale: 1_000_000))
  }

  /// The scene's time of one of the item, exactly that of an event where it is one.
  private func sceneTime(_ time: Int64, _ segment: StorySegment) -> MediaTime {
    if let place = run.place {
      let range = run.range(place.track)
      for exact in run.events(place.track).map(\.time) + [range.start, range.end] where segment.nanoseconds(exact) == time {
        return exact
      }
    }
    return segment.offset + MediaTime(nanoseconds: time)
  }

  // MARK: - What follows

  /// Why the run has moved.
  private enum Cause {
    case asked
    /// The player has played so far, in nanoseconds of its item; nil where the item has ended.
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
    // Gone back to before there was something to choose.
    case .chosen(nil): wishes.didGoBack(decided: run.history.count)
    default: break
    }
  }

  private mutating func leave(_ departure: StoryboardDeparture, _ cause: Cause) {
    if case .played(let time) = cause, jumps == .exact, let current, let plan, let leftAt = departure.leftAt,
      plan == StoryPlan(leavesAt: leftAt, destination: .track(departure.to)), let next = queue.first, next.begins(with: departure.to),
      time.map({ $0 <= current.nanoseconds(leftAt) + 1 }) ?? true
    {
      // The player goes on with it by itself, or has done so.
      arriving.append(next)
      queue.removeFirst()
      return
    }
    go(to: departure.to, from: departure.start)
  }

  /// Lets the player be elsewhere, now.
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
    // What ends the item may lie before.
    if let current { actions.append(.end(current.item, at: nil)) }
    plan = nil
    isStale = true
    actions.append(.seek(time, isExact: isExact, isJump: isJump))
  }

  /// An item that is ready or being made ready, else a new one.
  private mutating func segment(_ id: Storyboard.TrackID, isWhole: Bool = false) -> StorySegment {
    if let known = queue.first(where: { $0.begins(with: id) }) { return known }
    let first = isWhole ? 0 : id.track
    return StorySegment(
      item: makeItem(Storyboard.TrackID(scene: id.scene, track: first)), scene: id.scene, firstTrack: first,
      offset: run.timelines[id.scene].ranges[first].start)
  }

  /// Chooses what was wished for beforehand, as soon as it can be chosen.
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

  /// Lets the player end the item where the story leaves it, and have ready what may follow.
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
        // It plays over that place until the run has come there.
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
