import Sound
import TestSupport
import Testing

@testable import Playback

/// What a change of the clock's course means for samples that are on their way.
@Suite(.timeLimit(.minutes(20))) struct SoundFollowerTests {
  private let second: Int64 = 1_000_000_000

  /// The course of a clock that shows a time, in seconds, at a moment.
  private func course(
    _ run: SoundRun = SoundRun(item: 1), at media: Double, host: Double = 0, rate: Double = 1, end: Double? = 10,
    then continuation: SoundCourse.Continuation = .none
  ) -> SoundCourse {
    var timebase = Timebase()
    timebase.set(media: Int64(media * 1e9), host: Int64(host * 1e9), rate: rate)
    return SoundCourse(run: run, timebase: timebase, end: end.map { Int64($0 * 1e9) }, continuation: continuation)
  }

  private func kind(_ action: SoundFollower.Action) -> String {
    switch action {
    case .none: "none"
    case .goOn: "go on"
    case .resume: "resume"
    case .stop: "stop"
    case .restart: "restart"
    case .grain: "grain"
    }
  }

  @Test func aStartIsRenderedFromItsTime() {
    var follower = SoundFollower()
    #expect(follower.follow(course(at: 2, rate: 0), at: 0) == .none)
    let action = follower.follow(course(at: 2, host: 3), at: 3 * second)
    #expect(action == .restart(SoundPlacement(media: 2 * second, host: 3 * second, rate: 1, timeline: SoundRun(item: 1).timeline)))
  }

  /// Corrections and another end change nothing; jumps do.
  @Test(arguments: [
    (media: 3.0, "go on"), (3.0004, "go on"), (3.0019, "go on"), (3.04, "restart"), (2.99, "restart"), (0.0, "restart"),
  ]) func theSameRun(media: Double, expected: String) {
    var follower = SoundFollower()
    _ = follower.follow(course(at: 2), at: 0)
    #expect(kind(follower.follow(course(at: media, host: 1, end: 9), at: second)) == expected)
  }

  @Test func anotherRateIsRenderedAnew() {
    var follower = SoundFollower()
    _ = follower.follow(course(at: 2), at: 0)
    #expect(kind(follower.follow(course(at: 3, host: 1, rate: 1.5), at: second)) == "restart")
    #expect(kind(follower.follow(course(at: 4.5, host: 2, rate: 5), at: 2 * second)) == "stop")
    #expect(follower.follow(course(at: 9.5, host: 3, rate: -1), at: 3 * second) == .none)
    #expect(kind(follower.follow(course(at: 8.5, host: 4), at: 4 * second)) == "restart")
  }

  /// A pause keeps the samples, for as long as the clock goes on from there.
  @Test(arguments: [(media: 3.0, rate: 1.0, "resume"), (3.04, 1, "restart"), (3, 2, "restart")])
  func pauses(media: Double, rate: Double, expected: String) {
    var follower = SoundFollower()
    _ = follower.follow(course(at: 2), at: 0)
    #expect(follower.follow(course(at: 3, host: 1, rate: 0), at: second) == .stop)
    #expect(follower.follow(course(at: 3, host: 1, rate: 0), at: 2 * second) == .none)
    #expect(kind(follower.follow(course(at: media, host: 7, rate: rate), at: 7 * second)) == expected)
  }

  /// A grain is heard once, and what played before is rendered anew.
  @Test func grainsOfSteps() {
    var follower = SoundFollower()
    var rest = course(at: 3, host: 1, rate: 0)
    _ = follower.follow(course(at: 2), at: 0)
    #expect(follower.follow(rest, at: second) == .stop)
    rest.grain = .init(start: 3 * second, number: 1)
    let grain = course(at: 3, host: 2, end: 3.06)
    #expect(follower.follow(rest, at: 2 * second) == .grain(grain))
    #expect(follower.follow(rest, at: 2_010_000_000) == .none)
    rest.grain?.number = 2
    #expect(kind(follower.follow(rest, at: 2_020_000_000)) == "grain", "the same place again")
    rest.grain = nil
    #expect(follower.follow(rest, at: 2_030_000_000) == .none)
    #expect(kind(follower.follow(course(at: 3, host: 3), at: 3 * second)) == "restart")
  }

  /// The next pass of a loop, and the next item, are where the samples lead already.
  @Test func whatWasForeseenGoesOn() {
    var follower = SoundFollower()
    let (first, second, third) = (SoundRun(item: 1), SoundRun(item: 1, pass: 1), SoundRun(item: 2))
    _ = follower.follow(course(first, at: 2, end: 4, then: .pass(from: 1_000_000_000)), at: 0)
    // Noticed 5 ms late, and anchored where it turned.
    #expect(kind(follower.follow(course(second, at: 1, host: 2, end: 4, then: .item(2)), at: 2_005_000_000)) == "go on")
    #expect(kind(follower.follow(course(third, at: 0, host: 5), at: 5_001_000_000)) == "go on")
    // Another item, or one that was to come later.
    #expect(kind(follower.follow(course(SoundRun(item: 3), at: 0, host: 6), at: 6_000_000_000)) == "restart")
  }

  @Test func aTurnElsewhereIsRenderedAnew() {
    var follower = SoundFollower()
    _ = follower.follow(course(at: 2, end: 4, then: .pass(from: second)), at: 0)
    #expect(kind(follower.follow(course(SoundRun(item: 1, pass: 1), at: 2, host: 2, end: 4), at: 2 * second)) == "restart")
  }

  /// Another track or format: what is heard is rendered again; what rests is when it starts.
  @Test func samplesCanBeForgotten() {
    var follower = SoundFollower()
    #expect(follower.begin(at: 0) == .none)
    _ = follower.follow(course(at: 2), at: 0)
    #expect(kind(follower.begin(at: second)) == "restart")
    _ = follower.follow(course(at: 4, host: 2, rate: 0), at: 2 * second)
    #expect(follower.begin(at: 3 * second) == .none)
    #expect(kind(follower.follow(course(at: 4, host: 4), at: 4 * second)) == "restart")
  }
}
