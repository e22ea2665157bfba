/// The decode lane's phase, and the position of the source.
///
/// Each transition gives a new ticket, which moves and renderings carry. What is decoded needs none: a step says "the next
/// frame of this run" or "there is none", which holds whatever was decided meanwhile, as only the lane sends the source
/// elsewhere.
struct DecodeState {
  enum Phase {
    /// There is no source.
    case idle
    /// Decoding towards a frame to display.
    case searching(TargetSearch)
    /// Decoding frames for the presentation queue.
    case streaming
    /// The queue receives no more frames.
    case ended(End)
    /// Playback has moved on in the cache, away from the source's position.
    case detached
    /// Detached, while frames are decoded for the cache.
    case prefetching(Prefetch)

    var name: PhaseName {
      switch self {
      case .idle: .idle
      case .searching: .searching
      case .streaming: .streaming
      case .ended: .ended
      case .detached: .detached
      case .prefetching: .prefetching
      }
    }
  }

  enum PhaseName: CaseIterable {
    case idle, searching, streaming, ended, detached, prefetching

    /// The phases it may lead to, besides *idle* on a new item; `docs/architecture.md` lists the causes.
    var successors: Set<PhaseName> {
      switch self {
      case .idle: [.searching]
      case .searching: [.streaming, .searching, .ended, .detached]
      case .streaming: [.searching, .ended, .detached]
      case .ended: [.searching, .ended, .detached]
      case .detached: [.searching, .ended, .prefetching]
      case .prefetching: [.detached, .searching, .ended]
      }
    }
  }

  enum End: Equatable {
    /// The source has no more frames, or none that will be played.
    case source
    /// The rest of the loop pass is played from the cache.
    case cachedPass
  }

  private(set) var phase = Phase.idle
  private(set) var ticket: Ticket
  private(set) var position = SourcePosition()

  init(item: Int = 0) { ticket = Ticket(item: item) }

  // MARK: - Questions

  /// The search in progress.
  var search: TargetSearch? { if case .searching(let search) = phase { search } else { nil } }

  var prefetch: Prefetch? { if case .prefetching(let prefetch) = phase { prefetch } else { nil } }

  /// The seek that the source must make before it decodes further.
  var move: SourceMove? { search?.move ?? prefetch?.move }

  /// True if the source is decoding towards a frame, or for the cache.
  var isOnTheWay: Bool {
    switch phase {
    case .searching, .prefetching: true
    case .idle, .streaming, .ended, .detached: false
    }
  }

  /// True if the display is in the cache, away from the source's position.
  var isDetached: Bool {
    switch phase {
    case .detached, .prefetching: true
    case .idle, .searching, .streaming, .ended: false
    }
  }

  var isStreaming: Bool { if case .streaming = phase { true } else { false } }

  var isIdle: Bool { if case .idle = phase { true } else { false } }

  var end: End? { if case .ended(let end) = phase { end } else { nil } }

  /// The last two frames from the source; nil if there were none since its last move.
  var latest: (any SourceFrame)? { position.latest }
  var previous: (any SourceFrame)? { position.previous }

  /// The timing of the latest frame.
  var last: FrameTiming? { latest?.timing }

  /// True if the last frame may lack one of its two fields, because fields can be skipped separately.
  var mayLackPart: Bool { position.mayLackPart }

  /// True if frames may be missing between the decoded ones.
  var mayLackFrames: Bool { position.mayLackFrames }

  func isCurrent(_ ticket: Ticket) -> Bool { ticket == self.ticket }

  // MARK: - Transitions

  private mutating func enter(_ phase: Phase) {
    assert(
      self.phase.name.successors.contains(phase.name), "\(self.phase.name) does not lead to \(phase.name)")
    self.phase = phase
    ticket.decision += 1
  }

  /// Replaces the current phase's own value; the decision and its ticket stay.
  private mutating func update(_ phase: Phase) {
    assert(phase.name == self.phase.name)
    self.phase = phase
  }

  /// Stops all decoding.
  mutating func reset() { self = DecodeState() }

  /// Starts the search for a frame.
  mutating func search(_ search: TargetSearch) { enter(.searching(search)) }

  /// Starts decoding for the cache.
  mutating func prefetch(_ prefetch: Prefetch) { enter(.prefetching(prefetch)) }

  /// Makes playback wait for a prefetch that nothing waited for before.
  mutating func awaitPrefetch() { _ = updatePrefetch { $0.becomeAwaited() } }

  /// Decodes on from the current position.
  mutating func stream() { enter(.streaming) }

  mutating func finish(_ end: End) { enter(.ended(end)) }

  /// Leaves the source where it is.
  mutating func detach() { enter(.detached) }

  /// Updates the search.
  mutating func updateSearch<R>(_ body: (inout TargetSearch) -> R) -> R? {
    guard var search else { return nil }
    defer { update(.searching(search)) }
    return body(&search)
  }

  /// Updates the prefetch.
  mutating func updatePrefetch<R>(_ body: (inout Prefetch) -> R) -> R? {
    guard var prefetch else { return nil }
    defer { update(.prefetching(prefetch)) }
    return body(&prefetch)
  }

  // MARK: - Where the source is

  /// Notes that the source is about to move, which invalidates everything decided by its position.
  mutating func willMove() { position.willMove() }

  /// - Parameters:
  ///   - lacksFrames: true if some of the first frames may be missing.
  ///   - isCurrent: true if the move belongs to the current search.
  mutating func didMove(lacksFrames: Bool, isCurrent: Bool) {
    position.didMove(lacksFrames: lacksFrames)
    guard isCurrent else { return }
    _ = updateSearch { $0.didMove() }
    _ = updatePrefetch { $0.didMove() }
  }

  /// Notes that the source cannot move there, and starts from the beginning.
  mutating func moveDidFail() {
    _ = updateSearch { $0.moveDidFail() }
    _ = updatePrefetch { $0.moveDidFail() }
  }

  /// Notes that the next step may skip frames.
  mutating func willDiscard() { position.willDiscard() }

  mutating func didDecode(_ frame: any SourceFrame) { position.didDecode(frame) }
}
