import Playback
import Terminal

/// Panes that keep their distance.
extension PlayerProgram {
  /// The panes that are aligned and kept so; empty when there are none.
  private var aligned: [Pane] {
    guard let alignment, alignment.state == .kept else { return [] }
    return panes.filter { alignment.offsets[ObjectIdentifier($0)] != nil && $0.error == nil }
  }

  /// Whether these are all the aligned panes, and perhaps others: then one leads and the others follow.
  func areAligned(_ targets: [Pane]) -> Bool {
    let members = aligned
    return members.count > 1 && members.allSatisfy { member in targets.contains { $0 === member } }
  }

  /// Ends the alignment when some of its panes move without the others. Call it before panes go anywhere.
  func willMove(_ targets: [Pane]) {
    guard !areAligned(targets), aligned.contains(where: { member in targets.contains { $0 === member } }) else { return }
    alignment?.lapse()
    chromeChanged()
  }

  func removeFromAlignment(_ pane: Pane) {
    alignment?.remove(ObjectIdentifier(pane))
    if let alignment, alignment.offsets.count < 2 { self.alignment = nil }
  }

  /// Where aligned panes go when `leader` goes to a time; empty when it is none of them.
  func alignedTargets(leader: Pane, time: MediaTime) -> [(pane: Pane, time: MediaTime)] {
    let members = aligned
    guard let reference = members.firstIndex(where: { $0 === leader }), let offsets = alignment?.offsets else { return [] }
    let states = members.map { pane in
      Alignment.Member(
        offset: offsets[ObjectIdentifier(pane)] ?? .zero, range: pane.frameTimes, frame: pane.player.timing(at:))
    }
    return Array(zip(members, Alignment.targets(states, reference: reference, time: time)).map { ($0, $1) })
  }

  /// The `=` key: keeps the present distances, or lets go of them.
  func toggleAlignment() {
    guard panes.filter({ $0.error == nil }).count > 1 else { return say("there is only one clip") }
    if alignment?.state == .kept {
      alignment = nil
      return say("alignment released")
    }
    let members = panes.filter { $0.error == nil }
    alignment = Alignment(offsets: Dictionary(uniqueKeysWithValues: members.map { (ObjectIdentifier($0), $0.place) }))
    // Each for itself, the next key would end it.
    isLinked = true
    let key = options.keys.keys(for: .align).first
    let release: TerminalText = key.map { "; \($0) releases them" } ?? ""
    say("panes aligned as they are now" + release)
  }

  /// Brings aligned panes to one moment before they play on: from the end, to their beginning.
  func gatherAligned(forward: Bool) {
    guard let leader = aligned.first(where: { $0 === focused }) ?? aligned.first else { return }
    let now = leader.player.currentTime()
    let targets = alignedTargets(leader: leader, time: now)
    let atEnd = forward && (targets.contains { $0.pane.hasEnded } || isAtAlignedEnd(leader, now))
    let places = atEnd ? alignedTargets(leader: leader, time: .zero) : targets
    let tick = MediaTime(value: 1, timescale: 2000)
    let isApart = places.contains { pane, time in
      let away = pane.player.currentTime() - time
      return away > tick || away < -tick
    }
    if isApart { seek(places) }
  }

  private func isAtAlignedEnd(_ leader: Pane, _ time: MediaTime) -> Bool {
    let end = alignedTargets(leader: leader, time: .positiveInfinity).first { $0.pane === leader }?.time
    return end.map { time >= $0 } ?? false
  }

  /// Aligned panes stop, or turn, together: where the first of them ends.
  func didPlayOut(_ pane: Pane, _ edge: Pane.Edge) {
    let members = aligned
    guard members.count > 1, members.contains(where: { $0 === pane }) else { return }
    if edge == .end, pane.player.actionAtItemEnd == .loop {
      guard pane.player.loopRange == nil else { return }
      return seek(alignedTargets(leader: pane, time: .zero))
    }
    group.pause(members.map(\.player))
    seek(alignedTargets(leader: pane, time: edge == .start ? .zero : .positiveInfinity))
  }

  // MARK: - At the start

  /// Aligns panes as the command line says, once all clips are known; until then they do not play.
  func alignAsAsked() {
    guard let wanted = pendingOffsets, panes.allSatisfy({ $0.facts != nil || $0.error != nil }) else { return }
    pendingOffsets = nil
    var offsets: [PaneIdentifier: MediaTime] = [:]
    for (index, pane) in panes.enumerated() where pane.error == nil {
      let asked = wanted.last { $0.pane == index + 1 }
      let offset = asked.map { $0.time(frameRate: pane.facts?.preferredVideoTrack?.nominalFrameRate ?? 0) } ?? .zero
      guard let offset else {
        say("pane \(index + 1) has no frame rate to tell frames by", seconds: 8)
        continue
      }
      offsets[ObjectIdentifier(pane)] = offset
    }
    alignment = Alignment(offsets: offsets)
    if let leader = aligned.first { seek(alignedTargets(leader: leader, time: leader.player.currentTime())) }
    if !options.isPaused { group.play(panes.map(\.player)) }
  }

  // MARK: - Words

  /// What the status row says of the alignment; nil when there is none.
  var alignmentWords: TerminalText? {
    guard let alignment, let first = panes.first(where: { alignment.offsets[ObjectIdentifier($0)] != nil }) else { return nil }
    func rate(_ pane: Pane) -> Double { pane.facts?.preferredVideoTrack?.nominalFrameRate ?? 0 }
    let base = alignment.offsets[ObjectIdentifier(first)] ?? .zero
    let apart: [TerminalText] = panes.enumerated().compactMap { index, pane in
      guard let offset = alignment.offsets[ObjectIdentifier(pane)], pane !== first, offset != base else { return nil }
      // Frames of different length are no measure.
      let isAlike = rate(first) > 0 && abs(rate(pane) / rate(first) - 1) < 0.001
      return "\(index + 1): \(PaneOffset.words(offset - base, frameRate: isAlike ? rate(pane) : nil))"
    }
    let head: TerminalText = alignment.state == .kept ? "aligned" : "was aligned"
    return apart.isEmpty ? head : "\(head) \(apart.joined(separator: ", "))"
  }
}

extension Pane {
  /// When the first and the last frame are shown.
  var frameTimes: ClosedRange<MediaTime> {
    if let timeline = player.frameIndex?.timeline, timeline.isComplete,
      let last = timeline.time(ofFrame: timeline.frameCount - 1), last >= .zero {
      return .zero...last
    }
    let duration = player.duration
    guard duration.isNumeric, duration > .zero else { return .zero ... .positiveInfinity }
    let rate = facts?.preferredVideoTrack?.nominalFrameRate ?? 0
    let last = rate > 0 ? duration - MediaTime(seconds: 1 / rate, preferredTimescale: 1_000_000) : duration
    return .zero...max(.zero, last)
  }

  /// Where it is: while paused the time of its frame, be it on the screen yet or not; else what its clock shows.
  fileprivate var place: MediaTime {
    let time = player.currentTime()
    return player.rate == 0 ? player.timing(at: time)?.pts ?? time : time
  }
}
