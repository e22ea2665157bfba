import Pixels

/// The reason that the clock waits although it should run.
enum ClockHold: Equatable {
  case noItem
  /// The item is being opened, or has no frame yet.
  case opening
  case failed
  case seeking
  /// Frames are still being decoded: earlier ones for reverse playback, or the last ones at the end.
  case buffering
  /// Players that start together wait for each other.
  case othersInGroup
  /// Frames are taken without a clock.
  case untimed
}

/// A player's wait for the others of its group.
struct GroupHold: Equatable {
  let group: ObjectIdentifier
  /// Counted within the group.
  let number: Int
}

/// A player's clock and its settings (rate, loop, action at the end), with a log of its passage.
///
/// Host times are of the shared host clock; media times are nanoseconds of the item. Only this type changes the time.
struct TransportClock: ReadableClock {
  /// The requested rate: 0 while paused, negative for reverse playback.
  private(set) var rate = 0.0
  /// The rate that `play()` sets; above 0.
  private(set) var defaultRate = 1.0
  private(set) var actionAtItemEnd = ActionAtItemEnd.pause
  private(set) var loop = Loop()
  /// True if every frame is delivered as it is taken, without a clock.
  private(set) var isUntimed = false
  /// The group wait in progress.
  private(set) var groupHold: GroupHold?
  /// The frames that playback waits for; nil if for none.
  private(set) var buffering: Buffering?
  private(set) var timebase = Timebase()
  private(set) var log = TimeLog()
  /// The exact time that the clock was set to, which nanoseconds may round.
  private var exactTime: MediaTime?
  private var lastStatus = TimeControlStatus.paused
  /// True if the clock is at the end of what is played, whether the item or a range.
  private var isAtEnd = false
  /// True if this arrival at the end has been reported.
  private var hasReportedEnd = false
  /// Host time in nanoseconds for which the clock ran, up to its anchor.
  private var played: HostTime = 0
  /// The part of it by which the clock was set back.
  private var runInVain: HostTime = 0

  /// Frames that are still being decoded.
  enum Buffering {
    /// Those before the displayed one, in reverse playback.
    case earlierFrames
    /// The last ones, when the clock is at the end.
    case lastFrames
    /// The next ones, of which the data have not arrived.
    case nextData
  }

  /// The loop being played.
  struct Loop {
    /// The range; nil for the whole item, if the action at its end loops.
    fileprivate(set) var range: TimeRange?
    /// The number of times it is played; nil for no limit.
    fileprivate(set) var limit: Int?
    /// The number of repeats since it was set, or since its last pass ended.
    fileprivate(set) var count = 0

    /// True if the loop repeats once more after its end.
    var hasTurnLeft: Bool { limit.map { count + 1 < $0 } ?? true }
  }

  // MARK: - Questions

  /// The exact time at which the clock stopped, if it was set to that.
  var exactStop: MediaTime? {
    guard !timebase.isRunning, let exactTime, exactTime.clockNanoseconds == timebase.anchorMedia else { return nil }
    return exactTime
  }

  /// The host time of the end, if the next item should follow.
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

  /// Returns true if the clock would show another time than `media` at `anchor`.
  func isJump(to media: Int64?, host anchor: HostTime) -> Bool { media.map { $0 != timebase.media(at: anchor) } ?? false }

  /// Returns the host time for which the clock has run without being set back. Of players that have started together, it differs if
  /// one had to wait for data.
  func advance(at host: HostTime) -> HostTime { playedNanoseconds(at: host) - runInVain }

  func playedNanoseconds(at host: HostTime) -> HostTime {
    played.saturatingAdd(timebase.isRunning ? max(0, host - timebase.anchorHost) : 0)
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
    buffering = nil
  }

  mutating func beginGroupHold(_ hold: GroupHold) {
    // The newest hold of a group wins, in whichever order threads get here.
    if let groupHold, groupHold.group == hold.group, groupHold.number > hold.number { return }
    groupHold = hold
  }

  /// Ends a hold. Returns true if it was in effect.
  mutating func endGroupHold(_ hold: GroupHold) -> Bool {
    guard groupHold == hold else { return false }
    groupHold = nil
    return true
  }

  mutating func setBuffering(_ buffering: Buffering?) { self.buffering = buffering }

  /// Ends a wait for the last frames, since the clock goes elsewhere.
  mutating func leaveEnd() { if buffering == .lastFrames { buffering = nil } }

  /// Sets the rate; the clock adopts it on the next `update`.
  mutating func setRate(_ rate: Double) {
    self.rate = rate
    buffering = nil
    log.event(.rateChanged(rate))
  }

  // MARK: - Running

  /// Starts or stops the clock according to what has changed, at its current time.
  mutating func update(_ hold: ClockHold?, at host: HostTime) -> Effects {
    setTimebase(timebase.media(at: host), hold, at: host)
  }

  /// Continues from a frame that was shown without the clock, or from its current time.
  mutating func goOn(from time: MediaTime?, _ hold: ClockHold?, at host: HostTime) -> Effects {
    exactTime = time ?? exactTime
    return setTimebase(time?.clockNanoseconds ?? timebase.media(at: host), hold, at: host)
  }

  /// Sets the clock to another time.
  mutating func jump(to time: MediaTime, _ hold: ClockHold?, at host: HostTime) -> Effects {
    exactTime = time
    return setTimebase(time.clockNanoseconds ?? 0, hold, at: host, isJump: true)
  }

  /// Notes the exact time at which the clock stopped.
  mutating func noteExactTime(_ time: MediaTime) { exactTime = time }

  /// Sets the clock to where a seek landed; a jump only if that differs from the requested time.
  mutating func land(at time: MediaTime, askedFor target: MediaTime, _ hold: ClockHold?, at host: HostTime) -> Effects {
    exactTime = time
    return setTimebase(time.clockNanoseconds ?? 0, hold, at: host, isJump: time != target)
  }

  /// Makes the clock show `media` at `anchor`, in sync with other players.
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
    // A clock that moves away from the end reaches it again.
    if isJump || timebase.rate < 0 { hasReportedEnd = false }
    if timebase.isRunning != wasRunning {
      if timebase.isRunning { log.started(at: media, backwards: rate < 0) } else { log.stopped(at: media) }
    }
    if timebase.isRunning, isJump || !wasRunning { log.entered(at: media) }
    return noteStatus(hold)
  }

  /// Counts the time that it has run since its anchor, which is about to change.
  private mutating func notePlayed(to host: HostTime) {
    played = played.saturatingAdd(max(0, host - timebase.anchorHost))
  }

  mutating func noteStatus(_ hold: ClockHold?) -> Effects {
    let status = status(hold)
    guard status != lastStatus else { return .none }
    lastStatus = status
    log.event(.statusChanged(status))
    return .wake([.observers, .display])
  }

  /// Resets the clock to the beginning of another item.
  mutating func reset(_ hold: ClockHold?, at host: HostTime) -> Effects {
    loop.count = 0
    exactTime = nil
    let effects = setTimebase(0, hold, at: host, isJump: true)
    played = 0
    return effects
  }

  /// Shifts the time while the clock runs, by so little that nothing is passed over.
  ///
  /// - Parameter nanoseconds: media time at rate 1; more or less at others.
  mutating func slew(by nanoseconds: Int64, at host: HostTime) {
    guard timebase.isRunning else { return }
    notePassage(at: host)
    let media = timebase.media(at: host).saturatingAdd(Int64(saturating: Double(nanoseconds) * timebase.rate))
    exactTime = nil
    notePlayed(to: host)
    timebase.set(media: media, host: host, rate: timebase.rate)
  }

  /// The largest correction at a time, in nanoseconds.
  static let maxSlew: Int64 = 500_000

  // MARK: - Passing

  /// Notes that the clock has passed to `host` without incident.
  mutating func notePassage(at host: HostTime) {
    let media = timebase.media(at: host)
    // Threads may get here with times in another order than they read them.
    log.played(to: timebase.rate < 0 ? min(log.reportedUpTo, media) : max(log.reportedUpTo, media))
  }

  /// Returns when the clock passed `media`, which it has reached by now.
  func host(passing media: Int64, by host: HostTime) -> HostTime { due(media) ?? max(host, timebase.anchorHost) }

  /// Notes that the clock has reached the end of the item or of a loop.
  mutating func didReach(end: Int64, isItemEnd: Bool) {
    // If the end turns out to lie before the current time, this is a jump rather than playback.
    if end >= log.reportedUpTo { log.played(to: end) } else { log.jumped(to: end) }
    if isItemEnd && !hasReportedEnd { log.event(.playedToEnd) }
  }

  /// Starts the loop's next pass.
  mutating func turn(to start: Int64, at host: HostTime) {
    loop.count += 1
    exactTime = nil
    hasReportedEnd = false
    notePlayed(to: host)
    timebase.set(media: start, host: host, rate: rate)
    log.jumped(to: start)
    log.entered(at: start)
  }

  /// Waits at the end for the last frames.
  mutating func wait(atEnd end: Int64, _ hold: ClockHold, at host: HostTime) -> Effects {
    // If the end turns out to lie before the current time, this is a jump rather than playback.
    let isJump = end < log.reportedUpTo
    return setTimebase(end, hold, at: host, isJump: isJump)
  }

  /// Stops at the end.
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

  /// Notes that reverse playback has reached the start.
  mutating func didReach(start: Int64) {
    // As for the end, if the start turns out to lie ahead, this is a jump.
    if start <= log.reportedUpTo { log.played(to: start) } else { log.jumped(to: start) }
    if start == 0 { log.event(.playedToStart) }
  }

  /// Counts a repeat in reverse, from the loop's start to its end.
  mutating func countTurn() { loop.count += 1 }

  mutating func stop(atStart start: Int64, _ hold: ClockHold?, at host: HostTime) -> Effects {
    loop.count = 0
    return setTimebase(start, hold, at: host)
  }

  /// Moves the clock back to where the cached frames end, which it has passed.
  mutating func goBack(to media: Int64, at host: HostTime) {
    notePlayed(to: host)
    let rate = abs(timebase.rate)
    if rate > 0 { runInVain += HostTime(saturating: abs(Double(timebase.media(at: host) - media)) / rate) }
    timebase.set(media: media, host: host, rate: timebase.rate)
  }

  /// Sets the clock back by the media time that it covers in a host time.
  mutating func setBack(by time: HostTime, at host: HostTime) {
    shift(by: Int64(saturating: -Double(time) * rate), at: host)
    runInVain += time
  }

  /// Shifts the clock, without a jump: frames that it skips are not shown, and those that it returns to are not shown
  /// again.
  mutating func shift(by nanoseconds: Int64, at host: HostTime) {
    notePlayed(to: host)
    exactTime = nil
    timebase.set(media: timebase.media(at: host).saturatingAdd(nanoseconds), host: host, rate: timebase.rate)
  }

  /// Notes that a frame was taken without a clock.
  mutating func noteUntimed(_ media: Int64) {
    log.entered(at: log.reportedUpTo)
    log.played(to: media)
  }

  mutating func report(_ event: PlayerEvent) { log.event(event) }

  mutating func report(_ events: [PlayerEvent]) { for event in events { log.event(event) } }

  mutating func markLog() -> Int { log.mark() }

  mutating func drainLog() -> [TimeLog.Entry] { log.drain() }
}
