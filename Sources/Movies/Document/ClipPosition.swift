import Playback

/// A point of a clip.
public enum ClipPosition: Hashable, Sendable {
  /// Time since the clip's first frame.
  case time(MediaTime)
  /// The frame with this number, from 0.
  case frame(Int)
  /// The frame with this timecode, counted at the clip's own rate.
  case timecode(Timecode)
  /// The point with this timecode, counted at the given rate, whatever the clip's: a source point of a list.
  case listed(Timecode, at: Ratio)

  /// The position moved later by `step`; a timecode is rounded to the nearest frame, not before the first.
  ///
  /// Nil if it depends on the clip.
  func moved(by step: MediaTime) -> ClipPosition? {
    if step == .zero { return self }
    switch self {
    case .time(let time): return .time(time + step)
    case .frame(0): return .time(step)
    case .frame, .timecode: return nil
    case .listed(let code, let rate):
      guard let frames = step.roundedFrames(at: rate), let number = code.frameNumber(at: rate) else { return nil }
      return Timecode(frameNumber: max(0, number + frames), at: rate, isDropFrame: code.isDropFrame)
        .map { .listed($0, at: rate) }
    }
  }

  /// Returns true if `moved` is exact.
  func canMove(by step: MediaTime) -> Bool {
    if step == .zero { return true }
    switch self {
    case .time, .frame(0): return true
    case .frame, .timecode: return false
    case .listed(let code, let rate):
      guard let frames = step.frames(at: rate), let number = code.frameNumber(at: rate) else { return false }
      return number + frames >= 0
    }
  }

  /// The time since the clip's first frame; nil if that depends on the clip.
  var time: MediaTime? {
    switch self {
    case .time(let time): time
    case .frame(0): .zero
    case .frame, .timecode, .listed: nil
    }
  }

  /// The position counted at a rate instead of the clip's own.
  func counted(at rate: Ratio) -> ClipPosition {
    switch self {
    case .time, .listed: self
    case .frame(let number): .time(MediaTime(frames: Int64(number), at: rate))
    case .timecode(let code): .listed(code, at: rate)
    }
  }

  /// True if the position depends on the clip's own rate.
  var isCountedByClip: Bool {
    switch self {
    case .time, .listed, .frame(0): false
    case .frame, .timecode: true
    }
  }

  /// The time between two positions with the same origin; nil for others.
  static func - (late: ClipPosition, early: ClipPosition) -> MediaTime? {
    if let late = late.time, let early = early.time { return late - early }
    guard case .listed(let lateCode, let rate) = late, case .listed(let earlyCode, rate) = early,
      let end = lateCode.time(at: rate), let start = earlyCode.time(at: rate)
    else { return nil }
    return end - start
  }
}
