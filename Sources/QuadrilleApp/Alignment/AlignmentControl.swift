import Playback
import Terminal

/// A pane and its seek target.
typealias PanePlace = (pane: Pane, time: MediaTime)

extension PlayerGroup {
  /// Seeks all panes at once to exact times.
  func seek(_ places: [PanePlace]) {
    seek(
      places.map { (player: $0.pane.player, time: max(.zero, $0.time)) }, toleranceBefore: .zero, toleranceAfter: .zero)
  }
}

/// Keeps the offsets between aligned panes. Screen thread only.
final class AlignmentControl {
  let panes: PaneSet
  let group: PlayerGroup
  var state = State.off
  /// The leader's time when panes aligned by frames last went elsewhere while they played.
  var lastJump: MediaTime?
  /// Offsets from the command line, kept until all clips are open.
  private var requested: (offsets: [PaneOffset], isPartial: Bool)?

  /// The way in which panes are aligned.
  enum State {
    case off
    case byOffsets(Alignment)
    /// - Parameter needsCheck: True while the panes play, which may leave them at frames that do not belong together.
    case byFrames(FrameAlignment, needsCheck: Bool)
  }

  init(_ panes: PaneSet, _ group: PlayerGroup) {
    self.panes = panes
    self.group = group
  }

  private var alignment: Alignment? {
    guard case .byOffsets(let alignment) = state else { return nil }
    return alignment
  }

  /// The alignment frame by frame; nil if there is none.
  var frames: FrameAlignment? {
    guard case .byFrames(let frames, _) = state else { return nil }
    return frames
  }

  /// True if offsets are kept.
  var keepsOffsets: Bool { alignment?.isKept == true }

  private func changeOffsets(_ change: (inout Alignment) -> Void) {
    guard case .byOffsets(var alignment) = state else { return }
    change(&alignment)
    state = .byOffsets(alignment)
  }

  /// The panes of the current alignment; empty if there is none or it has lapsed.
  var members: [Pane] {
    if let frames { return panes.playable.filter { frames.members[ObjectIdentifier($0)] != nil } }
    guard let alignment, alignment.isKept else { return [] }
    return panes.playable.filter { alignment.offsets[ObjectIdentifier($0)] != nil }
  }

  /// Returns true if the targets include all aligned panes. Then one leads and the others follow.
  func isKept(by targets: [Pane]) -> Bool {
    let members = members
    return members.count > 1 && members.allSatisfy { member in targets.contains { $0 === member } }
  }

  /// The aligned panes if the targets include all of them; otherwise empty.
  func members(among targets: [Pane]) -> [Pane] { isKept(by: targets) ? members : [] }

  /// Ends the alignment if only some of its panes are about to move. Call before moving panes.
  func willMove(_ targets: [Pane]) {
    for pane in targets { pane.willMove() }
    changeOffsets { $0.keep() }
    guard !isKept(by: targets), members.contains(where: { member in targets.contains { $0 === member } }) else { return }
    // Those aligned by frames go together again with the next common move.
    changeOffsets { $0.lapse() }
  }

  func remove(_ pane: Pane) {
    let id = ObjectIdentifier(pane)
    if case .byFrames(let frames, let needsCheck) = state, frames.members[id] != nil {
      state = frames.removing(id).map { .byFrames($0, needsCheck: needsCheck) } ?? .off
    }
    changeOffsets { $0.remove(id) }
    if let alignment, alignment.offsets.count < 2 { state = .off }
  }

  /// Seek targets of the aligned panes when `leader` goes to a time; empty if `leader` is not aligned.
  func places(leader: Pane, time: MediaTime) -> [PanePlace] {
    if let frames { return places(frames, leader: leader, time: time) }
    let members = members
    guard let reference = members.firstIndex(where: { $0 === leader }), let offsets = alignment?.offsets else { return [] }
    let states = members.map { pane in
      Alignment.Member(
        offset: offsets[ObjectIdentifier(pane)] ?? .zero, range: pane.frameTimes, frame: pane.player.timing(at:))
    }
    return Array(zip(members, Alignment.targets(states, reference: reference, time: time)).map { ($0, $1) })
  }

  /// Offset of a pane from the first aligned one; nil if it is not aligned.
  func offset(of pane: Pane) -> MediaTime? {
    guard let alignment, let offset = alignment.offsets[ObjectIdentifier(pane)] else { return nil }
    return offset - (first.flatMap { alignment.offsets[ObjectIdentifier($0)] } ?? .zero)
  }

  /// The aligned pane that offsets are relative to.
  private var first: Pane? { alignment.flatMap { alignment in panes.panes.first { alignment.offsets[ObjectIdentifier($0)] != nil } } }

  /// Aligns the panes at their current positions, or releases them.
  ///
  /// - Parameter key: The key that aligns.
  /// - Returns: A message about what was done.
  func toggle(key: String?) -> TerminalText {
    // A storyboard's time restarts with each part.
    let clips = panes.playable.filter { $0.clips.story == nil }
    if alignment?.isKept == true {
      state = .off
      return "alignment off"
    }
    guard clips.count > 1 else { return panes.playable.count > 1 ? "a storyboard cannot be aligned" : "only one clip is open" }
    state = .byOffsets(.taken(of: clips))
    // If panes were controlled individually, the next key would end the alignment.
    panes.steering = .all
    let more: TerminalText = key.map { "; \($0) aligns them frame by frame" } ?? ""
    return "panes aligned at current positions" + more
  }

  /// Moves one pane by frames and keeps its new offset, which aligns all panes if they were not.
  ///
  /// - Returns: The offset, in words; nil if it is not known yet.
  func nudge(_ pane: Pane, by count: Int) -> TerminalText? {
    let clips = panes.playable.filter { $0.clips.story == nil }
    guard clips.count > 1, clips.contains(where: { $0 === pane }) else {
      return clips.count > 1 ? "a storyboard cannot be aligned" : "only one clip is open"
    }
    guard pane.frameRate > 0 else { return "this clip has no frame rate" }
    if alignment == nil || !members.contains(where: { $0 === pane }) { state = .byOffsets(.taken(of: clips)) }
    guard let offset = alignment?.offsets[ObjectIdentifier(pane)] else { return "this pane is not aligned" }
    if pane.player.rate == 0 {
      // The frame's own time: a time within the frame would make the offset inexact.
      if let target = pane.player.time(steppedBy: count).flatMap({ pane.player.timing(at: $0)?.pts }) {
        changeOffsets { $0.setOffset(offset + (target - pane.place), of: ObjectIdentifier(pane)) }
        group.seek([(pane, target)])
      } else {
        // The times of frames are not known yet: the offsets follow from where the pane arrives.
        pane.player.step(byCount: count)
        state = .byOffsets(.taken(of: clips))
        return nil
      }
    } else {
      let step = MediaTime(seconds: Double(count) / pane.frameRate, preferredTimescale: 1_000_000)
      changeOffsets { $0.setOffset(offset + step, of: ObjectIdentifier(pane)) }
      if let leader = members.first(where: { $0 !== pane }) {
        group.seek(places(leader: leader, time: leader.player.currentTime()))
      }
    }
    return words ?? "aligned"
  }

  /// Updates the offsets of panes that were still stepping when the alignment began. Returns true if the offsets may have changed.
  func update() -> Bool {
    guard alignment?.state == .taking else { return false }
    state = .byOffsets(.taken(of: members))
    return true
  }

  /// Seeks aligned panes to a common moment before playback; from the end, to their common start.
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

  /// Stops or reverses aligned panes together when the first of them reaches an end.
  func didPlayOut(_ pane: Pane, _ edge: ClipState.Edge) {
    let members = members
    guard members.count > 1, members.contains(where: { $0 === pane }) else { return }
    if edge == .end, !pane.clip.hasEnded {
      // The A-B loop has restarted.
      if pane.player.loopRange != nil { return }
      if pane.player.actionAtItemEnd == .loop { return group.seek(places(leader: pane, time: .zero)) }
    }
    group.pause(members.map(\.player))
    let places = places(leader: pane, time: edge == .start ? .zero : .positiveInfinity)
    group.seek(places)
    // This is the common end, even if some clips have more.
    if edge == .end { for (pane, time) in places { pane.session.state.didStop(at: time) } }
  }

  // MARK: - At the start

  /// Requests an alignment, to be made when all clips are open. They must not play until then.
  ///
  /// - Parameter isPartial: True to align only panes with an offset; otherwise the others have the offset 0.
  func request(_ offsets: [PaneOffset], isPartial: Bool = false) { requested = (offsets, isPartial) }

  /// Offset of a pane from the first aligned one; nil if it is not aligned, or if the alignment has lapsed.
  func keptOffset(of pane: Pane) -> MediaTime? { members.contains { $0 === pane } ? offset(of: pane) : nil }

  /// Makes the requested alignment if all clips are open.
  ///
  /// - Returns: Messages, usually none; nil if nothing was done.
  func fulfilRequest() -> [TerminalText]? {
    guard let requested, panes.panes.allSatisfy({ $0.clip.facts != nil || $0.error != nil }) else { return nil }
    self.requested = nil
    var messages: [TerminalText] = []
    var offsets: [PaneIdentifier: MediaTime] = [:]
    for (index, pane) in panes.panes.enumerated() where pane.error == nil {
      let asked = requested.offsets.last { $0.pane == index + 1 }
      if requested.isPartial, asked == nil { continue }
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
    state = offsets.count > 1 ? .byOffsets(Alignment(offsets: offsets)) : .off
    if let leader = members.first { group.seek(places(leader: leader, time: leader.player.currentTime())) }
    return messages
  }

  // MARK: - Words

  /// Text about the alignment for the status row; nil if there is none.
  var words: TerminalText? {
    if frames != nil { return "aligned frame by frame" }
    guard let alignment, let first else { return nil }
    let apart: [TerminalText] = panes.panes.enumerated().compactMap { index, pane in
      // Omit offsets that would read as zero.
      guard pane !== first, let offset = offset(of: pane), abs(offset.seconds) >= 0.0005 else { return nil }
      // Count in frames only if both clips have frames of the same length.
      let isAlike = first.frameRate > 0 && abs(pane.frameRate / first.frameRate - 1) < 0.001
      return "\(index + 1): \(PaneOffset.words(offset, frameRate: isAlike ? pane.frameRate : nil))"
    }
    let head: TerminalText = alignment.isKept ? "aligned" : "was aligned"
    return apart.isEmpty ? head : "\(head) \(apart.joined(separator: ", "))"
  }
}

extension Alignment {
  /// An alignment at the current positions of panes.
  fileprivate static func taken(of panes: [Pane]) -> Alignment {
    // Compute this first: panes at rest by now have reached their positions.
    let isFinal = !panes.contains { $0.player.isStepping }
    return Alignment(offsets: Dictionary(uniqueKeysWithValues: panes.map { (ObjectIdentifier($0), $0.place) }), isFinal: isFinal)
  }
}

extension Pane {
  /// Times at which the first and the last frame are shown.
  var frameTimes: ClosedRange<MediaTime> {
    if let timeline = player.frameIndex?.timeline, timeline.isComplete,
      let last = timeline.time(ofFrame: timeline.frameCount - 1), last >= .zero {
      return .zero...last
    }
    let duration = player.duration
    guard duration.isNumeric, duration > .zero else { return .zero ... .positiveInfinity }
    let last = frameRate > 0 ? duration - MediaTime(seconds: 1 / frameRate, preferredTimescale: 1_000_000) : duration
    return .zero...max(.zero, last)
  }

  /// The pane's position: while paused, the time of its frame, even if not on the screen yet; otherwise the clock's time.
  var place: MediaTime {
    let time = player.currentTime()
    return player.rate == 0 ? player.timing(at: time)?.pts ?? time : time
  }
}
