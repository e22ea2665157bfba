/// Whether a player's clock runs: the truth, where `Player.rate` is the wish.
public enum TimeControlStatus: Hashable, Sendable {
  /// The rate is 0, or the item has failed.
  case paused
  /// The rate is not 0, and the clock stands until something has come.
  case waiting(WaitingReason)
  /// The clock runs.
  case playing
}

/// Why a player that is to play does not yet.
public enum WaitingReason: Hashable, Sendable {
  /// There is nothing to play.
  case noItem
  /// The clip is being opened, or its first frame decoded.
  case opening
  /// A seek has not landed.
  case seeking
  /// Playing backwards, the frames before are still being decoded.
  case buffering
  /// Players that are to start together wait for each other.
  case othersInGroup
}

/// What a player does when its item has played to its end.
public enum ActionAtItemEnd: Hashable, Sendable {
  /// Stands at the end, with the last frame on display.
  case pause
  /// Begins again, at the same rate.
  case loop
  /// Goes on with the next item of the queue; pauses after the last.
  case advance
}

/// How a seek ended.
public enum SeekResult: Hashable, Sendable {
  /// It landed, and its frame is the one to show.
  case finished
  /// A newer seek took its place, or the item went away or failed.
  case superseded
}

/// What happens to a player, in order.
public enum PlayerEvent: Hashable, Sendable {
  /// `Player.currentItem` is another one, or none; what follows is told of that.
  case currentItemChanged
  /// The item has been opened: what it tells of itself is known.
  case itemReady
  /// The item cannot be played, or cannot be played on; nothing more comes of it.
  case itemFailed(PlaybackError)
  /// `Player.timeControlStatus` is another one.
  case statusChanged(TimeControlStatus)
  /// `Player.rate` is another one.
  case rateChanged(Double)
  /// Its time is another one without having been played to.
  case timeJumped(MediaTime)
  /// Played to its end; exactly once for each time it gets there.
  case playedToEnd
  /// Played backwards to its beginning.
  case playedToStart
  /// The data ended in the middle of something, or long before the end that the file announces, which is indefinite
  /// where it announces none.
  case endedEarly(at: MediaTime, announced: MediaTime)
  /// `Player.duration` is another one: known at last, or corrected.
  case durationChanged(MediaTime)
  /// More or less is cached, while the clock stands; not told for each frame.
  case loadedTimeRangesChanged
  /// The places of all frames are known now, or as many as ever will be.
  case framesIndexed
}

/// What a player counted since its item was set.
public struct PlayerStatistics: Sendable {
  /// Frames that came out of the decoder.
  public var decoded = 0
  /// Frames handed to the display, as `VideoOutput.didShow` tells.
  public var shown = 0
  /// Frames that were due in playback but were never handed over: too late, or not decoded to save time.
  public var dropped = 0
  /// How long after its due time each frame was handed over.
  public var lateness = DurationHistogram()
  /// From the call to the landing of each seek.
  public var seeks = DurationHistogram()
  /// Nanoseconds of host time in which the clock ran.
  public var playedNanoseconds: Int64 = 0

  /// Nothing counted yet.
  public init() {}
}

/// A bounded record of durations that tells percentiles to a quarter of a millisecond below half a second.
public struct DurationHistogram: Sendable {
  private var buckets = [UInt32](repeating: 0, count: 2064)
  /// Durations that were recorded.
  public private(set) var count = 0
  /// The longest one in nanoseconds, 0 when there is none.
  public private(set) var maximum: Int64 = 0

  private static let fine: Int64 = 250_000
  private static let fineCount = 2000

  /// Nothing recorded yet.
  public init() {}

  /// Adds a duration in nanoseconds; below 0 counts as 0.
  public mutating func record(_ nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    maximum = max(maximum, value)
    count += 1
    buckets[Self.bucket(value)] += 1
  }

  private static func bucket(_ value: Int64) -> Int {
    let index = Int(value / fine)
    if index < fineCount { return index }
    // Above: half a second a bucket.
    return min(fineCount + 63, fineCount + Int(value / 500_000_000) - 1)
  }

  /// The value that `fraction` (0…1) of all do not pass, in nanoseconds, rounded up to its bucket; 0 when empty.
  public func percentile(_ fraction: Double) -> Int64 {
    guard count > 0 else { return 0 }
    let rank = max(1, Int((Double(count) * fraction).rounded(.up)))
    var seen = 0
    for (i, n) in buckets.enumerated() {
      seen += Int(n)
      if seen >= rank {
        let top = i < Self.fineCount ? Int64(i + 1) * Self.fine : Int64(i - Self.fineCount + 2) * 500_000_000
        return min(maximum, top)
      }
    }
    return maximum
  }
}
