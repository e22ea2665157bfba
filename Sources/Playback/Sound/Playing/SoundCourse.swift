/// A run of consecutive media time: a pass of a loop, or an item.
struct SoundRun: Hashable, Sendable {
  /// The item's number.
  var item = 0
  /// The pass of a loop.
  var pass = 0

  /// The run as one number, by which samples are told apart.
  var timeline: Int { item << 24 | pass & 0xFF_FFFF }
}

/// The way of a player's clock, as far as its sound depends on it. Media times are nanoseconds of the item.
struct SoundCourse: Equatable, Sendable {
  /// The way after the end of a run.
  enum Continuation: Equatable, Sendable {
    case none
    /// The next pass of a loop begins at a time.
    case pass(from: Int64)
    /// An item that is opened already.
    case item(Int)
  }

  var run = SoundRun()
  var timebase = Timebase()
  /// The end of the run; nil while unknown.
  var end: Int64?
  var continuation = Continuation.none

  /// The rates at which sound is played.
  static let rates = TimeStretcher.speeds

  /// True if there is sound to hear: the clock runs forward at a moderate rate.
  var isAudible: Bool { Self.rates.contains(timebase.rate) }

  /// The run that follows, with the time at which it begins; nil if none does.
  var next: (run: SoundRun, start: Int64)? {
    switch continuation {
    case .none: nil
    case .pass(let start): (SoundRun(item: run.item, pass: run.pass + 1), start)
    case .item(let number): (SoundRun(item: number), 0)
    }
  }

  /// Returns the times, at a moment, of this course and of one that came before it, if it continues that one; nil if it goes
  /// elsewhere.
  func continues(_ former: SoundCourse, at host: HostTime) -> Bool {
    guard timebase.rate == former.timebase.rate else { return false }
    let media = timebase.media(at: host)
    if run == former.run { return abs(media - former.timebase.media(at: host)) <= Self.tolerance }
    guard let next = former.next, next.run == run, let end = former.end, let passed = former.timebase.host(for: end) else {
      return false
    }
    return abs(timebase.media(at: passed) - next.start) <= Self.tolerance
  }

  /// The largest difference between two clocks' times that are one course, in nanoseconds: corrections are smaller.
  static let tolerance: Int64 = 2_000_000
}
