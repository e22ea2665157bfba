/// Steps by whole frames while the clock is stopped.
extension PlayerCore {
  mutating func step(by count: Int, at host: HostTime) {
    advance(to: host)
    guard item.isReady, count != 0 else { return }
    if clock.rate != 0 { setRate(0, at: host) }
    seeks.addSteps(count)
    item.fill.didMove(at: host)
    performSteps(at: host)
  }

  /// Performs as many of the waiting steps as possible.
  mutating func performSteps(at host: HostTime) {
    guard pacing != .clockAlone else { return stepWhileHidden(at: host) }
    // The frame that they count from is still to come.
    if item.isDisplayOutdated { return }
    while seeks.pendingSteps != 0, !seeks.isUnderWay {
      let move = item.nextStep(of: seeks.pendingSteps, clockView)
      if case .wait = move { return }
      perform(move, at: host)
    }
  }

  private mutating func perform(_ move: ItemPlayback.Step, at host: HostTime) {
    switch move {
    case .waiting(let frame):
      item.presentation.removeFirst(1)
      step(to: frame.frame, successor: frame.successor, at: host)
    case .cached(let entry):
      if seeks.pendingSteps < 0 { item.detach() }
      step(to: entry.frame, successor: entry.successor, at: host)
    case .seek(let time):
      seeks.didStep()
      startSeek(SeekRequest(target: time, askedAt: host), at: host)
    case .jump(let time):
      seeks.dropSteps()
      if let time { startSeek(SeekRequest(target: time, askedAt: host), at: host) }
    case .wait:
      break
    }
  }

  private mutating func step(to frame: ScaledFrames, successor: MediaTime?, at host: HostTime) {
    seeks.didStep()
    item.present(frame, successor: successor, clockView)
    jump(to: frame.timing.pts, at: host)
    grains.didReach(frame.timing, isResting: clock.rate == 0)
  }

  /// Without a visible output, steps count from the clock's frame if the index knows it; otherwise they wait for
  /// an output.
  private mutating func stepWhileHidden(at host: HostTime) {
    guard seeks.pendingSteps != 0, !seeks.isUnderWay else { return }
    guard item.timeline != nil else { return askForIndex() }
    guard let jump = item.jump(by: seeks.pendingSteps, from: currentTime(at: host)) else { return }
    perform(jump, at: host)
  }
}
