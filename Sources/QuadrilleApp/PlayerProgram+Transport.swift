import Playback
import Terminal

/// Playing, seeking and stepping.
extension PlayerProgram {
  func playPause() {
    let panes = targets
    guard !panes.isEmpty else { return }
    // The focused pane says which way all of them go.
    let reference = focused.flatMap { f in panes.first { $0 === f } } ?? panes[0]
    if reference.player.rate != 0 {
      group.pause(panes.map(\.player))
    } else {
      rewindEnded(panes)
      group.play(panes.map(\.player))
    }
  }

  /// At the end, playing means from the beginning; aligned panes begin at one moment.
  func rewindEnded(_ panes: [Pane]) {
    if areAligned(panes) { return gatherAligned(forward: true) }
    for pane in panes where pane.hasEnded {
      pane.player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero)
    }
  }

  func shuttle(_ direction: Int) {
    let panes = targets
    guard let reference = focused?.player, !panes.isEmpty else { return }
    guard direction != 0 else { return group.pause(panes.map(\.player)) }
    let isFaster = reference.rate * Double(direction) > 0
    let rate = isFaster ? reference.rate * 2 : Double(direction)
    if direction > 0 { rewindEnded(panes) } else if areAligned(panes) { gatherAligned(forward: false) }
    group.play(panes.map(\.player), rate: rate)
    say("speed \(PaneText.rate(reference.rate))")
  }

  func setSpeed(_ change: (Double) -> Double) {
    for player in targetPlayers {
      let wanted = change(player.rate == 0 ? player.defaultRate : abs(player.rate))
      let nearOne = abs(wanted - 1) < 0.005 ? 1 : wanted
      player.defaultRate = nearOne
    }
    let now = clock.now
    for player in targetPlayers where player.rate != 0 {
      player.setRate(player.rate < 0 ? -player.defaultRate : player.defaultRate, time: nil, atHostTime: now)
    }
    if let player = focused?.player { say("speed \(PaneText.rate(player.rate == 0 ? player.defaultRate : player.rate))") }
  }

  // MARK: - Seeking

  /// Moves each pane by so much from where it is, or aligned panes to corresponding places.
  func seek(by seconds: Double) {
    let delta = MediaTime(seconds: seconds, preferredTimescale: 1000)
    if let focused { scrub(focused, isDrag: false) }
    seek { $0.currentTime() + delta }
  }

  /// Seeks to what `target` says for each pane; where panes are aligned, for the focused one, and the others follow.
  func seek(_ target: (Player) -> MediaTime?) {
    let panes = targets
    if areAligned(panes), let focused, let time = target(focused.player) {
      let places = alignedTargets(leader: focused, time: time)
      if !places.isEmpty { return seek(places) }
    }
    seek(panes.compactMap { pane in target(pane.player).map { (pane, $0) } })
  }

  func seek(_ targets: [(pane: Pane, time: MediaTime)]) {
    group.seek(
      targets.map { (player: $0.pane.player, time: max(.zero, $0.time)) }, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// Steps each pane; where panes are aligned, the focused one, and the others go to its moment.
  func step(by count: Int) {
    let panes = targets
    guard areAligned(panes), let focused, let time = focused.time(steppedBy: count) else {
      for pane in panes { pane.player.step(byCount: count) }
      return
    }
    group.pause(panes.map(\.player))
    seek(alignedTargets(leader: focused, time: time))
  }

  func toggleLoop() {
    guard let focused else { return }
    let loops = focused.player.actionAtItemEnd != .loop
    for player in targetPlayers { player.actionAtItemEnd = loops ? .loop : .pause }
    say(loops ? "repeat on" : "repeat off")
  }

  func cycleGravity() {
    guard let focused else { return }
    let next = focused.gravity.next
    for pane in targets { pane.gravity = next }
    needsLayout()
    say("picture: \(next.commandLineName)")
  }

  /// Lets the strip of thumbnails appear while places are looked for.
  func scrub(_ pane: Pane, isDrag: Bool) {
    guard !options.isUntimed else { return }
    pane.didScrub(isDrag: isDrag, at: clock.now) { [pool, wakeup] in
      ThumbnailStrip(asset: pane.asset, duration: pane.length, pool: pool) { wakeup.signal() }
    }
  }
}

extension Pane {
  /// The time of the frame so many after the one where it is; before the clip has been indexed, a time amid a frame as
  /// the frame rate has it; nil where there is no rate.
  fileprivate func time(steppedBy count: Int) -> MediaTime? {
    let now = player.currentTime()
    if let timeline = player.frameIndex?.timeline, timeline.isComplete, timeline.frameCount > 0 {
      return timeline.time(ofFrame: min(max(0, timeline.frameNumber(at: now) + count), timeline.frameCount - 1))
    }
    guard let rate = facts?.preferredVideoTrack?.nominalFrameRate, rate > 0 else { return nil }
    let frame = MediaTime(seconds: 1 / rate, preferredTimescale: 1_000_000)
    // A seek that has not landed leads amid a frame already.
    let place = player.timing(at: now).map { $0.pts + frame * 0.25 } ?? now
    return place + frame * count
  }
}
