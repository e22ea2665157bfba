import Playback
import Testing

@testable import Movies

@Suite(.timeLimit(.minutes(20))) struct SceneTimelineTests {
  @Test func eventsAreRetimedExactly() throws {
    let lengths = [
      MediaTime(value: 1001, timescale: 30000), MediaTime(value: 1, timescale: 44100),
      MediaTime(value: 7, timescale: 25),
    ]
    let tracks = lengths.enumerated().map { index, length in
      StoryboardTrack(
        name: "t\(index)", source: .clip("c"), length: length,
        events: [StoryboardEvent(.named("e"), at: .afterStart(MediaTime(value: 1, timescale: 90000)))])
    }
    let storyboard = Storyboard(title: "", scenes: [StoryboardScene(name: "s", tracks: tracks)])
    let timeline = try #require(SceneTimeline(storyboard, scene: 0))
    #expect(timeline.isExact)
    #expect(timeline.ranges.map(\.start) == [.zero, lengths[0], lengths[0] + lengths[1]])
    // 1001/30000 + 1/44100 + 1/90000 over their least common denominator.
    #expect(timeline.eventsByTrack[2][1].time == MediaTime(value: 147_296, timescale: 4_410_000))
    #expect(timeline.length == lengths[0] + lengths[1] + lengths[2] && !timeline.length.hasBeenRounded)
  }

  @Test func atEqualTimesTheOrderIsStartShowHideDecideAndNames() throws {
    let now = StoryboardEvent.Moment.afterStart(at(1))
    let kinds: [StoryboardEvent.Kind] = [
      .named("z"), .decision, .named("a"), .hideControls, .showControls, .start,
    ]
    let track = StoryboardTrack(
      name: "t", source: .clip("c"), length: at(1), events: kinds.map { StoryboardEvent($0, at: now) },
      choices: [StoryboardChoice(label: "x", target: .end)])
    let storyboard = Storyboard(title: "", scenes: [StoryboardScene(name: "s", tracks: [track, track])])
    let timeline = try #require(SceneTimeline(storyboard, scene: 0))
    let told = ["start", "show", "hide", "decide", "z", "a"]
    #expect(timeline.events.map { "\($0.kind)" } == told + told)
    #expect(timeline.events.map(\.time.seconds) == Array(repeating: 1, count: 6) + Array(repeating: 2, count: 6))
  }

  @Test func whatIsNotToldIsImplied() throws {
    let choice = StoryboardChoice(label: "x", target: .end)
    let tracks = [
      StoryboardTrack(name: "a", source: .clip("c"), length: at(2)),
      StoryboardTrack(name: "b", source: .clip("c"), length: at(2), choices: [choice]),
    ]
    let storyboard = Storyboard(title: "", scenes: [StoryboardScene(name: "s", tracks: tracks)])
    let timeline = try #require(SceneTimeline(storyboard, scene: 0))
    #expect(timeline.eventsByTrack[0].map { "\($0.kind)@\($0.time.seconds)" } == ["start@0.0"])
    #expect(
      timeline.eventsByTrack[1].map { "\($0.kind)@\($0.time.seconds)" } == ["start@2.0", "show@2.0", "decide@4.0"])
  }

  @Test func aLengthThatIsNotKnownIsFoundOut() throws {
    let tracks = """
      - track: a
        clip: a.mkv
        in: 1
        events: {late: -1, early: 5}
      - track: b
        clip: b.mkv
        length: 2
      """
    var storyboard = try OneScene.storyboard(tracks)
    let first = Storyboard.TrackID(scene: 0, track: 0)
    #expect(storyboard.tracksWithoutLength == [first])
    #expect(SceneTimeline(storyboard, scene: 0) == nil)
    #expect(throws: StoryboardFailure.self) { try StoryboardRun(storyboard) }
    storyboard.resolve(lengths: [first: at(8), Storyboard.TrackID(scene: 0, track: 1): at(100)])
    let timeline = try #require(SceneTimeline(storyboard, scene: 0))
    #expect(
      timeline.events.map { "\($0.kind)@\($0.time.seconds)" } == ["start@0.0", "early@5.0", "late@7.0", "start@8.0"])
    #expect(timeline.length == at(10))
    var short = try OneScene.storyboard(tracks)
    short.resolve(lengths: [first: at(3)])
    #expect(
      short.problems().map(\.message) == [
        "track \"a\": early: 0:05.000 is outside the track, which is 0:03.000 long"
      ])
  }
}
