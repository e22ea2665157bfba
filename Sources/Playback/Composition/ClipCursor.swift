import Pixels

/// A clip of a composition on its way through the range in which it is shown.
///
/// Use from one thread at a time.
protocol ClipCursor: AnyObject {
  /// The mapping of its frames to display times.
  var map: ClipMap { get }
  var reader: ClipReader { get }
  /// The current frame; nil if there is none yet.
  var frame: (any SourceFrame)? { get }
  /// The start of that frame, on the composition's timeline.
  var start: MediaTime { get }
  var end: MediaTime { get }

  /// Does a short piece of work, decoding at most one frame.
  ///
  /// - Parameter time: on the composition's timeline, in the clip's range.
  /// - Returns: true once the frame on display at the time is current.
  /// - Throws: the reason that there is no frame.
  func stand(at time: MediaTime, discard: DiscardLevel) throws -> Bool

  /// Resets the cursor, so that the next time may be anywhere.
  func leave()
}

extension ClipCursor {
  var planned: CompositionPlan.Clip { map.planned }
}

extension ClipMap {
  /// Creates a cursor for the clip.
  func makeCursor(_ reader: ClipReader) -> any ClipCursor {
    switch planned.clip.direction {
    case .forward: ForwardCursor(self, reader)
    case .backward: BackwardCursor(self, reader)
    case .freeze: FreezeCursor(self, reader)
    }
  }
}

extension AssetTrack {
  /// The maximum distance of timestamps from the true times of their frames: one tick, if ticks are coarse or frames are
  /// not a whole number of ticks, as at 24000/1001 in MPEG streams.
  ///
  /// Zero if frames are hardly longer than a tick: the next frame would be mistaken for one.
  var stampTolerance: MediaTime {
    guard timeBase.isPositive, timeBase.value <= 1.0 / 200, timeBase.value * nominalFrameRate <= 0.25 else { return .zero }
    let isRounded = timeBase.value >= 1.0 / 2000 || !frameIsWholeTicks
    return isRounded ? MediaTime(ticks: 1, in: timeBase) : .zero
  }

  private var frameIsWholeTicks: Bool {
    guard let frameRate else { return false }
    let (ticks, tooMany) = Int64(frameRate.denominator).multipliedReportingOverflow(by: Int64(timeBase.denominator))
    let (parts, tooFine) = Int64(frameRate.numerator).multipliedReportingOverflow(by: Int64(timeBase.numerator))
    return !tooMany && !tooFine && parts > 0 && ticks % parts == 0
  }
}

/// Plays a clip forwards.
final class ForwardCursor: ClipCursor {
  let map: ClipMap
  let reader: ClipReader
  private var isPlaced = false
  private(set) var start = MediaTime.zero
  private(set) var end = MediaTime.zero

  init(_ map: ClipMap, _ reader: ClipReader) {
    self.map = map
    self.reader = reader
  }

  var frame: (any SourceFrame)? { isPlaced ? reader.frame : nil }

  /// Returns the clip's time shown at a time of the composition.
  func sourceTime(_ time: MediaTime) -> MediaTime { map.sourceTime(time) }

  func leave() { isPlaced = false }

  func stand(at time: MediaTime, discard: DiscardLevel) throws -> Bool {
    if !isPlaced || time < start {
      guard try reader.approach(map.sourceTime(time)), let frame = reader.frame else { return false }
      isPlaced = true
      start = map.shown(frame.timing.pts)
    }
    return try goOn(until: time, discard)
  }

  /// Moves to the first frame in the range that comes, wherever the reader has been sent.
  ///
  /// - Returns: true once it is current; if all frames are after the range, at its end.
  func land(discard: DiscardLevel) throws -> Bool {
    // Up to the range all frames have to come, so that it begins with the right one.
    let isInside = reader.frame.map { !map.isBefore($0.timing.pts) } ?? false
    let discard = isInside ? discard : .nothing
    if reader.frame == nil {
      try reader.look(discard: discard)
      switch reader.next {
      case .unknown: return false
      case .frame: reader.advance()
      case .end: throw PlaybackError.nothingDecodable
      }
    }
    guard let frame = reader.frame else { return false }
    guard let following = try following(discard) else { return false }
    if map.isBefore(following) {
      guard try advance(discard) else { return false }
      return try land(discard: discard)
    }
    isPlaced = true
    start = map.shown(frame.timing.pts)
    end = map.shown(following)
    return true
  }

  private func goOn(until time: MediaTime, _ discard: DiscardLevel) throws -> Bool {
    while true {
      guard let following = try following(discard) else { return false }
      end = map.shown(following)
      if time < end || end >= planned.timeRange.end { return true }
      guard try advance(discard) else { return false }
    }
  }

  /// Returns the start of the clip's next frame; nil while it is unknown.
  private func following(_ discard: DiscardLevel) throws -> MediaTime? {
    if case .unknown = reader.next {
      if let timing = reader.frame?.timing, timing.endIsExact {
        // The last frame stays.
        return timing.end == reader.timeline?.duration ? .positiveInfinity : timing.end
      }
      try reader.look(discard: discard)
    }
    switch reader.next {
    case .unknown: return nil
    case .frame(let frame): return frame.timing.pts
    case .end: return .positiveInfinity
    }
  }

  /// Moves to the next frame; returns false while it must still be decoded.
  private func advance(_ discard: DiscardLevel) throws -> Bool {
    try reader.look(discard: discard)
    switch reader.next {
    case .unknown: return false
    // The clip ends earlier than announced: the last frame stays.
    case .end: return true
    case .frame:
      reader.advance()
      if let timing = reader.frame?.timing { start = max(start, map.shown(timing.pts)) }
      return true
    }
  }
}

/// Holds one frame of a clip.
final class FreezeCursor: ClipCursor {
  let map: ClipMap
  let reader: ClipReader
  private(set) var frame: (any SourceFrame)?

  init(_ map: ClipMap, _ reader: ClipReader) {
    self.map = map
    self.reader = reader
  }

  var start: MediaTime { planned.timeRange.start }
  var end: MediaTime { planned.timeRange.end }

  func leave() {}

  func stand(at time: MediaTime, discard: DiscardLevel) throws -> Bool {
    if frame == nil, try reader.approach(map.first) { frame = reader.frame }
    return frame != nil
  }
}
