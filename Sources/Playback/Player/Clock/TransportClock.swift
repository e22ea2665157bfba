/// The reason that the clock waits although it should run.
enum ClockHold: Equatable {
  case noItem
  /// The item is being opened, or has no frame yet.
  case opening
  case failed
  case seeking
  /// Earlier frames are still being decoded, for reverse playback.
  case buffering
  /// Players that start together wait for each other.
  case othersInGroup
  /// Frames are taken without a clock.
  case untimed
}

/// One waiting of a player for the others of its group.
struct GroupHold: Equatable {
  let group: ObjectIdentifier
  /// Counted within the group.
  let number: Int
}

/// The player's clock and what it is to do: rate, loop, what follows the end; and the record of its passage.
///
/// Host times are of the shared host clock, media times nanoseconds of the item. Only this moves the time.
struct TransportClock {
  /// The wish: 0 while paused, below 0 backwards.
  private(set) var rate = 0.0
  /// The rate that `play()` sets; above 0.
  private(set) var defaultRate = 1.0
  private(set) var actionAtItemEnd = ActionAtItemEnd.pause
  private(set) var loop = Loop()
  /// Every frame one after another as they are taken, without a clock.
  private(set) var isUntimed = false
  /// While others in a group are waited for.
  private(set) var groupHold: GroupHold?
  /// True if going back has come to where nothing is cached.
  private(set) var isBuffering = false
  private(set) var timebase = Timebase()
  /// The current loop pass, from 0.
  private(set) var loopIndex = 0
  private(set) var log = TimeLog()
  /// Exactly where the clock was set to, which nanoseconds may round.
  private var exactTime: MediaTime?
  private var lastStatus = TimeControlStatus.paused
  /// It stands at the end of what is played, be it the item's or a range's.
  private var isAtEnd = false
  /// The end has been reported for this way to it.
  private var hasReportedEnd = false
  /// Nanoseconds of host time in which the clock ran, up to its anchor.
  private var played: HostTime = 0

  /// The loop being played.
  struct Loop {
    /// Nil for the whole item, where the action at its end says so.
    fileprivate(set) var range: TimeRange?
    /// The number of times it is played; nil for no limit.
    fileprivate(set) var limit: Int?
    /// Turns since it was set, or since its last one was over.
    fileprivate(set) var count = 0

    /// True if the loop repeats once more after its end.
    var hasTurnLeft: Bool { limit.map { count + 1 < $0 } ?? true }
  }

  // MARK: - Questions

  var isRunning: Bool { timebase.isRunning }

  /// True if playback moves to later frames, as it always does without a clock.
  var goesOn: Bool { rate > 0 || (isUntimed && rate < 0) }

  func media(at host: HostTime) -> Int64 { timebase.media(at: host) }

  /// Exactly where the clock stands, where it was set to that.
  var exactStop: MediaTime? {
    guard !timebase.isRunning, let exactTime, exactTime.nanoseconds == timebase.anchorMedia else { return nil }
    return exactTime
  }

  /// When it came to the end of what is played, where it is to go on with the next item.
  var hostAtEnd: HostTime? { isAtEnd && rate > 0 && !timebase.isRunning ? timebase.anchorHost : nil }

  func status(_ hold: ClockHold?) -> TimeControlStatus {
    if rate == 0 { return .paused }
    return switch hold {
    case .noItem: .waiting(.noItem)
    case .opening: .waiting(.opening)
    case .failed: .paused
    case .seeking: .waiting(.seeking)
    case .buffering: .waiting(.buffering)
    case .othersInGroup: .waiting(.othersInGroup)
    case .untimed, nil: .playing
    }
  }

  /// Returns true if it would show another time than `media` at `anchor`.
  func isJump(to media: Int64?, host anchor: HostTime) -> Bool { media.map { $0 != timebase.media(at: anchor) } ?? false }

  func playedNanoseconds(at host: HostTime) -> HostTime {
    played + (timebase.isRunning ? max(0, host - timebase.anchorHost) : 0)
  }

  // MARK: - Wishes

  mutating func setDefaultRate(_ rate: Double) { defaultRate = rate }

  mutating func setLoop(range: TimeRange?, action: ActionAtItemEnd) {
    loop.range = range
    actionAtItemEnd = action
    loop.count = 0
  }

  mutating func setLoopLimit(_ limit: Int?) {
    loop.limit = limit
    loop.count = 0
  }

  mutating func setUntimed(_ untimed: Bool) {
    isUntimed = untimed
    isBuffering = false
  }

  mutating func beginGroupHold(_ hold: GroupHold) {
    // Of one group's the newest holds, in whichever order threads come here.
    if let groupHold, groupHold.group == hold.group, groupHold.number > hold.number { return }
    groupHold = hold
  }

  /// Returns whether it was that one that held.
  mutating func endGroupHold(_ hold: GroupHold) -> Bool {
    guard groupHold == hold else { return false }
    groupHold = nil
    return true
  }

  mutating func setBuffering(_ buffering: Bool) { isBuffering = buffering }

  /// Another rate; the clock goes by it from the next `update` on.
  mutating func setRate(_ rate: Double) {
    self.rate = rate
    isBuffering = false
    log.event(.rateChanged(rate))
  }

  // MARK: - Running

  /// Lets the clock go or stand according to what has changed, where it is.
  mutating func update(_ hold: ClockHold?, at host: HostTime) -> Effects {
    setTimebase(timebase.media(at: host), hold, at: host)
  }

  /// Goes on from a frame that was shown without it, or where it is.
  mutating func goOn(from time: MediaTime?, _ hold: ClockHold?, at host: HostTime) -> Effects {
    exactTime = time ?? exactTime
    return setTimebase(time?.nanoseconds ?? timebase.media(at: host), hold, at: host)
  }

  /// Sets the clock to another time.
  mutating func jump(to time: MediaTime, _ hold: ClockHold?, at host: HostTime) -> Effects {
    exactTime = time
    return setTimebase(time.nanoseconds ?? 0, hold, at: host, isJump: true)
  }

  /// The clock stands at exactly this time.
  mutating func noteExactTime(_ time: MediaTime) { exactTime = time }

  /// A seek has landed: sets the clock to where, which is a jump only if it is not where it was asked to land.
  mutating func land(at time: MediaTime, askedFor target: MediaTime, _ hold: ClockHold?, at host: HostTime) -> Effects {
    exactTime = time
    return setTimebase(time.nanoseconds ?? 0, hold, at: host, isJump: time != target)
  }

  /// Lets the clock show `media` at `anchor`, as others do that run in step.
  mutating func anchor(at media: Int64?, host anchor: HostTime, _ hold: ClockHold?) -> Effects {
    let isJump = isJump(to: media, host: anchor)
    if isJump { exactTime = nil }
    return setTimebase(media ?? timebase.media(at: anchor), hold, at: anchor, isJump: isJump)
  }

  private mutating func setTimebase(_ media: Int64, _ hold: ClockHold?, at host: HostTime, isJump: Bool = false) -> Effects {
    let wasRunning = timebase.isRunning
    if wasRunning {
      notePlayed(to: host)
      if !isJump { notePassage(at: host) }
    }
    timebase.set(media: media, host: host, rate: hold == nil ? rate : 0)
    isAtEnd = false
    if isJump { log.jumped(to: media) }
    // Whoever goes away from the end comes to it again.
    if isJump || timebase.rate < 0 { hasReportedEnd = false }
    if timebase.isRunning != wasRunning {
      if timebase.isRunning { log.started(at: media, backwards: rate < 0) } else { log.stopped(at: media) }
    }
    return noteStatus(hold)
  }

  /// Counts how long it has run since its anchor, which is about to be another one.
  private mutating func notePlayed(to host: HostTime) { played += max(0, host - timebase.anchorHost) }

  mutating func noteStatus(_ hold: ClockHold?) -> Effects {
    let status = status(hold)
    guard status != lastStatus else { return .none }
    lastStatus = status
    log.event(.statusChanged(status))
    return .wake([.observers, .display])
  }

  /// Another item: from the beginning.
  mutating func reset(_ hold: ClockHold?, at host: HostTime) -> Effects {
    loopIndex = 0
    loop.count = 0
    exactTime = nil
    let effects = setTimebase(0, hold, at: host, isJump: true)
    played = 0
    return effects
  }

  // MARK: - Passing

  /// The clock has passed to `host`, and nothing lay on the way.
  mutating func notePassage(at host: HostTime) {
    let media = timebase.media(at: host)
    // Threads may come here with moments in another order than they took them.
    log.played(to: timebase.rate < 0 ? min(log.reportedUpTo, media) : max(log.reportedUpTo, media))
  }

  /// When the clock shows `media`, not before it was anchored; nil while it stands.
  func due(_ media: Int64) -> HostTime? { timebase.host(for: media).map { max($0, timebase.anchorHost) } }

  /// When the clock showed `media`, which it has come to by now.
  func host(passing media: Int64, by host: HostTime) -> HostTime { due(media) ?? max(host, timebase.anchorHost) }

  /// The clock has come to where playing ends, of the item or of a loop.
  mutating func didReach(end: Int64, isItemEnd: Bool) {
    // An end that turns out to lie before the present is gone to, not played to.
    if end >= log.reportedUpTo { log.played(to: end) } else { log.jumped(to: end) }
    if isItemEnd && !hasReportedEnd { log.event(.playedToEnd) }
  }

  /// Begins the loop's next pass.
  mutating func turn(to start: Int64, at host: HostTime) {
    loopIndex += 1
    loop.count += 1
    exactTime = nil
    hasReportedEnd = false
    notePlayed(to: host)
    timebase.set(media: start, host: host, rate: rate)
    log.jumped(to: start)
  }

  /// Stands at the end.
  mutating func stop(atEnd end: Int64, isItemEnd: Bool, _ hold: ClockHold?, at host: HostTime) -> Effects {
    hasReportedEnd = isItemEnd
    loop.count = 0
    let effects = setTimebase(end, hold, at: host)
    if timebase.isRunning {
      timebase.set(media: end, host: host, rate: 0)
      log.stopped(at: end)
    }
    isAtEnd = true
    return effects
  }

  /// The clock has come to the beginning on its way back.
  mutating func didReach(start: Int64) {
    // As an end, one that turns out to lie ahead is gone to.
    if start <= log.reportedUpTo { log.played(to: start) } else { log.jumped(to: start) }
    if start == 0 { log.event(.playedToStart) }
  }

  /// Goes from the loop's beginning to its end.
  mutating func countTurn() { loop.count += 1 }

  mutating func stop(atStart start: Int64, _ hold: ClockHold?, at host: HostTime) -> Effects {
    loop.count = 0
    return setTimebase(start, hold, at: host)
  }

  /// The clock has run past what is cached: it goes on from there.
  mutating func goBack(to media: Int64, at host: HostTime) {
    notePlayed(to: host)
    timebase.set(media: media, host: host, rate: timebase.rate)
  }

  /// A frame was taken without a clock.
  mutating func noteUntimed(_ media: Int64) { log.played(to: media) }

  mutating func report(_ event: PlayerEvent) { log.event(event) }

  mutating func report(_ events: [PlayerEvent]) { for event in events { log.event(event) } }

  mutating func markLog() -> Int { log.mark() }

  mutating func drainLog() -> [TimeLog.Entry] { log.drain() }
}
