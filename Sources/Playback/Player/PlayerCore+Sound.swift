/// The course of the clock, for its sound.
extension PlayerCore {
  /// - Parameter nextItem: the number of the item that follows at the end; nil if none is opened.
  /// - Returns: nil between two items: the sound is on its way already.
  func soundCourse(nextItem: Int?) -> SoundCourse? {
    if clock.hostAtEnd != nil, nextItem != nil { return nil }
    var course = SoundCourse(run: SoundRun(item: item.number, pass: item.passes.played), timebase: clock.timebase)
    guard course.isAudible else {
      course.grain = grains.current
      return course
    }
    let bounds = bounds
    course.end = bounds.end ?? item.duration.expectedEnd
    if let start = bounds.loopStart, clock.loop.hasTurnLeft, course.end.map({ start < $0 }) ?? true {
      course.continuation = .pass(from: start)
    } else if clock.actionAtItemEnd == .advance, let nextItem {
      course.continuation = .item(nextItem)
    }
    return course
  }

  /// Handles the end of the sound of an item that has nothing else: its duration is known to the sample then.
  mutating func didFindSoundEnd(_ media: Int64, at host: HostTime) {
    advance(to: host)
    clock.report(item.noteSoundEnd(media))
    updateClock(at: host)
    wake([.observers, .display])
  }

  /// See `Player.soundsWhileScrubbing`.
  mutating func setSoundsWhileScrubbing(_ isOn: Bool) { grains.isEnabled = isOn }

  /// Shifts the clock if it runs forward; see `PlaybackContext.correctClocks`.
  mutating func slew(by nanoseconds: HostTime, at host: HostTime) {
    guard clock.isRunning, clock.rate > 0 else { return }
    clock.slew(by: nanoseconds, at: host)
    wake(.display)
  }
}
