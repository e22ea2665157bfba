/// The difference that a new load of a live playlist has made.
struct HLSTimelineUpdate: Hashable, Sendable {
  /// The kind of difference.
  enum Change: Hashable, Sendable {
    /// No new segments.
    case unchanged
    /// An older playlist than the one before, as from a cache that lags behind; it is ignored.
    case outdated
    /// Segments were added; `missed` others came and went between the two loads.
    case advanced(added: Int, missed: Int)
    /// The server has started over; the playlist continues at the end of the old one, in a new epoch.
    case restarted
  }

  /// The kind of difference.
  let change: Change
  /// Media sequence numbers of segments that are not the same as before, although they should be.
  var changedSegments: [Int] = []
  /// True if no more segments are expected, which was not known before.
  var hasEnded = false
}

extension HLSTimeline {
  /// The longest time that may have been missed between two loads, in nanoseconds: a day. More is a new beginning.
  private static let maximumGap: Int64 = 86_400 * 1_000_000_000

  /// Returns the timeline with a newer playlist, in which segments that are in both keep their times.
  ///
  /// - Parameter now: the host time at which the load began.
  func updated(with playlist: HLSMediaPlaylist, at now: HostTime) -> (timeline: HLSTimeline, update: HLSTimelineUpdate) {
    let new = playlist.segments, old = self.playlist.segments
    let newSequences = new.firstSequence..<new.firstSequence + new.count
    let common = newSequences.clamped(to: sequences)
    let hasEnded = playlist.isEnded && isLive

    func result(
      _ change: HLSTimelineUpdate.Change, origin: Int64, changed: [Int] = []
    ) -> (timeline: HLSTimeline, update: HLSTimelineUpdate) {
      let hasNews =
        switch change {
        case .advanced(let added, _): added > 0
        case .restarted: true
        case .unchanged, .outdated: false
        }
      let schedule = reload.loaded(at: now, targetDuration: playlist.targetDuration, hasNews: hasNews || hasEnded)
      let kept = change == .outdated ? self.playlist : playlist
      let timeline = HLSTimeline(
        kept, epoch: epoch + (change == .restarted ? 1 : 0), origin: origin, reload: schedule, commonStart: commonStart)
      return (timeline, HLSTimelineUpdate(change: change, changedSegments: changed, hasEnded: hasEnded && change != .outdated))
    }

    guard !sequences.isEmpty, !newSequences.isEmpty else {
      return result(new.isEmpty ? .unchanged : .advanced(added: new.count, missed: 0), origin: origin + old.duration)
    }
    let changed = common.filter { !old.hasSameMedia(at: $0 - old.firstSequence, as: $0 - new.firstSequence, in: new) }
    let isContinued = common.last.map { $0 != changed.last } ?? false
    let isShorter = newSequences.upperBound < sequences.upperBound
    let isEarlier = newSequences.lowerBound < sequences.lowerBound && newSequences.upperBound <= sequences.upperBound
    if isContinued, !playlist.isEnded, isShorter || isEarlier { return result(.outdated, origin: origin) }
    if newSequences.lowerBound < sequences.lowerBound, !isContinued { return result(.restarted, origin: origin + old.duration) }
    if let first = common.first {
      let start = origin + old.start(of: first - old.firstSequence) - new.start(of: first - new.firstSequence)
      let added = max(0, newSequences.upperBound - sequences.upperBound)
      let isSame = added == 0 && changed.isEmpty
      return result(isSame ? .unchanged : .advanced(added: added, missed: 0), origin: start, changed: changed)
    }
    let missed = newSequences.lowerBound - sequences.upperBound
    guard let gap = missedDuration(missed, before: new) else { return result(.restarted, origin: origin + old.duration) }
    return result(.advanced(added: new.count, missed: missed), origin: origin + old.duration + gap)
  }

  /// Returns the duration of missed segments in nanoseconds, by the dates around them or else by the average duration; nil if it
  /// is too long.
  private func missedDuration(_ count: Int, before new: HLSSegmentList) -> Int64? {
    let old = playlist.segments
    if let last = old.records.last, let start = last.date, let next = new.records.first?.date {
      let gap = next - (start + last.end - old.start(of: old.count - 1))
      if count > 0, (0...Self.maximumGap).contains(gap) { return gap }
    }
    let (duration, overflow) = (old.duration / Int64(old.count)).multipliedReportingOverflow(by: Int64(count))
    return overflow || duration > Self.maximumGap ? nil : duration
  }
}
