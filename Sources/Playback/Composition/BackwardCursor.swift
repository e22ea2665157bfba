/// Plays a clip backwards.
///
/// Decodes some frames forwards at a time, and keeps them until they have been shown.
final class BackwardCursor: ClipCursor {
  private enum State {
    case nowhere
    /// Decoding towards the first of the frames shown next; `end` is the clip's time at which they end.
    case approaching(MediaTime, end: MediaTime)
    case collecting(end: MediaTime)
    case standing
  }

  let map: ClipMap
  let reader: ClipReader
  private var state = State.nowhere
  /// In the clip's order.
  private var frames: [any SourceFrame] = []
  /// The end of the last of them, in the clip's time.
  private var framesEnd = MediaTime.zero
  private(set) var frame: (any SourceFrame)?
  private(set) var start = MediaTime.zero
  private(set) var end = MediaTime.zero

  /// The memory limit for decoded frames in bytes, at an assumed two bytes per pixel.
  private static let maxBytes = 64 << 20
  private static let frameCounts = 4...64

  init(_ map: ClipMap, _ reader: ClipReader) {
    self.map = map
    self.reader = reader
  }

  func leave() {
    state = .nowhere
    (frame, frames) = (nil, [])
  }

  /// The maximum number of frames kept.
  private var capacity: Int {
    let size = reader.source.info.presentationSize
    let fitting = Self.maxBytes / max(1, 2 * size.width * size.height)
    return min(max(fitting, Self.frameCounts.lowerBound), Self.frameCounts.upperBound)
  }

  func stand(at time: MediaTime, discard: DiscardLevel) throws -> Bool {
    switch state {
    case .standing:
      if frame != nil, start <= time, time < end { return true }
      if show(time) { return true }
      begin(time)
      return false
    case .nowhere:
      begin(time)
      return false
    case .approaching(let from, let end):
      if try reader.approach(from) {
        frames = []
        state = .collecting(end: end)
      }
      return false
    case .collecting(let end):
      guard try collect(until: end) else { return false }
      state = .standing
      guard show(time) else { throw PlaybackError.nothingDecodable }
      return true
    }
  }

  private func begin(_ time: MediaTime) {
    let end = map.sourceTimeBackwards(time)
    let rate = reader.source.info.nominalFrameRate
    let length = MediaTime(seconds: Double(capacity - 1) / (rate > 0 ? rate : 25), preferredTimescale: 90_000)
    (frame, frames) = (nil, [])
    state = .approaching(max(map.first, end - length), end: end)
  }

  /// Collects the reader's current frame and advances it; returns true once all frames before `end` have come.
  private func collect(until end: MediaTime) throws -> Bool {
    if let frame = reader.frame, frames.last !== frame {
      frames.append(frame)
      if frames.count > capacity { frames.removeFirst() }
    }
    try reader.look(discard: .nothing)
    switch reader.next {
    case .unknown: return false
    case .end:
      framesEnd = .positiveInfinity
      return true
    case .frame(let next):
      framesEnd = next.timing.pts
      guard next.timing.pts < end else { return true }
      reader.advance()
      return false
    }
  }

  /// Shows the frame on display at a time, if it has been kept.
  private func show(_ time: MediaTime) -> Bool {
    // The later in the clip, the earlier it is shown: what was shown before is let go.
    while let last = frames.last {
      let over = map.shownBackwards(last.timing.pts)
      if time < over || over >= planned.timeRange.end {
        start = map.shownBackwards(framesEnd)
        guard start <= time else { return false }
        (frame, end) = (last, over)
        return true
      }
      framesEnd = last.timing.pts
      frames.removeLast()
    }
    return false
  }
}
