/// Maps a clip's frames to their display times within its range.
///
/// Time stamps may lie beside the times of their frames. A frame that begins so shortly before or after a time at which
/// something else changes is taken to begin there: at the ends of the range, and at the joints within it.
struct ClipMap {
  let planned: CompositionPlan.Clip
  /// The clip's time that decides which frame is the first in the range, and that from which on frames are behind it.
  let first: MediaTime
  private let last: MediaTime
  /// The maximum distance of timestamps from frame times, in the clip's time and in the composition's.
  private let tolerance: MediaTime
  let margin: MediaTime
  /// On the composition's timeline, in its midst; ascending.
  private let joints: [MediaTime]

  /// - Parameters:
  ///   - joints: times in its midst at which other clips come or go, ascending.
  ///   - tolerance: how far time stamps may lie beside the times of their frames.
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

  /// When a frame is shown that begins at a time of the clip, where the clip goes forwards.
  func shown(_ time: MediaTime) -> MediaTime {
    if isBefore(time) { return target.start }
    return isBehind(time) ? target.end : settled(time.mapped(from: source, to: target))
  }

  /// The clip's time that is shown at a time, where the clip goes forwards: close before a joint an earlier one.
  func sourceTime(_ time: MediaTime) -> MediaTime {
    let own = time.mapped(from: target, to: source)
    return max(first, isCloseBeforeJoint(time) ? own - tolerance - tolerance : own)
  }

  /// When a frame is over that begins at a time of the clip, where the clip goes backwards.
  func shownBackwards(_ time: MediaTime) -> MediaTime {
    if isBehind(time) { return target.start }
    if isBefore(time) { return target.end }
    return settled(target.start + (source.end - time).scaled(by: target.duration, over: source.duration))
  }

  /// The clip's time that is shown at a time, where the clip goes backwards: the last moment is not in it. Close before a joint
  /// it is a later one.
  func sourceTimeBackwards(_ time: MediaTime) -> MediaTime {
    let own = source.end - (time - target.start).scaled(by: source.duration, over: target.duration)
    return max(first, isCloseBeforeJoint(time) ? own + tolerance + tolerance : own)
  }

  /// A time on the composition's timeline, or the joint beside which it lies.
  private func settled(_ time: MediaTime) -> MediaTime {
    guard let joint = joint(from: time - margin), joint <= time + margin else { return time }
    return joint
  }

  /// Returns true if what begins at a joint may have a stamp that is not after the time.
  private func isCloseBeforeJoint(_ time: MediaTime) -> Bool {
    guard let joint = joint(from: time), joint > time else { return false }
    return joint <= time + margin
  }

  /// The first joint that is not before a time.
  private func joint(from time: MediaTime) -> MediaTime? {
    let number = joints.partitioningIndex { $0 >= time }
    return number < joints.count ? joints[number] : nil
  }
}
