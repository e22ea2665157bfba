/// The state of a player at one moment, in one value.
public struct PlayerSnapshot: Sendable {
  /// As `Player.timeControlStatus`.
  public let status: TimeControlStatus
  /// As `Player.rate`.
  public let rate: Double
  /// As `Player.defaultRate`.
  public let defaultRate: Double
  /// As `Player.currentTime()`.
  public let currentTime: MediaTime
  /// As `Player.duration`.
  public let duration: MediaTime
  /// As `Player.displayedTiming`.
  public let displayedTiming: FrameTiming?
  /// The media time by which playback is ahead of the displayed frame because frames come late; zero if it is not, and while
  /// paused, seeking or playing backwards.
  public let lateness: MediaTime
  /// As `Player.loopRange`.
  public let loopRange: TimeRange?
  /// As `Player.isSeeking`.
  public let isSeeking: Bool
  /// As `Player.statistics`.
  public let statistics: PlayerStatistics
  /// As `Player.cacheByteCount`.
  public let cacheByteCount: Int
  /// As `Player.cacheBudget`.
  public let cacheBudget: Int

  init(_ core: PlayerCore, at host: HostTime) {
    status = core.status
    rate = core.clock.rate
    defaultRate = core.clock.defaultRate
    currentTime = core.currentTime(at: host)
    duration = core.item.duration.value
    displayedTiming = core.item.displayedTiming
    lateness = core.lateness(at: host)
    loopRange = core.clock.loop.range
    isSeeking = core.seeks.isUnderWay
    statistics = core.statistics(at: host)
    cacheByteCount = core.item.byteCount
    cacheBudget = core.cacheBudget
  }
}

extension Player {
  /// The state of the player, read at once: values that belong together, at the cost of one lock.
  ///
  /// The cached ranges are not included, because collecting them takes longer than everything else.
  public var snapshot: PlayerSnapshot { read { core, now in PlayerSnapshot(core, at: now) } }
}
