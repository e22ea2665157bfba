
extension Player {
  // MARK: - Frames

  /// When the frame on display is shown, with its number as far as it is known; nil before the first one.
  ///
  /// That is the frame that outputs give at present, not that of `currentTime()` while a seek is under way.
  public var displayedTiming: FrameTiming? {
    read { core, _ in core.presentation.displayed.map { core.timeline?.numbered($0.timing) ?? $0.timing } }
  }

  /// What is in memory, in frames that outputs can give at once: sorted, not touching each other.
  public var loadedTimeRanges: [TimeRange] { read { core, _ in core.loadedRanges } }

  /// Bytes of frames that may be kept for going back and forth, and of decoders that wait where a moving target has
  /// left them, as far as frames leave room; `defaultCacheBudget` at first.
  ///
  /// Each step back and each turn of the direction is decoded from a keyframe unless frames are cached: with 0 none are
  /// but while playing backwards, which takes 32 MiB then, or three frames where those are more.
  public var cacheBudget: Int {
    get { read { core, _ in core.cache.budget } }
    set { update { core, _ in core.setCacheBudget(max(0, newValue)) } }
  }

  /// `cacheBudget` of a new player: 256 MiB, or an eighth of the machine's memory where that is less. It holds 100
  /// frames of 1280×720, and thousands of the size of a terminal.
  public static let defaultCacheBudget: Int = {
    let memory = SystemResources.memory
    return memory > 0 ? min(256 << 20, memory / 8) : 256 << 20
  }()

  /// Bytes of frames that are kept now, without those that wait to be displayed, and of the decoders that wait where
  /// a moving target has left them.
  public var cacheByteCount: Int { read { core, _ in core.cache.byteCount + core.lane.retainedBytes } }

  /// What was counted since the item was set.
  public var statistics: PlayerStatistics {
    read { core, now in
      var statistics = core.statistics
      statistics.notePlayed(core.clock.playedNanoseconds(at: now))
      return statistics
    }
  }
}
