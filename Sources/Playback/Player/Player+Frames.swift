
extension Player {
  // MARK: - Frames

  /// The timing of the displayed frame, with its number as far as it is known; nil before the first frame.
  ///
  /// This is the frame that outputs currently return. During a seek, it differs from the frame at `currentTime()`.
  public var displayedTiming: FrameTiming? {
    read { core, _ in core.item.displayedTiming }
  }

  /// The ranges that are cached as rendered frames, sorted and disjoint.
  public var cachedTimeRanges: [TimeRange] { read { core, _ in core.item.loadedRanges } }

  /// Memory limit in bytes for cached frames, and with what they leave, for decoders retained after scrubbing.
  ///
  /// Initially `defaultCacheBudget`. Without cached frames, each step back and each change of direction decodes from a
  /// keyframe. With 0, frames are cached only during reverse playback, which then uses 32 MiB, or three frames if that is
  /// more.
  public var cacheBudget: Int {
    get { read { core, _ in core.cacheBudget } }
    set { update { core, _ in core.setCacheBudget(max(0, newValue)) } }
  }

  /// The `cacheBudget` of a new player: 256 MiB, or an eighth of the machine's memory if that is less. It holds 100 frames
  /// of 1280×720, and thousands at the size of a terminal.
  public static let defaultCacheBudget: Int = {
    let memory = SystemResources.memory
    return memory > 0 ? min(256 << 20, memory / 8) : 256 << 20
  }()

  /// Current memory use in bytes of cached frames, without those waiting to be displayed, and of decoders retained after
  /// scrubbing.
  public var cacheByteCount: Int { read { core, _ in core.item.byteCount } }

  /// Counters since the item was set.
  public var statistics: PlayerStatistics { read { core, now in core.statistics(at: now) } }

  /// Counters of all items since the player was created.
  public var totalStatistics: PlayerStatistics {
    read { core, now in
      var total = core.formerStatistics
      total.add(core.statistics(at: now))
      return total
    }
  }
}
