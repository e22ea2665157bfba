import DecodePool

/// The work of one player's lane: asks the core what to do, performs one step with the source, and reports the result.
///
/// Used by one worker at a time, as lanes are. Holds the player weakly, since it may be freed at any time.
final class DecodeDriver: Sendable {
  private let box: SourceBox
  /// The number of the item that the source belongs to.
  private let item: Int
  /// Weak: the pool ends when nobody needs it, even while a lane hangs.
  private let pool: WeakPool
  private let relief: SharedPeriod
  private let scrubbing: SharedPeriod
  private let host: WeakPlayer

  init(_ box: SourceBox, item: Int, pool: DecodePool, player: Player) {
    self.box = box
    self.item = item
    self.pool = WeakPool(pool)
    relief = pool.relief
    scrubbing = pool.scrubbing
    host = WeakPlayer(player)
  }

  func step() -> DecodePool.Next {
    guard let player = host.player else { return .idle }
    let isAnyPlayerScrubbing = scrubbing.contains(UInt64(max(0, player.clock.time)))
    let decision = player.update(item: item) { core, now in
      (core.decideWork(isAnyPlayerScrubbing: isAnyPlayerScrubbing, at: now), core.retainedLimit(at: now))
    }
    guard let (work, retainedLimit) = decision else { return .idle }
    _ = box.source.retainDecoders(within: retainedLimit)
    box.session?.resumeReads()
    do {
      switch work.kind {
      case .nothing: return .idle
      case .move(.seek(let time, let options)): seek(player, to: time, options, work.ticket)
      case .move(.rewind): try rewind(player, work.ticket)
      case .decode(let discard): try decode(player, discard)
      case .decodeOnTheWay: try decode(player, chooseDiscard(player))
      case .render(let rendering): _ = try render(player, .render(rendering))
      }
    } catch {
      guard isOfAbandonedRead(error) else {
        player.fail(box.session?.sourceFailure ?? PlaybackError(error), item: item)
        return .idle
      }
      player.update(item: item) { core, now in core.readWasAbandoned(at: now) }
    }
    let retainedBytes = box.source.retainDecoders(within: retainedLimit)
    let next = player.update(item: item) { core, now in core.didStep(retainedBytes: retainedBytes, at: now) }
    return next.map { .again(deadline: UInt64(max(0, $0))) } ?? .idle
  }

  /// Permits reads again, and returns true if an error comes from one that was abandoned: in this step or in one before, since libav
  /// may pass over an error while it looks for streams, and report it to the next read.
  private func isOfAbandonedRead(_ error: any Error) -> Bool {
    guard let session = box.session else { return false }
    return session.resumeReads() || (PlaybackError(error).reason == .cancelled && !session.isInterrupted)
  }

  // MARK: - Going elsewhere

  private func seek(_ player: Player, to time: MediaTime, _ options: SeekOptions, _ ticket: Ticket) {
    if let timeline = box.index?.timeline {
      player.update(item: item) { core, now in
        if core.item.timeline == nil { core.setTimeline(timeline, hasEnded: false, at: now) }
      }
    }
    do {
      let landing = try box.source.seek(to: time, options: options)
      player.update(item: item) { core, _ in core.didMove(landing, ticket) }
    } catch {
      guard !isOfAbandonedRead(error) else {
        return player.update(item: item) { core, now in core.readWasAbandoned(at: now) } ?? ()
      }
      player.update(item: item) { core, _ in core.moveDidFail(ticket) }
    }
  }

  private func rewind(_ player: Player, _ ticket: Ticket) throws {
    try box.source.rewind()
    player.update(item: item) { core, _ in core.didMove(SeekLanding(), ticket) }
  }

  // MARK: - Decoding

  /// If more panes wait for frames than there are threads, skipping non-reference frames speeds up all of them. Skipped
  /// frames are decoded when there is time.
  private func chooseDiscard(_ player: Player) -> DiscardLevel {
    guard pool.pool?.isCrowded == true else { return .nothing }
    player.update(item: item) { core, _ in core.willDiscard() }
    return .nonReference
  }

  private func decode(_ player: Player, _ discard: DiscardLevel) throws {
    switch try box.source.decodeNext(discard: discard) {
    case .progress:
      break
    case .frame(let frame):
      let hasLostOrder = box.index?.orderIsUnreliable ?? false
      let isReliefWanted = relief.contains(UInt64(max(0, player.clock.time)))
      let decision = player.update(item: item) { core, now in
        if hasLostOrder { core.loseTimeline(at: now) }
        let next = core.didDecode(frame, isReliefWanted: isReliefWanted, at: now)
        return (next, core.needsRelief(at: now) ? now + DropPolicy.reliefTime : 0)
      }
      guard let (next, reliefEnd) = decision else { return }
      if reliefEnd > 0 { relief.extend(to: UInt64(reliefEnd)) }
      try render(player, next)
    case .endOfStream(let isCutOff):
      let next = player.update(item: item) { core, now in core.didReachEnd(isCutOff: isCutOff, at: now) }
      guard let next, try render(player, next) else { return }
      player.update(item: item) { core, now in core.endWasRendered(at: now) }
    }
  }

  // MARK: - Rendering

  /// Renders frames for as long as the core has any. Returns true if there was one.
  @discardableResult private func render(_ player: Player, _ first: LaneWork.Next) throws -> Bool {
    var next = first
    var count = 0
    while true {
      switch next {
      case .none: return count > 0
      case .fail(let error): throw error
      case .render(let rendering):
        // If all outputs have gone away meanwhile, it is rendered for their last requests.
        let requests = player.read { core, _ in core.outputs.lastRequests }
        guard let images = ScaledFrames(try requests.map { try image(of: rendering.frame, for: $0) }) else { return false }
        next = player.update(item: item) { core, now in core.didRender(images, rendering, at: now) } ?? .none
        count += 1
      }
    }
  }

  /// Renders a frame, in cells if they are requested, and ensures that the result names that frame and request whatever the
  /// source says.
  private func image(of frame: any SourceFrame, for request: RenderRequest) throws -> RenderedFrame {
    var image = try frame.render(for: request)
    (image.request, image.timing) = (request, frame.timing)
    if let shapes = request.shapes, image.image.opacity == nil {
      image.image = image.image.fitted(to: shapes, x: image.rect.x, y: image.rect.y)
    }
    return image
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
