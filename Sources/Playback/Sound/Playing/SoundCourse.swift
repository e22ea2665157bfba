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
  /// A short piece to be heard while the clock rests; nil for none.
  var grain: Grain?

  /// A short piece of sound, as heard when stepping.
  struct Grain: Equatable, Sendable {
    /// The time at which it begins.
    var start: Int64
    /// Tells grains of the same place apart.
    var number: Int

    /// The length of a grain in nanoseconds of media.
    static let length: Int64 = 60_000_000
  }

  /// The rates at which sound is played.
  static let rates = TimeStretcher.speeds

  /// True if there is sound to hear: the clock runs forward at a moderate rate.
  var isAudible: Bool { Self.rates.contains(timebase.rate) }

  /// The course of a grain, from a moment on; nil if none is to be heard.
  func grainCourse(at host: HostTime) -> SoundCourse? {
    guard let grain, !isAudible else { return nil }
    var course = SoundCourse(run: run)
    course.timebase.set(media: grain.start, host: host, rate: 1)
    course.end = grain.start.saturatingAdd(Grain.length)
    return course
  }

  /// The same place, where nothing is played.
  var silent: SoundCourse {
    var course = self
    course.grain = nil
    course.timebase.set(media: timebase.anchorMedia, host: timebase.anchorHost, rate: 0)
    return course
  }

  /// The run that follows, with the time at which it begins; nil if none does.
  var next: (run: SoundRun, start: Int64)? { next(after: run) }

  /// Returns the run that follows one of this course's runs, with the time at which it begins; nil if none does.
  func next(after run: SoundRun) -> (run: SoundRun, start: Int64)? {
    switch continuation {
    case .none: nil
    // A loop without length is not repeated.
    case .pass(let start): start < end ?? .max ? (SoundRun(item: run.item, pass: run.pass + 1), start) : nil
    case .item(let number): run.item == number ? nil : (SoundRun(item: number), 0)
    }
  }

  /// Returns true if this course goes on where one that came before it leads, as seen at a moment.
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
