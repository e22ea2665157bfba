/// Maps a clip's frames to their display times within its range.
///
/// Timestamps may deviate from the exact times of their frames. A frame that begins so shortly before or after a time at
/// which something else changes counts as beginning there: at the ends of the range, and at the joints within it.
struct ClipMap {
  let planned: CompositionPlan.Clip
  /// The clip's time that decides the first frame in the range, and the time from which frames are after it.
  let first: MediaTime
  private let last: MediaTime
  /// The maximum distance of timestamps from frame times, in the clip's time and in the composition's.
  private let tolerance: MediaTime
  let margin: MediaTime
  /// On the composition's timeline, within the clip's range; ascending.
  private let joints: [MediaTime]

  /// - Parameters:
  ///   - joints: times within the range at which other clips start or end, ascending.
  ///   - tolerance: the maximum distance of timestamps from frame times.
  init(_ planned: CompositionPlan.Clip, joints: [MediaTime] = [], tolerance: MediaTime) {
    self.planned = planned
    self.tolerance = tolerance
    first = planned.clip.timeRange.start + tolerance
    last = planned.clip.timeRange.end - tolerance
    let (length, shown) = (planned.clip.timeRange.duration, planned.timeRange.duration)
    margin = tolerance > .zero && length > .zero ? tolerance.scaled(by: shown, over: length) : .zero
    self.joints = margin > .zero ? joints : []
  }

  private var source: TimeRange { planned.clip.timeRange }
  private var target: TimeRange { planned.timeRange }

  /// Returns true if a time of the clip counts as after the range.
  func isBehind(_ time: MediaTime) -> Bool { time >= last }
  /// Returns true if a time of the clip counts as before the range, or at its start.
  func isBefore(_ time: MediaTime) -> Bool { time <= first }

  /// Returns the display time of a frame that starts at a time of the clip, which plays forwards.
  func shown(_ time: MediaTime) -> MediaTime {
    if isBefore(time) { return target.start }
    return isBehind(time) ? target.end : settled(time.mapped(from: source, to: target))
  }

  /// Returns the clip's time shown at a time, for forward playback; shortly before a joint, or if rounded, an earlier one.
  func sourceTime(_ time: MediaTime) -> MediaTime {
    let own = moment(at: time)
    return max(first, own - leeway(own, at: time))
  }

  /// Returns the end of display of a frame that starts at a time of the clip, which plays backwards.
  func shownBackwards(_ time: MediaTime) -> MediaTime {
    if isBehind(time) { return target.start }
    if isBefore(time) { return target.end }
    return settled(target.start + (source.end - time).scaled(by: target.duration, over: source.duration))
  }

  /// Returns the clip's time shown at a time, for reverse playback, excluding the last moment; shortly before a joint, or
  /// if rounded, a later one.
  func sourceTimeBackwards(_ time: MediaTime) -> MediaTime {
    let own = momentBackwards(at: time)
    return max(first, own + leeway(own, at: time))
  }

  /// Returns a time on the composition's timeline, or the joint next to it.
  private func settled(_ time: MediaTime) -> MediaTime {
    guard let joint = joint(from: time - margin), joint <= time + margin else { return time }
    return joint
  }

  /// Returns how far beside a time of the clip the frame shown at a time may start.
  private func leeway(_ own: MediaTime, at time: MediaTime) -> MediaTime {
    if isCloseBeforeJoint(time) { return tolerance + tolerance }
    return error(of: own)
  }

  /// Returns the clip's time mapped to a time, for forward playback.
  func moment(at time: MediaTime) -> MediaTime { time.mapped(from: target, to: source) }

  /// Returns the clip's time mapped to a time, for reverse playback.
  func momentBackwards(at time: MediaTime) -> MediaTime {
    source.end - (time - target.start).scaled(by: source.duration, over: target.duration)
  }

  /// Returns more than what a time of the clip may have lost by being mapped there and back.
  func error(of own: MediaTime) -> MediaTime {
    guard own.hasBeenRounded else { return .zero }
    let unit = MediaTime(value: 4, timescale: MediaTime.maximumTimescale)
    return source.duration > target.duration ? unit.scaled(by: source.duration, over: target.duration) : unit
  }

  /// Returns true if a frame that starts at a joint may have a timestamp at or before the time.
  private func isCloseBeforeJoint(_ time: MediaTime) -> Bool {
    guard let joint = joint(from: time), joint > time else { return false }
    return joint <= time + margin
  }

  /// Returns the first joint at or after a time.
  private func joint(from time: MediaTime) -> MediaTime? {
    let number = joints.partitioningIndex { $0 >= time }
    return number < joints.count ? joints[number] : nil
  }
}
