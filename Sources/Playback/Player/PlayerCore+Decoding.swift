/// The next step of the decode lane.
extension PlayerCore {
  /// Decides the lane's next step.
  ///
  /// - Parameter isAnyPlayerScrubbing: true if one of the players that share the pool is scrubbing.
  mutating func decideWork(isAnyPlayerScrubbing: Bool, at host: HostTime) -> LaneWork {
    item.lane.setAnyPlayerScrubbing(isAnyPlayerScrubbing)
    return LaneWork(kind: decideKind(at: host), ticket: item.decode.ticket)
  }

  private mutating func decideKind(at host: HostTime) -> LaneWork.Kind {
    advance(to: host)
    item.drops.willStep(at: host)
    item.interruptFill(clockView, at: host)
    guard item.isReady, outputs.isVisible else { return .nothing }
    if let rendering = displayRendering { return .render(rendering) }
    beginSeek(at: host)
    item.checkRest(clockView)
    item.beginRefresh(at: currentTime(at: host), clockView)
    // Steps that waited for the source's previous work. Without them, the display may be at rest.
    if item.decode.isDetached, !item.decode.isOnTheWay, seeks.pendingSteps != 0 {
      performSteps(at: host)
      if seeks.pendingSteps == 0 { wake(.lane) }
    }
    return item.nextWork(clockView, at: host)
  }

  /// The rendering of the displayed frame in other sizes; nil if there is nothing to render.
  var displayRendering: LaneWork.Rendering? { outputs.isVisible ? item.displayRendering(clockView) : nil }

  /// Notes that a step is done; returns the deadline of the next.
  mutating func didStep(retainedBytes: Int, at host: HostTime) -> HostTime {
    item.lane.setRetainedBytes(retainedBytes)
    let next = deadline(at: host)
    item.drops.didStep(at: host, next: next)
    return next
  }

  /// Returns when the waiting frames run out: the deadline of the next step.
  func deadline(at host: HostTime) -> HostTime {
    // Someone waits, whatever the source does until then.
    if seeks.waiting != nil || item.check.refresh != nil || displayRendering != nil { return host }
    return isAhead ? host + 1_000_000_000 : item.deadline(clockView, at: host)
  }
}
