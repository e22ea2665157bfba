import Sound

/// Decides what a change of a player's course means for the samples that are on their way.
struct SoundFollower {
  /// The course that samples are rendered for; nil if there are none.
  private(set) var course: SoundCourse?
  /// The run and time at which the sound stopped; nil while it is heard.
  private var rest: Rest?
  /// The number of the grain heard last.
  private var grainNumber = 0

  private struct Rest: Equatable {
    let run: SoundRun
    let rate: Double
    let media: Int64

    func isNear(_ other: Rest) -> Bool {
      run == other.run && rate == other.rate && abs(media - other.media) <= SoundCourse.tolerance
    }
  }

  enum Action: Equatable {
    case none
    /// Samples stay where they are; the renderer takes over the course, which may end elsewhere.
    case goOn(SoundPlacement)
    /// Samples that are there already are heard again.
    case resume(SoundPlacement)
    /// The sound stops; its samples are kept.
    case stop
    /// Samples are rendered anew.
    case restart(SoundPlacement)
    /// A grain is heard at once; other samples are dropped.
    case grain(SoundCourse)
  }

  mutating func follow(_ new: SoundCourse, at host: HostTime) -> Action {
    guard new.isAudible else {
      if let number = new.grain?.number, number > grainNumber, let grain = new.grainCourse(at: host) {
        grainNumber = number
        // The next start finds no samples.
        (course, rest) = (nil, nil)
        return .grain(grain)
      }
      guard let course, rest == nil else { return .none }
      rest = Rest(run: course.run, rate: course.timebase.rate, media: course.timebase.media(at: new.timebase.anchorHost))
      return .stop
    }
    let placement = SoundPlacement(
      media: new.timebase.anchorMedia, host: new.timebase.anchorHost, rate: new.timebase.rate, timeline: new.run.timeline)
    let former = course
    course = new
    if let rest {
      self.rest = nil
      let now = Rest(run: new.run, rate: new.timebase.rate, media: new.timebase.anchorMedia)
      return former != nil && rest.isNear(now) ? .resume(placement) : .restart(placement)
    }
    guard let former, new.continues(former, at: host) else { return .restart(placement) }
    return .goOn(placement)
  }

  /// Forgets the samples, which are to be rendered anew. Returns what to do.
  mutating func begin(at host: HostTime) -> Action {
    guard let course, rest == nil else {
      // The next start finds no samples.
      self.course = nil
      rest = nil
      return .none
    }
    self.course = nil
    return follow(course, at: host)
  }
}
