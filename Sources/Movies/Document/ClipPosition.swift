import Playback

/// A point of a clip.
public enum ClipPosition: Hashable, Sendable {
  /// Time since the clip's first frame.
  case time(MediaTime)
  /// The frame of this number; the first is 0.
  case frame(Int)
  /// The frame that bears this timecode, in the clip's own counting.
  case timecode(Timecode)

  /// The position that lies so much later; where frames are counted, to the nearest frame and not before the first.
  ///
  /// Nil where frames are counted and no rate is known.
  func moved(by step: MediaTime, rate: Ratio?) -> ClipPosition? {
    if step == .zero { return self }
    if case .time(let time) = self { return .time(time + step) }
    guard let rate, let frames = step.roundedFrames(at: rate) else { return nil }
    switch self {
    case .time: return nil
    case .frame(let number):
      let (sum, overflow) = number.addingReportingOverflow(Int(frames))
      return overflow ? nil : .frame(max(0, sum))
    case .timecode(let code):
      guard let number = code.frameNumber(at: rate) else { return nil }
      return Timecode(frameNumber: max(0, number + frames), at: rate, isDropFrame: code.isDropFrame).map(ClipPosition.timecode)
    }
  }

  /// Whether `moved` is exact.
  func canMove(by step: MediaTime, rate: Ratio?) -> Bool {
    if step == .zero { return true }
    switch self {
    case .time: return true
    case .frame, .timecode:
      guard let rate, let frames = step.frames(at: rate), let time = time(rate: rate) else { return false }
      return (time.frames(at: rate) ?? 0) + frames >= 0
    }
  }
}
