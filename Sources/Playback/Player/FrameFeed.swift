import DecodePool
import Synchronization

/// The work of one player's lane: asks the core what to do, does one step with the source, and reports.
///
/// Used by one worker at a time, as lanes are; holds the player weakly, which may go at any moment.
final class FrameFeed: Sendable {
  private let box: SourceBox
  private let epoch: Int
  /// Weak: the pool ends when nobody needs it, also while a lane hangs.
  private let pool: WeakPool
  private let relief: SharedPeriod
  private let scrubbing: SharedPeriod
  private let host: WeakPlayer
  private let held = Mutex(HeldFrames())

  /// The latest two frames of the run.
  private struct HeldFrames {
    var previous: (any SourceFrame)?
    var latest: (any SourceFrame)?
  }

  init(_ box: SourceBox, epoch: Int, pool: DecodePool, player: Player) {
    self.box = box
    self.epoch = epoch
    self.pool = WeakPool(pool)
    relief = pool.relief
    scrubbing = pool.scrubbing
    host = WeakPlayer(player)
  }

  func step() -> DecodePool.Next {
    guard let player = host.player else { return .idle }
    let (work, waitingLimit) = player.update { core, now in
      guard core.feed.epoch == epoch else { return (PlayerCore.Work.nothing, 0) }
      core.feed.isSomeoneScrubbing = scrubbing.contains(UInt64(max(0, now)))
      return (core.nextWork(at: now), core.waitingLimit(at: now))
    }
    _ = box.source.retainDecoders(within: waitingLimit)
    do {
      switch work {
      case .nothing:
        return .idle
      case .seek(let time, let options):
        if let map = box.index?.timeline {
          player.update { core, _ in
            if core.feed.epoch == epoch, core.map == nil { core.setMap(map, hasEnded: false) }
          }
        }
        forgetFrames()
        move(player) { try box.source.seek(to: time, options: options) }
      case .rewind:
        forgetFrames()
        try box.source.rewind()
        player.update { core, _ in core.didMove(SeekLanding(), epoch: epoch) }
      case .decode(let discard):
        try decode(player, discard)
      case .decodeOnTheWay:
        try decode(player, discardOnTheWay(player))
      }
    } catch {
      let error = PlaybackError(error)
      player.fail(error, epoch: epoch)
      return .idle
    }
    let waitingBytes = box.source.retainDecoders(within: waitingLimit)
    return .again(deadline: player.update { core, now in UInt64(max(0, core.endStep(waitingBytes: waitingBytes, at: now))) })
  }

  private func move(_ player: Player, _ body: () throws -> SeekLanding) {
    do {
      let landing = try body()
      player.update { core, _ in core.didMove(landing, epoch: epoch) }
    } catch {
      player.update { core, _ in core.moveDidFail(epoch: epoch) }
    }
  }

  /// Where more panes wait for pictures than there are threads, all come sooner without those that nothing is built on;
  /// they are decoded when there is time.
  private func discardOnTheWay(_ player: Player) -> DiscardLevel {
    guard pool.pool?.isCrowded == true else { return .nothing }
    player.update { core, _ in core.willLeaveOut(epoch: epoch) }
    return .nonReference
  }

  private func forgetFrames() { held.withLock { $0 = HeldFrames() } }

  private func decode(_ player: Player, _ discard: DiscardLevel) throws {
    // Two frames are held at the most.
    held.withLock { $0.previous = nil }
    switch try box.source.decodeNext(discard: discard) {
    case .progress:
      break
    case .frame(let frame):
      held.withLock { $0 = HeldFrames(previous: $0.latest, latest: frame) }
      let timing = frame.timing
      let hasLostOrder = box.index?.orderIsUnreliable ?? false
      let (rendering, reliefEnd) = player.update { core, now in
        if hasLostOrder, core.feed.epoch == epoch { core.loseOrder() }
        core.feed.isReliefWanted = relief.contains(UInt64(max(0, now)))
        let rendering = core.didDecode(timing, epoch: epoch, at: now)
        return (rendering, core.needsRelief(at: now) ? now + PlayerCore.reliefTime : 0)
      }
      if reliefEnd > 0 { relief.extend(to: UInt64(reliefEnd)) }
      try render(player, rendering)
    case .endOfStream(let isCutOff):
      let rendering = player.update { core, now in core.didReachEnd(isCutOff: isCutOff, epoch: epoch, at: now) }
      guard rendering != .none else { return }
      try render(player, rendering)
      player.update { core, now in core.endWasRendered(epoch: epoch, at: now) }
    }
  }

  private func render(_ player: Player, _ rendering: PlayerCore.Rendering) throws {
    let (previous, latest) = held.withLock { ($0.previous, $0.latest) }
    switch rendering {
    case .none:
      break
    case .keep:
      try render(player, latest) { core, picture, _ in core.didKeep(picture, epoch: epoch) }
    case .preview:
      try render(player, latest) { core, picture, _ in core.didPreview(picture, epoch: epoch) }
    case .latest:
      try renderForQueue(player, latest, isSought: true)
    case .previous:
      try renderForQueue(player, previous, isSought: true)
    case .previousAndLatest:
      try renderForQueue(player, previous, isSought: true)
      try renderForQueue(player, latest, isSought: false)
    case .failure(let error):
      throw error
    }
  }

  private func renderForQueue(_ player: Player, _ frame: (any SourceFrame)?, isSought: Bool) throws {
    try render(player, frame) { core, picture, now in
      core.didRender(picture, isSought: isSought, epoch: epoch, at: now)
    }
  }

  private func render(
    _ player: Player, _ frame: (any SourceFrame)?, report: (inout PlayerCore, RenderedFrame, HostTime) -> Void
  ) throws {
    // The pane may have gone meanwhile; then the step's result is thrown away.
    guard let request = player.update({ core, _ in core.lastRequest }) else { return }
    guard let frame else { throw PlaybackError(.system, "the frame is no longer held") }
    let picture = try frame.render(for: request)
    player.update { core, now in report(&core, picture, now) }
  }
}

private struct WeakPool: Sendable {
  weak var pool: DecodePool?
  init(_ pool: DecodePool) { self.pool = pool }
}

private struct WeakPlayer: Sendable {
  weak var player: Player?
  init(_ player: Player) { self.player = player }
}
