extension Player {
  // MARK: - Transport

  /// Plays at the default rate, as soon as there is a frame to show.
  public func play() { update { core, now in core.setRate(core.clock.defaultRate, at: now) } }

  /// Stops the clock where it is: sets `rate` to 0.
  public func pause() { update { core, now in core.setRate(0, at: now) } }

  /// The speeds that a player can play at, forwards and backwards.
  public static let rates = 0.05...16.0

  /// How fast to play: the wish, 0 while paused, below 0 backwards. Set values are brought into `rates`.
  public var rate: Double {
    get { read { core, _ in core.clock.rate } }
    set { update { core, now in core.setRate(Self.clamped(newValue), at: now) } }
  }

  /// The rate that `play()` uses; brought into `rates`, unless it is 0, below 0 or no number, which are ignored.
  public var defaultRate: Double {
    get { read { core, _ in core.clock.defaultRate } }
    set { if newValue > 0 { update { core, _ in core.setDefaultRate(Self.clamped(newValue)) } } }
  }

  private static func clamped(_ rate: Double) -> Double {
    if rate == 0 || rate.isNaN { return 0 }
    let speed = min(max(abs(rate), rates.lowerBound), rates.upperBound)
    return rate > 0 ? speed : -speed
  }

  /// Lets several players run in step: at `host` this one's clock shows `time`, running at `rate`.
  ///
  /// It is no seek: nothing is waited for, and frames that have not been decoded by then are dropped.
  ///
  /// - Parameters:
  ///   - rate: 0 stands; others are brought into `rates`.
  ///   - time: media time; nil keeps what the clock shows at `host`.
  ///   - host: nanoseconds of the context's clock, at best a little ahead.
  public func setRate(_ rate: Double, time: MediaTime?, atHostTime host: HostTime) {
    update { core, now in
      core.setRate(Self.clamped(rate), media: time?.nanoseconds, anchor: host, at: now)
    }
  }

  /// Whether the clock runs, and why not where it is to: the truth, where `rate` is the wish. An item that failed is paused.
  public var timeControlStatus: TimeControlStatus { read { core, _ in core.status } }

  /// What a viewer would call the present time, in media time: the target while a seek is under way.
  ///
  /// At least zero; at the end it is the item's end, where nothing is shown any more but the last frame.
  public func currentTime() -> MediaTime { read { core, now in core.currentTime(at: now) } }

  /// The context's clock now, in nanoseconds.
  public var hostTime: HostTime { clock.now }

  /// Length of the item, corrected once its end has been decoded; indefinite while not known.
  ///
  /// A file that is cut off keeps the length that it announces until playing has come to where its data ends; where that
  /// is may be told before, by `PlayerEvent.endedEarly`.
  public var duration: MediaTime { read { core, _ in core.itemDuration.value } }

  /// What follows the item's end; `.pause` at first. Stays when the item changes.
  public var actionAtItemEnd: ActionAtItemEnd {
    get { read { core, _ in core.clock.actionAtItemEnd } }
    set { update { core, now in core.setLoop(range: core.clock.loop.range, action: newValue, at: now) } }
  }

  /// Media time that is played over and over while set; the end may be +∞ for the item's end. Stays when the item changes.
  ///
  /// Playing that comes to its end goes on at its start; seeks may lead outside of it.
  public var loopRange: TimeRange? {
    get { read { core, _ in core.clock.loop.range } }
    set { update { core, now in core.setLoop(range: newValue, action: core.clock.actionAtItemEnd, at: now) } }
  }

  /// How often what loops is played, the first time counted; nil, as at first, for ever. At least 1.
  ///
  /// Then playing stands at the loop's end, or goes on with the next item where `actionAtItemEnd` is `.advance`; begun
  /// again, it is played as often once more. Stays when the item changes.
  public var loopLimit: Int? {
    get { read { core, _ in core.clock.loop.limit } }
    set { update { core, now in core.setLoopLimit(newValue.map { max(1, $0) }, at: now) } }
  }

  /// How often the loop has turned since it was set, or begun once more after its last time.
  public var loopCount: Int { read { core, _ in core.clock.loop.count } }

  /// Gives out every frame one after another, without a clock and dropping none: the next once all outputs with a request have
  /// taken the one before. Forwards, also where the rate is below 0. False again, the clock goes on from the frame that was taken last.
  public var isUntimed: Bool {
    get { read { core, _ in core.clock.isUntimed } }
    set { update { core, now in core.setUntimed(newValue, at: now) } }
  }
}
