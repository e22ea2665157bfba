import DequeModule

/// All of a player's state and every decision about it: a plain value without threads or files.
///
/// Its owner calls it with a lock held and performs the returned or collected `Effect`s after unlocking.
/// Times called `host` are of the shared host clock; media times inside are nanoseconds of the item.
struct PlayerCore {
  /// What the owner does after unlocking.
  enum Effect {
    /// A new picture, or something else to see.
    case display
    /// The lane has work.
    case feed
    /// The observer bus has something to tell.
    case observe
    case complete(@Sendable (SeekResult) -> Void, SeekResult)
    /// The queue's next item is to follow the one with this epoch.
    case advance(epoch: Int)
    /// The pictures' places are to be found out.
    case index
  }

  enum ItemState: Equatable {
    case none
    case opening
    case ready(SourceInfo)
    case failed(PlaybackError)
  }

  /// A picture that waits for its time.
  struct Queued {
    /// How many times the loop had begun anew when it was decoded for it.
    var iteration: Int
    var picture: RenderedFrame
    /// Where the next picture of the stream begins, which need not be the next that waits.
    var successor: MediaTime?
  }

  // Wishes.
  var rate = 0.0
  var defaultRate = 1.0
  var actionAtItemEnd = ActionAtItemEnd.pause
  /// Played over and over while set.
  var loopRange: TimeRange?
  var request: RenderRequest?
  /// The last one that was not nil: what a step that was under way when the pane was hidden still renders for.
  var lastRequest: RenderRequest?
  /// Every picture one after another as they are taken, without a clock.
  var isUntimed = false
  /// Keeps the clock from starting until the others in a group are ready.
  var isHeldByGroup = false
  /// Playing backwards has come to where nothing is held.
  var isBuffering = false

  // Truth.
  var item = ItemState.none
  var timebase = Timebase()
  var displayed: RenderedFrame?
  /// `displayed` has not been taken since it changed.
  var displayedIsNew = false
  var displayedSuccessor: MediaTime?
  /// Near the target of a seek that is under way; not taken yet.
  var preview: RenderedFrame?
  /// Such a picture was taken last, not the displayed one.
  var isPreviewing = false
  /// Where the pictures are, as far as known.
  var map: PresentationTimeline?
  var queue = Deque<Queued>()
  /// Pictures that were displayed or passed by, for going back.
  var cache = FrameCache()
  /// Which round of the loop the clock is in.
  var iteration = 0
  /// End of the last picture, once decoding has got there.
  var knownEnd: Int64?
  /// Whether pictures may have been left out before it.
  var endIsGuess = false
  /// Where the viewer was told that the data ends before its time.
  var earlyEnd: Int64?
  var seek = SeekState()
  var feed = FeedState()
  var log = TravelLog()
  var statistics = PlayerStatistics()
  var effects: [Effect] = []
  private var lastStatus = TimeControlStatus.paused
  /// The end event has been given for this way to the end.
  private var hasToldEnd = false

  /// No more are decoded once so many wait: enough to ride out a busy machine for half a second at 30 a second.
  static let queueCapacity = 16
  /// Nor once those that wait take so many bytes, where panes are very large.
  static let queueBytes = 8 << 20

  mutating func takeEffects() -> [Effect] {
    guard !effects.isEmpty else { return [] }
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  // MARK: - Item

  mutating func setItem(present: Bool, at host: HostTime) {
    advance(to: host)
    cancelSeeks()
    queue.removeAll()
    cache.removeAll()
    displayed = nil
    displayedIsNew = false
    displayedSuccessor = nil
    preview = nil
    map = nil
    iteration = 0
    isBuffering = false
    knownEnd = nil
    endIsGuess = false
    earlyEnd = nil
    feed = FeedState(epoch: feed.epoch + 1)
    statistics = PlayerStatistics()
    item = present ? .opening : .none
    runClock(from: 0, at: host, isJump: true)
    effects.append(.display)
  }

  mutating func itemDidOpen(_ info: SourceInfo, canSeek: Bool, canLeaveOut: Bool, at host: HostTime) {
    guard item == .opening else { return }
    item = .ready(info)
    feed.canSeek = canSeek
    feed.canLeaveOut = canLeaveOut
    noteMove(at: host)
    feed.begin(Positioning(purpose: .first, target: .zero, needsSeek: false))
    log.event(.itemReady)
    settle(at: host)
    effects += [.feed, .display, .observe]
  }

  mutating func itemDidFail(_ error: PlaybackError, at host: HostTime) {
    advance(to: host)
    if case .failed = item { return }
    item = .failed(error)
    cancelSeeks()
    feed = FeedState(epoch: feed.epoch + 1)
    queue.removeAll()
    log.event(.itemFailed(error))
    runClock(from: timebase.media(at: host), at: host, isJump: false)
    effects += [.display, .observe]
  }

  var info: SourceInfo? {
    if case .ready(let info) = item { return info }
    return nil
  }

  // MARK: - Clock

  /// Whether everything is there for the clock to run.
  private var mayRun: Bool {
    guard rate != 0, case .ready = item, displayed != nil || !queue.isEmpty else { return false }
    return !seek.isUnderWay && !isHeldByGroup && !isUntimed && !isBuffering
  }

  var status: TimeControlStatus {
    if rate == 0 { return .paused }
    switch item {
    case .none: return .waiting(.noItem)
    case .opening: return .waiting(.opening)
    case .failed: return .paused
    case .ready: break
    }
    if seek.isUnderWay { return .waiting(.seeking) }
    if displayed == nil && queue.isEmpty { return .waiting(.opening) }
    if isBuffering { return .waiting(.buffering) }
    if isHeldByGroup { return .waiting(.othersInGroup) }
    return .playing
  }

  /// Anchors the clock at a media time, running if it may.
  mutating func runClock(from media: Int64, at host: HostTime, isJump: Bool) {
    let wasRunning = timebase.isRunning
    if wasRunning {
      statistics.playedNanoseconds += max(0, host - timebase.anchorHost)
      if !isJump { log.played(to: timebase.media(at: host)) }
    }
    timebase.set(media: media, host: host, rate: mayRun ? rate : 0)
    if isJump {
      log.jumped(to: media)
      hasToldEnd = false
    }
    if timebase.isRunning != wasRunning {
      if timebase.isRunning { log.started(at: media) } else { log.stopped(at: media) }
    }
    noteStatus()
  }

  /// Lets the clock go or stop according to what has changed, where it is.
  mutating func settle(at host: HostTime) {
    runClock(from: timebase.media(at: host), at: host, isJump: false)
  }

  mutating func noteStatus() {
    let status = status
    guard status != lastStatus else { return }
    lastStatus = status
    log.event(.statusChanged(status))
    effects += [.observe, .display]
  }

  /// Media time now; the target while a seek is under way.
  func currentTime(at host: HostTime) -> MediaTime {
    if let target = seek.newestTarget { return target }
    if isUntimed { return displayed?.timing.pts ?? .zero }
    if !timebase.isRunning, let stopped = seek.landedTime, stopped.nanoseconds == timebase.anchorMedia {
      return stopped
    }
    return MediaTime(nanoseconds: clamp(timebase.media(at: host)))
  }

  private func clamp(_ media: Int64) -> Int64 {
    // What is on display is there, whatever the file announced.
    let end = knownEnd ?? info?.duration.nanoseconds.map { max($0, displayed?.timing.endNanoseconds ?? 0) } ?? .max
    return max(0, min(media, max(0, end)))
  }

  /// Length as far as known; corrected when the end has been decoded.
  var duration: MediaTime {
    if let knownEnd { return MediaTime(nanoseconds: knownEnd) }
    return info?.duration ?? .indefinite
  }

  mutating func setRate(_ wanted: Double, at host: HostTime) {
    advance(to: host)
    guard wanted != rate else { return }
    changeRate(to: wanted, at: host)
    settle(at: host)
    effects += [.feed, .display, .observe]
  }

  private mutating func changeRate(to wanted: Double, at host: HostTime) {
    guard wanted != rate else { return }
    // A display that is late on the way back rests where the clock does.
    if rate < 0 { _ = showEarlier(at: host, mayLag: false) }
    rate = wanted
    log.event(.rateChanged(wanted))
    noteMove(at: host)
    feed.discardGoingBack = .nothing
    // What was found there then may have been dropped since.
    feed.barrenPrefetch = nil
    feed.restsAt = nil
    isBuffering = false
    // Steps that still waited for their pictures would come amid playing.
    if wanted != 0 { seek.pendingSteps = 0 }
    // The clock has begun the loop anew and now rests: no next round is decoded.
    if wanted <= 0, feed.iteration < iteration { feed.needsRefresh = displayed != nil }
    if wanted > 0 { leaveCache(at: host) } else if wanted < 0 { turnBack(at: host) }
  }

  /// Lets the clock show `media` at `anchor` and run at `wanted`.
  mutating func setRate(_ wanted: Double, media: Int64?, anchor: HostTime, at host: HostTime) {
    advance(to: host)
    changeRate(to: wanted, at: host)
    let present = timebase.media(at: anchor)
    let isJump = media.map { $0 != present } ?? false
    runClock(from: media ?? present, at: anchor, isJump: isJump)
    if isJump {
      seek.landedTime = nil
      feed.needsRefresh = displayed != nil
    }
    effects += [.feed, .display, .observe]
  }

  mutating func setHeldByGroup(_ held: Bool, at host: HostTime) {
    advance(to: host)
    guard held != isHeldByGroup else { return }
    isHeldByGroup = held
    settle(at: host)
    effects += [.display, .observe]
  }

  // MARK: - The end

  /// End of the item: decoded, or announced while nobody looks and nothing is decoded.
  private var itemEnd: Int64? { knownEnd ?? (request == nil ? info?.duration.nanoseconds : nil) }

  private var loopBounds: (start: Int64, end: Int64?)? {
    if let range = loopRange, let start = range.start.nanoseconds {
      let end = range.end.nanoseconds.map { e in itemEnd.map { min(e, $0) } ?? e }
      return (start, end ?? itemEnd)
    }
    return actionAtItemEnd == .loop ? (0, itemEnd) : nil
  }

  /// Where the loop begins anew, nil when nothing loops.
  var loopStart: Int64? { loopBounds?.start }

  /// Where playing stops or goes back, nil while not known.
  var playEnd: Int64? { loopBounds.map(\.end) ?? itemEnd }

  /// Where playing backwards stops or goes to the end. A loop past the end, as far as that is known, is none.
  var playStart: Int64 { loopStart.flatMap { $0 < clamp(.max) ? $0 : nil } ?? 0 }

  /// Lets everything happen that the clock has passed: the end, or the loop's turn.
  mutating func advance(to host: HostTime) {
    guard timebase.isRunning else { return }
    if rate < 0 { return advanceBackwards(to: host) }
    // More turns than this in one go mean a loop too short to be seen.
    for _ in 0..<1000 {
      guard let end = playEnd, timebase.media(at: host) >= end else { break }
      // A loop that was set behind the present is gone into from there.
      let hostAtEnd = max(timebase.host(for: end) ?? host, timebase.anchorHost)
      // An end that turns out to lie before the present is gone to, not played to.
      if end >= log.told { log.played(to: end) } else { log.jumped(to: end) }
      let isItemEnd = itemEnd.map { end >= $0 } ?? false
      if isItemEnd && !hasToldEnd { log.event(.playedToEnd) }
      if let start = loopStart, start < end {
        iteration += 1
        seek.landedTime = nil
        statistics.playedNanoseconds += max(0, hostAtEnd - timebase.anchorHost)
        timebase.set(media: start, host: hostAtEnd, rate: rate)
        log.jumped(to: start)
        effects += [.observe, .feed]
        continue
      }
      hasToldEnd = isItemEnd
      if actionAtItemEnd == .advance {
        effects.append(.advance(epoch: feed.epoch))
      } else {
        rate = 0
        log.event(.rateChanged(0))
        noteMove(at: host)
      }
      runClock(from: end, at: hostAtEnd, isJump: false)
      if timebase.isRunning { timebase.set(media: end, host: hostAtEnd, rate: 0) }
      // Where the last pictures were left out, the very last is still to be seen.
      effects += [.observe, .display, .feed]
      return
    }
    // Threads may come here with moments in another order than they took them.
    if timebase.isRunning { log.played(to: max(log.told, timebase.media(at: host))) }
  }
}
