import Playback

/// A point of a clip.
public enum ClipPosition: Hashable, Sendable {
  /// Time since the clip's first frame.
  case time(MediaTime)
  /// The frame of this number; the first is 0.
  case frame(Int)
  /// The frame that bears this timecode, in the clip's own counting.
  case timecode(Timecode)
  /// What bears this timecode where frames are counted at a rate, whatever rate the clip has: a list's point of its source.
  case listed(Timecode, at: Ratio)

  /// The position that lies so much later; a timecode to the nearest frame, and not before the first.
  ///
  /// Nil where only the clip can tell.
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

  /// Whether `moved` is exact.
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

  /// The time since the clip's first frame, where the clip need not be asked for it.
  var time: MediaTime? {
    switch self {
    case .time(let time): time
    case .frame(0): .zero
    case .frame, .timecode, .listed: nil
    }
  }

  /// The point by a rate in place of the clip's own.
  func counted(at rate: Ratio) -> ClipPosition {
    switch self {
    case .time, .listed: self
    case .frame(let number): .time(MediaTime(frames: Int64(number), at: rate))
    case .timecode(let code): .listed(code, at: rate)
    }
  }

  /// Whether the clip's own rate says where it is.
  var isCountedByClip: Bool {
    switch self {
    case .time, .listed, .frame(0): false
    case .frame, .timecode: true
    }
  }

  /// The time between two points that count from the same moment; nil for others.
  static func - (late: ClipPosition, early: ClipPosition) -> MediaTime? {
    if let late = late.time, let early = early.time { return late - early }
    guard case .listed(let lateCode, let rate) = late, case .listed(let earlyCode, rate) = early,
      let end = lateCode.time(at: rate), let start = earlyCode.time(at: rate)
    else { return nil }
    return end - start
  }
}
