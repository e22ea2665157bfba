/// A seek that was asked for.
struct SeekRequest: Sendable {
  var target: MediaTime
  var before: MediaTime
  var after: MediaTime
  var askedAt: HostTime
  var completion: (@Sendable (SeekResult) -> Void)?
}

/// Chase time: one seek in flight, and the newest target that waits for it (Apple's QA1820).
struct SeekState {
  /// In flight: the decoder is on its way there.
  var active: SeekRequest?
  /// Replaced by every newer one; begins when `active` has landed.
  var wanted: SeekRequest?
  /// Completions of targets that newer ones replaced, which follow that of the one in flight.
  var outrun: [@Sendable (SeekResult) -> Void] = []
  /// Host time of the newest call, and whether it came soon after another: the target is moving.
  var askedAt: HostTime = .min
  var isMoving = false
  /// Exactly where the last one landed, while the clock has not moved since.
  var landedTime: MediaTime?
  /// Frame steps that wait for pictures: forward above, backward below 0.
  var pendingSteps = 0

  var isUnderWay: Bool { active != nil || wanted != nil }
  var newestTarget: MediaTime? { wanted?.target ?? active?.target }
}

extension PlayerCore {
  /// Asks for another place; the newest ask wins.
  mutating func requestSeek(_ request: SeekRequest, at host: HostTime) {
    advance(to: host)
    seek.pendingSteps = 0
    seek.isMoving = seek.isUnderWay || host - Self.movingPause < seek.askedAt
    seek.askedAt = host
    noteMove(at: host)
    startSeek(request, at: host)
  }

  mutating func startSeek(_ request: SeekRequest, at host: HostTime) {
    switch item {
    case .none, .failed:
      if let completion = request.completion { effects.append(.complete(completion, .superseded)) }
      return
    case .opening, .ready:
      break
    }
    var request = request
    request.target = clamped(request.target)
    outrunWanted()
    seek.wanted = request
    let media = request.target.nanoseconds ?? 0
    seek.landedTime = request.target
    runClock(from: media, at: host, isJump: true)
    log.event(.timeJumped(request.target))
    effects += [.feed, .display, .observe]
    landUnseen(at: host)
  }

  /// While nobody sees the pane its seeks land by the clock alone; the picture follows when it is shown again.
  mutating func landUnseen(at host: HostTime) {
    guard self.request == nil, displayed != nil, case .ready = item, let newest = seek.wanted ?? seek.active else {
      return
    }
    if seek.wanted != nil, let older = seek.active?.completion { effects.append(.complete(older, .superseded)) }
    // Those that were outrun were asked for after the one in flight and before the one that waits.
    if seek.wanted != nil { completeOutrun() }
    if let completion = newest.completion { effects.append(.complete(completion, .finished)) }
    completeOutrun()
    seek.active = nil
    seek.wanted = nil
    // The picture that they would count from is not on display.
    seek.pendingSteps = 0
    statistics.seeks.record(host - newest.askedAt)
    settle(at: host)
    effects.append(.observe)
  }

  private func clamped(_ time: MediaTime) -> MediaTime {
    guard time.isNumeric || time.isPositiveInfinity else { return .zero }
    let end = duration
    if end.isNumeric && time > end { return end }
    return max(.zero, time.isNumeric ? time : .zero)
  }

  /// Completes everything that waits as superseded.
  mutating func cancelSeeks() {
    if let completion = seek.active?.completion { effects.append(.complete(completion, .superseded)) }
    completeOutrun()
    if let completion = seek.wanted?.completion { effects.append(.complete(completion, .superseded)) }
    seek = SeekState()
    preview = nil
  }

  /// Takes away the target that waits; its completion follows that of the one in flight.
  private mutating func outrunWanted() {
    defer { seek.wanted = nil }
    guard let completion = seek.wanted?.completion else { return }
    if seek.active == nil { effects.append(.complete(completion, .superseded)) } else { seek.outrun.append(completion) }
  }

  private mutating func completeOutrun() {
    effects += seek.outrun.map { .complete($0, .superseded) }
    seek.outrun = []
  }

  // MARK: - Chase time

  /// Calls that come within so many nanoseconds of each other are one movement.
  static let movingPause: HostTime = 300_000_000
  /// Nanoseconds between two pictures that are shown on the way.
  private static let previewInterval: HostTime = 60_000_000

  /// Whether the target is moving, so that a picture near it is better than none.
  func isScrubbing(at host: HostTime) -> Bool { seek.isMoving && host - seek.askedAt < Self.movingPause }

  /// A lone seek that lands sooner, in nanoseconds, shows nothing on the way.
  private static let shortWay: HostTime = 50_000_000
  /// Nothing is shown for less than this, as far as can be told.
  private static let leastPreview: HostTime = 100_000_000

  /// Whether the way to a target that rests takes so long that a picture on it is better than the former one, or none:
  /// by how long it has taken already, and how long the rest of it will take at the same pace.
  func isLong(_ p: Positioning, from timing: FrameTiming, at host: HostTime) -> Bool {
    guard !p.hasPreviewed, p.passed > 1, let askedAt = seek.active?.askedAt,
      displayed == nil || host - askedAt >= Self.shortWay
    else { return false }
    let left: Double
    if let map, p.target < map.end {
      left = Double(map.frameNumber(at: p.target) - map.frameNumber(at: timing.pts))
    } else {
      left = (p.target - timing.pts).seconds / max(timing.duration.seconds, 0.001)
    }
    return Double(host - p.firstAt) / Double(p.passed - 1) * left >= Double(Self.leastPreview)
  }

  /// Whether it is time for another picture on the way.
  func mayPreview(_ p: Positioning, at host: HostTime) -> Bool {
    request != nil && (!p.hasPreviewed || host - feed.lastPreview >= Self.previewInterval)
  }

  /// A newer target waits: goes on to it where it lies ahead on the way, else turns to it once the one in flight
  /// has shown something.
  mutating func chase(at host: HostTime) {
    guard let active = seek.active, let wanted = seek.wanted, seek.isMoving, var p = feed.positioning, p.purpose == .seek
    else { return }
    if !p.needsSeek, let last = feed.last ?? p.candidate, cached(holding: wanted.target) == nil,
      isOnTheWay(from: last, to: wanted.target) {
      supersede(active)
      seek.active = wanted
      seek.wanted = nil
      (p.target, p.before, p.after) = (wanted.target, wanted.before, wanted.after)
      if mayPreview(p, at: host), previewFromCache(p.target, at: host) { p.hasPreviewed = true }
      feed.positioning = p
    } else if p.hasPreviewed {
      supersede(active)
      seek.active = nil
      feed.positioning = nil
      feed.phase = .filling
    }
  }

  private mutating func supersede(_ request: SeekRequest) {
    if let completion = request.completion { effects.append(.complete(completion, .superseded)) }
    completeOutrun()
  }

  /// Shows the held picture nearest to the target, where decoding would not begin nearer. Returns whether it did.
  mutating func previewFromCache(_ target: MediaTime, at host: HostTime) -> Bool {
    guard let (picture, distance) = nearestHeld(to: target), let map, target < map.end,
      let start = map.time(ofFrame: map.randomAccessFrame(for: map.frameNumber(at: target))), distance <= (target - start).seconds
    else { return false }
    feed.lastPreview = host
    // Once is enough.
    if preview == nil, isPreviewing, feed.previewed == picture.timing.pts { return true }
    present(picture)
    return true
  }

  /// Whether a picture is held that is nearer to the target than one that is passed by.
  func holdsNearer(than timing: FrameTiming, to target: MediaTime) -> Bool {
    nearestHeld(to: target).map { $0.distance < abs((timing.pts - target).seconds) } ?? false
  }

  /// The held picture that begins nearest to a time, and how many seconds from it.
  private func nearestHeld(to time: MediaTime) -> (picture: RenderedFrame, distance: Double)? {
    guard let picture = cache.entry(nearest: time)?.picture, picture.request == request else { return nil }
    return (picture, abs((picture.timing.pts - time).seconds))
  }

  private mutating func present(_ picture: RenderedFrame) {
    preview = picture
    preview?.isApproximate = true
    feed.previewed = picture.timing.pts
    effects.append(.display)
  }

  /// A picture on the way to a moving target has been rendered.
  mutating func didPreview(_ picture: RenderedFrame, epoch: Int) {
    guard epoch == feed.epoch else { return }
    if cache.budget > 0, picture.request == request, !feed.mayLackPart { cache.insert(picture, successor: nil) }
    if seek.isUnderWay { present(picture) }
  }

  /// Drops the target that waits; the one in flight lands.
  mutating func cancelPendingSeeks(at host: HostTime) {
    guard seek.wanted != nil else { return }
    outrunWanted()
    if seek.active == nil {
      preview = nil
      if isPreviewing { displayedIsNew = displayed != nil }
    }
    // Back to where it is, or to where the one in flight goes.
    let stays = seek.active?.target ?? displayed?.timing.pts ?? .zero
    seek.landedTime = stays
    runClock(from: stays.nanoseconds ?? 0, at: host, isJump: true)
    log.event(.timeJumped(stays))
    effects += [.feed, .display, .observe]
  }

  /// Steps that wait at the most: more than any clip has pictures.
  private static let mostSteps = Int(Int32.max)

  /// Moves by whole pictures while the clock stands.
  mutating func step(by count: Int, at host: HostTime) {
    advance(to: host)
    guard case .ready = item, count != 0 else { return }
    if rate != 0 { setRate(0, at: host) }
    let most = Self.mostSteps
    seek.pendingSteps = min(max(seek.pendingSteps + min(max(count, -most), most), -most), most)
    noteMove(at: host)
    performSteps(at: host)
  }

  /// Whether there is a place in the clip behind the A-B loop.
  private func isBehindRange(_ time: MediaTime) -> Bool {
    guard let loopRange else { return false }
    return time >= loopRange.end && time.nanoseconds ?? .max < knownEnd ?? .max
  }

  /// Does what it can of the steps that wait.
  mutating func performSteps(at host: HostTime) {
    while seek.pendingSteps > 0, !seek.isUnderWay {
      if isInCache {
        guard stepOnInCache(at: host) else { return }
        continue
      }
      let successor = displayedSuccessor ?? displayed?.timing.end
      let next = queue.first.flatMap { $0.iteration == iteration ? $0 : nil }
      if seek.pendingSteps > queue.count, stepAtOnce(at: host) { return }
      guard next != nil || feed.phase == .atEnd || feed.iteration > iteration else { return }
      // Nothing is decoded behind an A-B loop, or pictures between were left out in playback.
      if let successor, next.map({ successor < $0.picture.timing.pts }) ?? isBehindRange(successor) {
        seek.pendingSteps -= 1
        startSeek(SeekRequest(target: successor, before: .zero, after: .zero, askedAt: host), at: host)
        return
      }
      guard let next else {
        // A loop's next round, if it has begun to be decoded, is no place to step to.
        seek.pendingSteps = 0
        return
      }
      queue.removeFirst()
      seek.pendingSteps -= 1
      show(next.picture, successor: next.successor)
      moveClock(to: next.picture.timing, at: host)
      effects.append(.feed)
    }
    while seek.pendingSteps < 0, !seek.isUnderWay, let displayed, let entry = cached(before: displayed.timing.pts) {
      seek.pendingSteps += 1
      park()
      show(entry.picture, successor: entry.successor)
      moveClock(to: entry.picture.timing, at: host)
      effects.append(.feed)
    }
    if seek.pendingSteps < 0, !seek.isUnderWay, stepAtOnce(at: host) { return }
    if seek.pendingSteps < 0, !seek.isUnderWay, let displayed {
      // The picture before is the one that is shown one tick earlier.
      let pts = displayed.timing.pts
      let tick = MediaTime(value: 1, timescale: max(1, pts.timescale))
      guard pts > .zero else {
        seek.pendingSteps = 0
        return
      }
      seek.pendingSteps += 1
      startSeek(
        SeekRequest(target: pts - tick, before: .zero, after: .zero, askedAt: host), at: host)
    }
  }

  /// Takes all steps that wait in one move, where the index tells which frame they lead to. Returns whether it did.
  ///
  /// Steps one after another would each be decoded from a key frame where no frames are held.
  mutating func stepAtOnce(at host: HostTime) -> Bool {
    guard abs(seek.pendingSteps) > 1, let map, map.isCountable, let pts = displayed?.timing.pts, pts < map.end
    else { return false }
    let number = map.frameNumber(at: pts)
    let wanted = max(0, number + seek.pendingSteps)
    let target = map.isComplete ? min(wanted, map.frameCount - 1) : wanted
    guard map.time(ofFrame: number) == pts, let time = map.time(ofFrame: target), time < map.end else { return false }
    seek.pendingSteps = 0
    if target != number {
      startSeek(SeekRequest(target: time, before: .zero, after: .zero, askedAt: host), at: host)
    }
    return true
  }

  mutating func moveClock(to timing: FrameTiming, at host: HostTime) {
    seek.landedTime = timing.pts
    runClock(from: timing.ptsNanoseconds, at: host, isJump: true)
    log.event(.timeJumped(timing.pts))
    effects.append(.observe)
  }

  mutating func show(_ picture: RenderedFrame, successor: MediaTime?) {
    rememberDisplayed()
    cache.moveCenter(to: picture.timing.pts)
    displayed = picture
    displayedSuccessor = successor
    displayedIsNew = true
    effects.append(.display)
  }

  /// The seek in flight has its picture.
  mutating func seekDidLand(on picture: RenderedFrame, successor: MediaTime?, at host: HostTime) {
    guard let request = seek.active else { return }
    seek.active = nil
    preview = nil
    show(picture, successor: successor)
    statistics.seeks.record(host - request.askedAt)
    if let completion = request.completion { effects.append(.complete(completion, .finished)) }
    completeOutrun()
    guard seek.wanted == nil else {
      effects.append(.feed)
      return
    }
    let isExact = request.before == .zero && request.after == .zero
    // An exact seek is where it was asked to be; a tolerant one is where its picture is.
    let timing = picture.timing
    let holds = timing.pts <= request.target && (request.target < timing.end || isExact)
    let landed = holds ? min(request.target, max(timing.pts, duration)) : timing.pts
    seek.landedTime = landed
    runClock(from: landed.nanoseconds ?? 0, at: host, isJump: landed != request.target)
    performSteps(at: host)
    turnBack(at: host)
    effects += [.feed, .observe]
  }
}
