extension Player {
  // MARK: - Transport

  /// Plays at the default rate, as soon as there is a frame to show.
  public func play() { update { core, now in core.setRate(core.clock.defaultRate, at: now) } }

  /// Stops the clock where it is, by setting `rate` to 0.
  public func pause() { update { core, now in core.setRate(0, at: now) } }

  /// The range of playback rates, in either direction.
  public static let rates = 0.05...16.0

  /// The requested rate: 0 while paused, negative for reverse playback. Values set are clamped to `rates`.
  public var rate: Double {
    get { read { core, _ in core.clock.rate } }
    set { update { core, now in core.setRate(Self.clamped(newValue), at: now) } }
  }

  /// The rate that `play()` uses. Values set are clamped to `rates`; 0, negative values and NaN are ignored.
  public var defaultRate: Double {
    get { read { core, _ in core.clock.defaultRate } }
    set { if newValue > 0 { update { core, _ in core.setDefaultRate(Self.clamped(newValue)) } } }
  }

  private static func clamped(_ rate: Double) -> Double {
    if rate == 0 || rate.isNaN { return 0 }
    let speed = min(max(abs(rate), rates.lowerBound), rates.upperBound)
    return rate > 0 ? speed : -speed
  }

  /// Synchronizes with other players: at `host`, this player's clock shows `time` and runs at `rate`.
  ///
  /// This is not a seek: nothing waits, and frames that are not decoded in time are dropped.
  ///
  /// - Parameters:
  ///   - rate: 0 pauses; other rates are clamped to `rates`.
  ///   - time: media time; nil keeps the clock's time at `host`.
  ///   - host: nanoseconds of the context's clock, preferably slightly in the future.
  public func setRate(_ rate: Double, time: MediaTime?, atHostTime host: HostTime) {
    update { core, now in
      core.setRate(Self.clamped(rate), media: time?.clockNanoseconds, anchor: host.withinReach, at: now)
    }
  }

  /// Shifts the clock by a few frames while it plays forward, to stay with another clip that has frames which this one lacks, or
  /// lacks some itself.
  ///
  /// Neither a seek nor a jump: nothing is decoded again. Shifted forward, frames are skipped; back, the displayed frame stays for
  /// longer.
  ///
  /// - Parameter time: media time, positive to go forward.
  package func shift(by time: MediaTime) {
    guard let nanoseconds = time.clockNanoseconds else { return }
    update { core, now in core.shift(by: nanoseconds, at: now) }
  }

  /// The actual state of the clock, with the reason if it waits. An item that failed is paused.
  public var timeControlStatus: TimeControlStatus { read { core, _ in core.status } }

  /// Returns the current media time as a viewer would name it: during a seek, its target.
  ///
  /// At least zero. At the end it is the item's end, although the last frame stays on display.
  public func currentTime() -> MediaTime { read { core, now in core.currentTime(at: now) } }

  /// The current time of the context's clock, in nanoseconds.
  public var hostTime: HostTime { clock.now }

  /// The item's duration, corrected once its end has been decoded; indefinite while unknown.
  ///
  /// A truncated file keeps its announced duration until playback reaches the end of its data; `PlayerEvent.endedEarly` may
  /// report that end earlier.
  public var duration: MediaTime { read { core, _ in core.item.duration.value } }

  /// The action at the item's end; initially `.pause`. Kept when the item changes.
  public var actionAtItemEnd: ActionAtItemEnd {
    get { read { core, _ in core.clock.actionAtItemEnd } }
    set { update { core, now in core.setLoop(range: core.clock.loop.range, action: newValue, at: now) } }
  }

  /// The range that is repeated, in media time; its end may be +∞ for the item's end. Kept when the item changes.
  ///
  /// Playback that reaches the end of the range continues at its start; seeks may leave it.
  public var loopRange: TimeRange? {
    get { read { core, _ in core.clock.loop.range } }
    set { update { core, now in core.setLoop(range: newValue, action: core.clock.actionAtItemEnd, at: now) } }
  }

  /// The number of times that a loop is played, at least 1; nil, the default, repeats forever.
  ///
  /// Afterwards, playback stops at the end of the loop, or continues with the next item if `actionAtItemEnd` is `.advance`.
  /// Starting it again plays it as many times again. Kept when the item changes.
  public var loopLimit: Int? {
    get { read { core, _ in core.clock.loop.limit } }
    set { update { core, now in core.setLoopLimit(newValue.map { max(1, $0) }, at: now) } }
  }

  /// The number of times that the loop has repeated since it was set, or restarted after its last pass.
  public var loopCount: Int { read { core, _ in core.clock.loop.count } }

  /// True to wait, once the data of a stream have run out, until playback is likely to keep up; false to go on with the next frame
  /// that arrives. True by default.
  public var automaticallyWaitsToMinimizeStalling: Bool {
    get { read { core, _ in core.waitsToMinimizeStalling } }
    set { update { core, now in core.setWaitsToMinimizeStalling(newValue, at: now) } }
  }

  /// True to deliver every frame without a clock and without drops: the next once all outputs with a request have taken the
  /// last. Always forwards. When set to false, the clock continues from the frame taken last.
  public var isUntimed: Bool {
    get { read { core, _ in core.clock.isUntimed } }
    set { update { core, now in core.setUntimed(newValue, at: now) } }
  }
}
