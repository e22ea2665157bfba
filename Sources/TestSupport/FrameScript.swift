import Pixels
import Playback

/// The frames that a `ScriptedSource` plays, in display order.
public struct FrameScript: Sendable {
  /// One frame.
  public struct Frame: Sendable {
    public var pts: MediaTime
    public var duration: MediaTime
    /// True if decoding can begin here.
    public var isKey: Bool
    /// True if other frames depend on it; the rest is left out at `DiscardLevel.nonReference`.
    public var isReference: Bool

    public init(pts: MediaTime, duration: MediaTime, isKey: Bool, isReference: Bool = true) {
      self.pts = pts
      self.duration = duration
      self.isKey = isKey
      self.isReference = isReference
    }
  }

  public var frames: [Frame]
  /// Display size.
  public var size = PixelSize(width: 16, height: 9)
  /// Duration that the source announces before it is played.
  public var announcedDuration: MediaTime
  public var nominalFrameRate: Double

  public init(_ frames: [Frame], announcedDuration: MediaTime? = nil, nominalFrameRate: Double = 0) {
    self.frames = frames
    self.announcedDuration = announcedDuration ?? frames.last.map { $0.pts + $0.duration } ?? .indefinite
    self.nominalFrameRate = nominalFrameRate
  }

  /// Returns `count` frames of `unit / scale` seconds: (1001, 30000) is NTSC. Every second one is not a reference frame.
  public static func constant(
    count: Int, unit: Int64 = 1, scale: Int32 = 25, keyEvery gop: Int = 12, start: Int64 = 0
  ) -> FrameScript {
    let frames = (0..<count).map { n in
      Frame(
        pts: MediaTime(value: start + Int64(n) * unit, timescale: scale),
        duration: MediaTime(value: unit, timescale: scale),
        isKey: n % gop == 0, isReference: n % gop == 0 || n % 2 == 0)
    }
    return FrameScript(frames, nominalFrameRate: Double(scale) / Double(unit))
  }

  /// Returns frames that begin at `times` (in `1 / scale` s) and last to the next one, the last one to `end`.
  public static func variable(_ times: [Int64], end: Int64, scale: Int32 = 1000, keyEvery gop: Int = 5)
    -> FrameScript
  {
    let frames = times.indices.map { i in
      let next = i + 1 < times.count ? times[i + 1] : end
      return Frame(
        pts: MediaTime(value: times[i], timescale: scale),
        duration: MediaTime(value: next - times[i], timescale: scale), isKey: i % gop == 0)
    }
    return FrameScript(frames)
  }

  /// Returns the number of the last frame that begins at or before `time`; 0 if none does.
  public func number(at time: MediaTime) -> Int {
    max(0, (frames.firstIndex { $0.pts > time } ?? frames.count) - 1)
  }

  /// End of the last frame.
  public var end: MediaTime { frames.last.map { $0.pts + $0.duration } ?? .zero }
}
