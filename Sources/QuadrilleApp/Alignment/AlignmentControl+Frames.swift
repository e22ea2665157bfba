import Playback

/// Panes aligned frame by frame.
extension AlignmentControl {
  /// Follows an alignment of frames from now on; nil ends it.
  func follow(_ frames: FrameAlignment?) {
    guard let frames else {
      if self.frames != nil { state = .off }
      return
    }
    state = .byFrames(frames, needsCheck: true)
    panes.steering = .all
  }

  /// Returns true if a pane lacks the frame that another one shows.
  func lacksPartner(_ pane: Pane, of leader: Pane) -> Bool {
    guard let frames, let shown = leader.displayedTiming?.pts.nanoseconds,
      let place = frames.place(of: ObjectIdentifier(pane), leader: ObjectIdentifier(leader), at: shown)
    else { return false }
    return !place.hasPartner
  }

  func places(_ frames: FrameAlignment, leader: Pane, time: MediaTime) -> [PanePlace] {
    let members = members
    guard members.contains(where: { $0 === leader }) else { return [] }
    let range = leader.frameTimes
    let time = min(max(time, range.lowerBound), range.upperBound)
    return members.compactMap { pane in
      if pane === leader { return (pane, time) }
      return place(of: pane, frames, leader: leader, time: time).map { (pane, $0) }
    }
  }

  /// The place of a pane when another one is at a time: the start of a frame, or as far into it as the other is.
  private func place(of pane: Pane, _ frames: FrameAlignment, leader: Pane, time: MediaTime) -> MediaTime? {
    guard let nanoseconds = time.nanoseconds,
      let place = frames.place(of: ObjectIdentifier(pane), leader: ObjectIdentifier(leader), at: nanoseconds)
    else { return nil }
    let found = MediaTime(nanoseconds: place.time)
    // Nanoseconds may be rounded to before the frame.
    let start = pane.player.timing(at: found + Self.rounding)?.pts
    return start.map { $0 - found < Self.rounding && found - $0 < Self.rounding ? $0 : found } ?? found
  }

  private static let rounding = MediaTime(value: 1, timescale: 20_000)

  /// Distances from which panes that play are not corrected by shifting their clocks, but go elsewhere together.
  private static let farthestShift = MediaTime(value: 2, timescale: 5)
  /// The least time between two jumps.
  private static let jumpInterval = MediaTime(value: 1, timescale: 1)
  /// The share of a frame by which panes that play may be apart.
  private static let tolerance = 0.125

  /// Keeps panes together while they play, and puts them together when they have paused. Call for each turn of the run loop.
  func followFrames() {
    guard case .byFrames(let frames, let needsCheck) = state, isKept(by: panes.targets) else { return }
    let members = members
    guard let leader = members.first(where: { $0 === panes.focused }) ?? members.first else { return }
    if leader.player.rate != 0 {
      state = .byFrames(frames, needsCheck: true)
      if leader.player.rate > 0, members.allSatisfy({ $0.player.timeControlStatus == .playing }) {
        shift(members, leader, frames)
      }
    } else if needsCheck, !members.contains(where: { $0.player.isSeeking || $0.player.isStepping }) {
      state = .byFrames(frames, needsCheck: false)
      let places = places(frames, leader: leader, time: leader.place)
      if places.contains(where: { $0.pane.place != $0.time }) { group.seek(places.filter { $0.pane !== leader }) }
    }
  }

  private func shift(_ members: [Pane], _ leader: Pane, _ frames: FrameAlignment) {
    let now = leader.player.currentTime()
    for pane in members where pane !== leader {
      guard let time = place(of: pane, frames, leader: leader, time: now) else { continue }
      let deviation = time - pane.player.currentTime()
      if deviation > Self.farthestShift || deviation < -Self.farthestShift {
        // A clip that did not get there will not the next time.
        guard lastJump.map({ now < $0 || now - $0 > Self.jumpInterval }) ?? true else { continue }
        lastJump = now
        return group.seek(places(frames, leader: leader, time: now))
      }
      let limit = Self.tolerance / max(1, pane.frameRate)
      if abs(deviation.seconds) > limit { pane.player.shift(by: deviation) }
    }
  }
}
