/// Questions to a clock, whoever sets it.
protocol ReadableClock {
  var timebase: Timebase { get }
  /// The requested rate.
  var rate: Double { get }
  /// True if every frame is delivered as it is taken, without a clock.
  var isUntimed: Bool { get }
  /// The frames that playback waits for; nil if for none.
  var buffering: TransportClock.Buffering? { get }
}

extension ReadableClock {
  var isRunning: Bool { timebase.isRunning }

  /// True if late frames count: the clock runs, or waits at the end for the last of them.
  var countsLateFrames: Bool { isRunning || buffering == .lastFrames }

  /// True if playback moves to later frames, as it always does without a clock.
  var goesOn: Bool { rate > 0 || (isUntimed && rate < 0) }

  func media(at host: HostTime) -> Int64 { timebase.media(at: host) }

  /// Returns when the clock shows `media`, not before it was anchored; nil while it is stopped.
  func due(_ media: Int64) -> HostTime? { timebase.host(for: media).map { max($0, timebase.anchorHost) } }
}

/// The clock as the item sees it at one moment: what paces playback, what is looped, and whether the viewer is on the way
/// elsewhere. The item goes by it and never changes it.
struct ClockView: ReadableClock {
  let timebase: Timebase
  let rate: Double
  /// The rate at which playback may continue.
  let defaultRate: Double
  let loop: TransportClock.Loop
  let actionAtItemEnd: ActionAtItemEnd
  let buffering: TransportClock.Buffering?
  let pacing: Pacing
  /// True if a seek is in flight or waits.
  let isSeeking: Bool
  /// True if steps wait for their frames.
  let isStepping: Bool

  var isUntimed: Bool { pacing == .outputs }

  init(_ clock: TransportClock, pacing: Pacing, seeks: SeekQueue) {
    timebase = clock.timebase
    rate = clock.rate
    defaultRate = clock.defaultRate
    loop = clock.loop
    actionAtItemEnd = clock.actionAtItemEnd
    buffering = clock.buffering
    self.pacing = pacing
    isSeeking = seeks.isUnderWay
    isStepping = seeks.pendingSteps != 0
  }
}
