import Libav
import Playback

/// Decodes any frame of a clip by its number; frames that follow each other are decoded once.
///
/// Use from one thread at a time.
final class FrameCursor {
  private let open: () throws -> SequentialFrames
  /// The times of all frames, as decoded from the beginning.
  private let times: [Int64]
  private var frames: SequentialFrames
  /// The number of the frame decoded last; -1 at the beginning.
  private var position = -1
  /// False once the clip has not led to the frames that it leads to from the beginning.
  private var canSeek = true

  /// Up to so many frames ahead, decoding goes on instead of seeking.
  private static let nearby = 96
  /// The distance before a frame at which to look for a keyframe, in nanoseconds: frames next to a keyframe may need earlier ones.
  private static let margins: [Int64] = [500_000_000, 5_000_000_000]
  /// The greatest deviation of a time, in nanoseconds.
  private static let rounding: Int64 = 50_000

  /// - Parameter open: opens the clip at its beginning.
  init(times: [Int64], open: @escaping () throws -> SequentialFrames) throws {
    (self.times, self.open) = (times, open)
    frames = try open()
  }

  var track: AssetTrack { frames.track }

  /// Returns a frame, which is valid until the next call; nil if the clip ends before it.
  func frame(_ number: Int) throws -> DecodedFrame? {
    if number == position { return frames.frame }
    if number < position || number > position + Self.nearby, number > Self.nearby, canSeek {
      if try seek(to: number) { return frames.frame }
      canSeek = false
      try restart()
    } else if number < position {
      try restart()
    }
    return try goOn(to: number) ? frames.frame : nil
  }

  private func restart() throws {
    frames = try open()
    position = -1
  }

  private func goOn(to number: Int) throws -> Bool {
    while position < number {
      guard try frames.next() else { return false }
      position += 1
    }
    return true
  }

  /// Goes to a frame by way of a keyframe before it. Returns false if that did not lead there.
  private func seek(to number: Int) throws -> Bool {
    for margin in Self.margins {
      guard (try? frames.seek(to: max(0, times[number] - margin))) != nil, try frames.next() else { return false }
      guard let found = index(of: frames.time) else { return false }
      if found > number { continue }
      position = found
      return try goOn(to: number) && abs(frames.time - times[number]) <= Self.rounding
    }
    return false
  }

  private func index(of time: Int64) -> Int? {
    var low = 0, high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] < time - Self.rounding { low = middle + 1 } else { high = middle }
    }
    return low < times.count && abs(times[low] - time) <= Self.rounding ? low : nil
  }
}
