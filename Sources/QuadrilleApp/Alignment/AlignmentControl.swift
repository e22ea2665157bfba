import Playback
import Terminal

/// A pane and where it goes.
typealias PanePlace = (pane: Pane, time: MediaTime)

extension PlayerGroup {
  /// Takes panes to exact places at once.
  func seek(_ places: [PanePlace]) {
    seek(
      places.map { (player: $0.pane.player, time: max(.zero, $0.time)) }, toleranceBefore: .zero, toleranceAfter: .zero)
  }
}

/// Panes that keep their distance. Screen thread only.
final class AlignmentControl {
  private let panes: PaneSet
  private let group: PlayerGroup
  private var alignment: Alignment?
  /// Distances asked for on the command line, until all clips are known.
  private var requested: [PaneOffset]?

  init(_ panes: PaneSet, _ group: PlayerGroup) {
    self.panes = panes
    self.group = group
  }

  /// The panes that are aligned and kept so; empty when there are none.
  private var members: [Pane] {
    guard let alignment, alignment.isKept else { return [] }
    return panes.playable.filter { alignment.offsets[ObjectIdentifier($0)] != nil }
  }

  /// Whether these are all the aligned panes, and perhaps others: then one leads and the others follow.
  func isKept(by targets: [Pane]) -> Bool {
    let members = members
    return members.count > 1 && members.allSatisfy { member in targets.contains { $0 === member } }
  }

  /// The aligned panes, where all of them are among these; else none.
  func members(among targets: [Pane]) -> [Pane] { isKept(by: targets) ? members : [] }

  /// Ends the alignment when some of its panes move without the others. Call it before panes go anywhere.
  func willMove(_ targets: [Pane]) {
    alignment?.keep()
    guard !isKept(by: targets), members.contains(where: { member in targets.contains { $0 === member } }) else { return }
    alignment?.lapse()
  }

  func remove(_ pane: Pane) {
    alignment?.remove(ObjectIdentifier(pane))
    if let alignment, alignment.offsets.count < 2 { self.alignment = nil }
  }

  /// Where aligned panes go when `leader` goes to a time; empty when it is none of them.
  func places(leader: Pane, time: MediaTime) -> [PanePlace] {
    let members = members
    guard let reference = members.firstIndex(where: { $0 === leader }), let offsets = alignment?.offsets else { return [] }
    let states = members.map { pane in
      Alignment.Member(
        offset: offsets[ObjectIdentifier(pane)] ?? .zero, range: pane.frameTimes, frame: pane.player.timing(at:))
    }
    return Array(zip(members, Alignment.targets(states, reference: reference, time: time)).map { ($0, $1) })
  }

  /// How far a pane is from the first aligned one; nil where it is not aligned.
  func offset(of pane: Pane) -> MediaTime? {
    guard let alignment, let offset = alignment.offsets[ObjectIdentifier(pane)] else { return nil }
    return offset - (first.flatMap { alignment.offsets[ObjectIdentifier($0)] } ?? .zero)
  }

  /// The aligned pane from which offsets are told.
  private var first: Pane? { alignment.flatMap { alignment in panes.panes.first { alignment.offsets[ObjectIdentifier($0)] != nil } } }

  /// Keeps the present distances, or lets go of them.
  ///
  /// - Parameter key: the key that does so.
  /// - Returns: what it did.
  func toggle(key: String?) -> TerminalText {
    // A storyboard's time begins anew with each part.
    let clips = panes.playable.filter { $0.clips.story == nil }
    if alignment?.isKept == true {
      alignment = nil
      return "alignment off"
    }
    guard clips.count > 1 else { return panes.playable.count > 1 ? "a storyboard cannot be aligned" : "only one clip is open" }
    alignment = .taken(of: clips)
    // Each for itself, the next key would end it.
    panes.steering = .all
    let release: TerminalText = key.map { "; \($0) turns it off" } ?? ""
    return "panes aligned at current positions" + release
  }

  /// Lets the distances follow panes that were stepping when they were taken. Returns whether they may have changed.
  func update() -> Bool {
    guard alignment?.state == .taking else { return false }
    alignment = .taken(of: members)
    return true
  }

  /// Brings aligned panes to one moment before they play on: from the end, to their beginning.
  func gather(forward: Bool) {
    guard let leader = members.first(where: { $0 === panes.focused }) ?? members.first else { return }
    let now = leader.player.currentTime()
    let present = places(leader: leader, time: now)
    let atEnd = forward && (present.contains { $0.pane.clip.hasEnded } || isAtCommonEnd(leader, now))
    let places = atEnd ? places(leader: leader, time: .zero) : present
    let tick = MediaTime(value: 1, timescale: 2000)
    let isApart = places.contains { pane, time in
      let away = pane.player.currentTime() - time
      return away > tick || away < -tick
    }
    if isApart { group.seek(places) }
  }

  private func isAtCommonEnd(_ leader: Pane, _ time: MediaTime) -> Bool {
    let end = places(leader: leader, time: .positiveInfinity).first { $0.pane === leader }?.time
    return end.map { time >= $0 } ?? false
  }

  /// Aligned panes stop, or turn, together: where the first of them ends.
  func didPlayOut(_ pane: Pane, _ edge: ClipState.Edge) {
    let members = members
    guard members.count > 1, members.contains(where: { $0 === pane }) else { return }
    if edge == .end, !pane.clip.hasEnded {
      // An A-B loop has turned.
      if pane.player.loopRange != nil { return }
      if pane.player.actionAtItemEnd == .loop { return group.seek(places(leader: pane, time: .zero)) }
    }
    group.pause(members.map(\.player))
    let places = places(leader: pane, time: edge == .start ? .zero : .positiveInfinity)
    group.seek(places)
    // This is the end of all of them, though some have more.
    if edge == .end { for (pane, time) in places { pane.session.state.didStop(at: time) } }
  }

  // MARK: - At the start

  /// Aligns panes once all clips are known; until then they are not to play.
  func request(_ offsets: [PaneOffset]) { requested = offsets }

  /// Aligns panes as requested, if all clips are known by now.
  ///
  /// - Returns: what there is to say of it, mostly nothing; nil when there was nothing to do.
  func fulfilRequest() -> [TerminalText]? {
    guard let requested, panes.panes.allSatisfy({ $0.clip.facts != nil || $0.error != nil }) else { return nil }
    self.requested = nil
    var messages: [TerminalText] = []
    var offsets: [PaneIdentifier: MediaTime] = [:]
    for (index, pane) in panes.panes.enumerated() where pane.error == nil {
      let asked = requested.last { $0.pane == index + 1 }
      if pane.clips.story != nil {
        if asked != nil { messages.append("pane \(index + 1) is a storyboard, which cannot be aligned") }
        continue
      }
      let offset = asked.map { $0.time(frameRate: pane.frameRate) } ?? .zero
      guard let offset else {
        messages.append("pane \(index + 1) cannot be aligned by frames: it has no frame rate")
        continue
      }
      offsets[ObjectIdentifier(pane)] = offset
    }
    alignment = offsets.count > 1 ? Alignment(offsets: offsets) : nil
    if let leader = members.first { group.seek(places(leader: leader, time: leader.player.currentTime())) }
    return messages
  }

  // MARK: - Words

  /// What the status row says of the alignment; nil when there is none.
  var words: TerminalText? {
    guard let alignment, let first else { return nil }
    let apart: [TerminalText] = panes.panes.enumerated().compactMap { index, pane in
      // What reads as nothing says nothing.
      guard pane !== first, let offset = offset(of: pane), abs(offset.seconds) >= 0.0005 else { return nil }
      // Frames of different length are no measure.
      let isAlike = first.frameRate > 0 && abs(pane.frameRate / first.frameRate - 1) < 0.001
      return "\(index + 1): \(PaneOffset.words(offset, frameRate: isAlike ? pane.frameRate : nil))"
    }
    let head: TerminalText = alignment.isKept ? "aligned" : "was aligned"
    return apart.isEmpty ? head : "\(head) \(apart.joined(separator: ", "))"
  }
}

extension Alignment {
  /// The present distances of panes.
  fileprivate static func taken(of panes: [Pane]) -> Alignment {
    // First: who is at rest by then has its place.
    let isFinal = !panes.contains { $0.player.isStepping }
    return Alignment(offsets: Dictionary(uniqueKeysWithValues: panes.map { (ObjectIdentifier($0), $0.place) }), isFinal: isFinal)
  }
}

extension Pane {
  /// When the first and the last frame are shown.
  fileprivate var frameTimes: ClosedRange<MediaTime> {
    if let timeline = player.frameIndex?.timeline, timeline.isComplete,
      let last = timeline.time(ofFrame: timeline.frameCount - 1), last >= .zero {
      return .zero...last
    }
    let duration = player.duration
    guard duration.isNumeric, duration > .zero else { return .zero ... .positiveInfinity }
    let last = frameRate > 0 ? duration - MediaTime(seconds: 1 / frameRate, preferredTimescale: 1_000_000) : duration
    return .zero...max(.zero, last)
  }

  /// Where it is: while paused the time of its frame, be it on the screen yet or not; else what its clock shows.
  fileprivate var place: MediaTime {
    let time = player.currentTime()
    return player.rate == 0 ? player.timing(at: time)?.pts ?? time : time
  }
}
