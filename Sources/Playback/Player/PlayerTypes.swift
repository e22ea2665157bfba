/// Whether a player's clock runs: the truth, where `Player.rate` is the wish.
public enum TimeControlStatus: Hashable, Sendable {
  case paused
  case waiting(WaitingReason)
  case playing
}

/// Why a player that is to play does not yet.
public enum WaitingReason: Hashable, Sendable {
  case noItem
  /// The clip is being opened, or its first picture decoded.
  case opening
  /// A seek has not landed.
  case seeking
  /// Playing backwards, the pictures before are still being decoded.
  case buffering
  /// Players that are to start together wait for each other.
  case othersInGroup
}

/// What a player does when its item has played to its end.
public enum ActionAtItemEnd: Hashable, Sendable {
  case pause
  case loop
  /// Goes on with the next item of the queue; pauses after the last.
  case advance
}

/// How a seek ended.
public enum SeekResult: Hashable, Sendable {
  /// It landed, and its picture is the one to show.
  case finished
  /// A newer seek took its place, or the item went away.
  case superseded
}

/// What happens to a player, in order.
public enum PlayerEvent: Hashable, Sendable {
  case itemReady
  case itemFailed(PlaybackError)
  case statusChanged(TimeControlStatus)
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
  case durationChanged(MediaTime)
  /// More or less is held in memory, while the clock stands; not told for each picture.
  case loadedTimeRangesChanged
  /// The places of all pictures are known now, or as many as ever will be.
  case framesIndexed
}

/// What a player counted since its item was set.
public struct PlayerStatistics: Sendable {
  /// Pictures that came out of the decoder.
  public var decoded = 0
  /// Pictures handed to the display.
  public var shown = 0
  /// Pictures that were due in playback but were never handed over: too late, or not decoded to save time.
  public var skipped = 0
  /// How long after its due time each picture was handed over.
  public var lateness = DurationHistogram()
  /// From the call to the landing of each seek.
  public var seeks = DurationHistogram()
  /// Nanoseconds of host time in which the clock ran.
  public var playedNanoseconds: Int64 = 0

  public init() {}
}

/// A bounded record of durations that tells percentiles to a quarter of a millisecond below half a second.
public struct DurationHistogram: Sendable {
  private var buckets = [UInt32](repeating: 0, count: 2064)
  public private(set) var count = 0
  /// Nanoseconds.
  public private(set) var maximum: Int64 = 0

  private static let fine: Int64 = 250_000
  private static let fineCount = 2000

  public init() {}

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
    let wanted = max(1, Int((Double(count) * fraction).rounded(.up)))
    var seen = 0
    for (i, n) in buckets.enumerated() {
      seen += Int(n)
      if seen >= wanted {
        let top = i < Self.fineCount ? Int64(i + 1) * Self.fine : Int64(i - Self.fineCount + 2) * 500_000_000
        return min(maximum, top)
      }
    }
    return maximum
  }
}
