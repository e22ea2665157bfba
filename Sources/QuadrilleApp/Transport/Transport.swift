import Playback
import Terminal

/// Playback, seeking and stepping of the controlled panes. Screen thread only.
///
/// Methods that return text return a message to the user.
final class Transport {
  private let panes: PaneSet
  private let alignment: AlignmentControl
  private let group: PlayerGroup
  private let clock: any HostClock
  private var steps = CommonSteps()

  init(_ panes: PaneSet, _ alignment: AlignmentControl, _ group: PlayerGroup, clock: any HostClock) {
    self.panes = panes
    self.alignment = alignment
    self.group = group
    self.clock = clock
  }

  private var players: [Player] { panes.targets.map(\.player) }

  // MARK: - Playback

  func togglePlaying() {
    let targets = panes.targets
    // The focused pane determines the direction of all.
    if let reference = targets.first(where: { $0 === panes.focused }) ?? targets.first, reference.player.rate != 0 {
      group.pause(players)
    } else {
      group.play(rewindEnded().map(\.player))
    }
  }

  /// Prepares playback: panes at their end restart, aligned panes start at a common moment, and lists that ended with an
  /// unplayable clip start again. Returns the panes to play.
  private func rewindEnded() -> [Pane] {
    let targets = panes.targets, failed = panes.steered.filter { $0.error != nil && !$0.hasFailed }
    for pane in failed { pane.clips.goToFirst() }
    let aligned = alignment.members(among: targets)
    if !aligned.isEmpty { alignment.gather(forward: true) }
    for pane in targets where isAtEnd(pane) && !aligned.contains(where: { $0 === pane }) {
      if pane.clips.list.hasSeveral || pane.story != nil {
        pane.clips.goToFirst()
      } else {
        pane.player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero)
      }
    }
    return targets + failed
  }

  /// True if the clip has ended, or is paused at its last frame and would end at once.
  private func isAtEnd(_ pane: Pane) -> Bool {
    if pane.clip.hasEnded { return true }
    let player = pane.player
    guard pane.story == nil, player.rate == 0, player.actionAtItemEnd == .pause, player.loopRange == nil else { return false }
    let now = player.currentTime()
    // A last frame that is displayed for long is still worth playing.
    return now >= pane.frameTimes.upperBound && player.duration - now < Self.noticeable
  }

  /// A time after which the end of playback is seen as such.
  private static let noticeable = MediaTime(value: 1, timescale: 1)

  /// Shuttle control, as in editing software.
  ///
  /// - Parameter direction: −1 plays in reverse and 1 forward, faster each time; 0 stops.
  func shuttle(_ direction: Int) -> TerminalText? {
    guard let reference = panes.focused?.player, panes.steered.contains(where: { !$0.hasFailed }) else { return nil }
    guard direction != 0 else {
      group.pause(players)
      return nil
    }
    let isAtStart = direction < 0 && reference.rate == 0 && isAtFirstFrame(reference)
    let isFaster = reference.rate * Double(direction) > 0
    let rate = isFaster ? reference.rate * 2 : Double(direction)
    if direction > 0 {
      group.play(rewindEnded().map(\.player), rate: rate)
    } else {
      if alignment.isKept(by: panes.targets) { alignment.gather(forward: false) }
      group.play(players, rate: rate)
    }
    if isAtStart { return "already at the first frame" }
    return reference.rate == 0 ? nil : "speed \(PaneText.rate(reference.rate))"
  }

  /// True if nothing precedes the displayed frame.
  private func isAtFirstFrame(_ player: Player) -> Bool {
    let now = player.currentTime()
    return (player.timing(at: now)?.pts ?? now) <= .zero
  }

  func changeSpeed(_ change: (Double) -> Double) -> TerminalText? {
    let players = players
    for player in players {
      let speed = change(player.rate == 0 ? player.defaultRate : abs(player.rate))
      player.defaultRate = abs(speed - 1) < 0.005 ? 1 : speed
    }
    let now = clock.now
    for player in players where player.rate != 0 {
      player.setRate(player.rate < 0 ? -player.defaultRate : player.defaultRate, time: nil, atHostTime: now)
    }
    guard let player = panes.focused?.player else { return nil }
    return "speed \(PaneText.rate(player.rate == 0 ? player.defaultRate : player.rate))"
  }

  func toggleRepeat() -> TerminalText? {
    guard let focused = panes.focused else { return nil }
    let list = focused.clips.list
    let repetition = list.nextRepetition
    for pane in panes.targets { pane.clips.setRepetition(repetition) }
    return switch repetition {
    case .off: "repeat off"
    case .clip: list.hasSeveral ? "repeat this clip" : "repeat on"
    case .list: "repeat the list"
    }
  }

  /// Plays all panes with a common start.
  func playAll() { group.play(panes.panes.map(\.player)) }

  /// Stops the clocks while `body` runs.
  func withClocksStopped(_ body: () -> Void) {
    let running = panes.panes.map(\.player).filter { $0.rate != 0 }
    let rates = running.map(\.rate)
    group.pause(running)
    body()
    let now = clock.now
    for (player, rate) in zip(running, rates) { player.setRate(rate, time: nil, atHostTime: now) }
  }

  // MARK: - Seeking

  /// Moves each pane relative to its position, or aligned panes to corresponding positions.
  func seek(by seconds: Double) {
    let delta = MediaTime(seconds: seconds, preferredTimescale: 1000)
    seek { $0.currentTime() + delta }
  }

  /// Goes to the start of another chapter, or by 10 minutes per chapter in a clip without chapters. Returns a message.
  func seek(byChapters count: Int) -> TerminalText? {
    seek { player in
      let now = player.currentTime()
      let chapters = ChapterList(player)
      return chapters.isEmpty ? now + MediaTime(value: Int64(600 * count), timescale: 1) : chapters.start(from: now, by: count)
    }
    guard let player = panes.focused?.player else { return nil }
    return ChapterList(player).words(at: player.currentTime())
  }

  /// Seeks to the target for each pane; of aligned panes, only one uses its target and the others follow.
  func seek(_ target: (Player) -> MediaTime?) {
    let (led, others) = split(panes.targets, leader: panes.focused) { target($0.player) }
    go(led + others.compactMap { pane in target(pane.player).map { (pane, $0) } })
  }

  /// Seek targets of aligned panes, and the panes that move independently.
  ///
  /// - Parameters:
  ///   - leader: The leader, if aligned; otherwise the first aligned pane leads.
  ///   - place: The leader's target; nil if unknown, and then each pane moves independently.
  private func split(
    _ targets: [Pane], leader: Pane?, _ place: (Pane) -> MediaTime?
  ) -> (led: [PanePlace], others: [Pane]) {
    let aligned = alignment.members(among: targets)
    guard let leader = aligned.first(where: { $0 === leader }) ?? aligned.first, let time = place(leader) else { return ([], targets) }
    return (alignment.places(leader: leader, time: time), targets.filter { pane in !aligned.contains { $0 === pane } })
  }

  /// Seeks panes; a story stays within its current track.
  private func go(_ places: [(pane: Pane, time: MediaTime)]) {
    for (pane, time) in places { pane.story?.player.seek(toItemTime: time) }
    group.seek(places.filter { $0.pane.story == nil })
  }

  /// Steps the focused pane by its frames; the other controlled panes go to its time, each at its distance. Stories step by
  /// themselves, as do all panes if that time is unknown.
  func step(by count: Int) {
    let targets = panes.targets
    let members = targets.filter { $0.story == nil }
    guard members.count > 1, let leader = members.first(where: { $0 === panes.focused }) ?? members.first else {
      return targets.forEach { $0.player.step(byCount: count) }
    }
    group.pause(players)
    let (aligned, others) = split(members, leader: panes.focused) { $0.player.time(steppedBy: count) }
    let ownStep = leader.player.time(steppedBy: count).map { PanePlace(leader, $0) }
    guard let lead = aligned.first ?? ownStep else { return targets.forEach { $0.player.step(byCount: count) } }
    for pane in targets where pane.story != nil { pane.player.step(byCount: count) }
    group.seek(aligned + steps.places(lead: lead, others: others.filter { $0 !== lead.pane }, includingLead: aligned.isEmpty))
  }

  /// Seeks a pane; linked panes move by the same distance, aligned ones stay together.
  func drag(_ pane: Pane, to time: MediaTime) {
    let before = pane.player.currentTime()
    let linked = panes.linked(to: pane)
    alignment.willMove(linked)
    func target(_ other: Pane) -> MediaTime { other === pane ? time : other.player.currentTime() + (time - before) }
    let (led, others) = split(linked, leader: pane, target)
    go(led + others.map { ($0, target($0)) })
  }
}
