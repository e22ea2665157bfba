import TestSupport
import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct SubtitleTimelineTests {
  private static func time(_ tenths: Int) -> MediaTime { MediaTime(value: Int64(tenths), timescale: 10) }

  private static func cue(_ start: Int, _ end: Int?, _ text: String = "x") -> SubtitleCue {
    SubtitleCue(
      timeRange: TimeRange(start: time(start), end: end.map(time) ?? .positiveInfinity),
      lines: [SubtitleLine([SubtitleSpan(text)])])
  }

  @Test func rangesAreHalfOpen() {
    let timeline = SubtitleTimeline([Self.cue(10, 20, "a"), Self.cue(20, 30, "b")])
    #expect(timeline.cues(at: Self.time(9)).isEmpty)
    #expect(timeline.cues(at: Self.time(10)).map(\.text) == ["a"])
    #expect(timeline.cues(at: Self.time(20)).map(\.text) == ["b"])
    #expect(timeline.cues(at: Self.time(30)).isEmpty)
    #expect(timeline.cues(at: .invalid).isEmpty && timeline.cues(at: .positiveInfinity).isEmpty)
  }

  @Test func whatBeganLongBeforeIsThere() {
    var cues = [Self.cue(0, 100_000, "long")]
    cues += (1..<2000).map { Self.cue(10 * $0, 10 * $0 + 5, "\($0)") }
    let timeline = SubtitleTimeline(cues)
    #expect(timeline.cues(at: Self.time(19_990)).map(\.text) == ["long", "1999"])
    #expect(timeline.cues(at: Self.time(90_000)).map(\.text) == ["long"])
  }

  @Test func nothingThatLastsForNoTimeIsKept() {
    let timeline = SubtitleTimeline([
      Self.cue(10, 10), SubtitleCue(timeRange: .invalid, lines: []), Self.cue(10, 12), Self.cue(10, 12),
    ])
    #expect(timeline.cues.count == 1)
  }

  /// As what is set in type with borders, gradients and glows: several of them, each with its colour and place.
  @Test func whatSaysTheSameAllTheWhileIsOne() {
    var style = SubtitleStyle(), placement = SubtitlePlacement()
    style.color = .init(red: 255, green: 0, blue: 0)
    placement.height = .fraction(0.3)
    let range = Self.cue(10, 20).timeRange
    let red = SubtitleCue(timeRange: range, lines: [SubtitleLine([SubtitleSpan("Title", style)])])
    let lower = SubtitleCue(timeRange: range, lines: [SubtitleLine([SubtitleSpan("Title")])], placement: placement)
    let timeline = SubtitleTimeline([Self.cue(10, 20, "Title"), red, lower, Self.cue(10, 21, "Title"), Self.cue(10, 20, "other")])
    #expect(timeline.cues.map(\.text) == ["Title", "Title", "other"] && timeline.cues(at: Self.time(20)).map(\.text) == ["Title"])
  }

  @Test func whatHasNoEndGoesWithWhatComes() {
    var timeline = SubtitleTimeline([Self.cue(10, nil, "a"), Self.cue(10, 15, "b")])
    #expect(timeline.cues(at: Self.time(9999)).map(\.text) == ["a"])
    timeline.end(.endless, at: Self.time(10))
    #expect(timeline.cues(at: Self.time(9999)).map(\.text) == ["a"])
    timeline.end(.endless, at: Self.time(20))
    #expect(timeline.cues(at: Self.time(20)).isEmpty && timeline.cues(at: Self.time(19)).map(\.text) == ["a"])
  }

  @Test func aPageTakesAllAway() {
    var timeline = SubtitleTimeline([Self.cue(5, 8, "past"), Self.cue(6, 40, "lasting"), Self.cue(10, nil, "endless"), Self.cue(20, 30, "new")])
    timeline.end(.all, at: Self.time(20))
    #expect(timeline.cues.map(\.timeRange.end) == [8, 20, 20, 30].map(Self.time))
    #expect(timeline.cues(at: Self.time(20)).map(\.text) == ["new"] && timeline.cues(at: Self.time(19)).count == 2)
  }

  /// As a file of them is read, in order or not.
  @Test func manyAreAddedQuickly() {
    let count = 100_000
    let cues = (0..<count).map { Self.cue($0, $0 + 15, "\($0)") }
    let duration = ContinuousClock().measure {
      var timeline = SubtitleTimeline()
      for cue in cues { timeline.insert(cue) }
      #expect(timeline.cues.count == count && SubtitleTimeline(cues.reversed()) == timeline)
    }
    // Copying all for each would take minutes.
    #expect(duration < .seconds(10), "\(duration)")
  }

  /// A hostile file may have any number of them at once.
  @Test func crowdsAreBounded() {
    let most = SubtitleTimeline.maxTogether
    let together = SubtitleTimeline((0..<20_000).map { Self.cue(10, 20, "\($0)") })
    #expect(together.cues.count == most && together.cues(at: Self.time(15)).map(\.text) == (0..<most).map { "\($0)" })
    let lasting = SubtitleTimeline((0..<2000).map { Self.cue($0, 9000, "\($0)") })
    #expect(lasting.cues.count == 2000 && lasting.cues(at: Self.time(8000)).map(\.text) == (2000 - most..<2000).map { "\($0)" })
    var open = SubtitleTimeline()
    for number in 0..<20_000 {
      open.end(.endless, at: Self.time(number))
      open.insert(Self.cue(number, nil, "\(number)"))
    }
    #expect(open.cues(at: Self.time(5)).map(\.text) == ["5"] && open.cues(at: Self.time(30_000)).map(\.text) == ["19999"])
  }

  @Test(arguments: TestSeeds.first(40))
  func sameAsLookingAtAll(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let cues = (0..<Int.random(in: 1...60, using: &random)).map { number in
      let start = Int.random(in: 0...80, using: &random)
      let isLong = Int.random(in: 0..<5, using: &random) == 0
      return Self.cue(start, start + Int.random(in: 0...(isLong ? 80 : 6), using: &random), "\(number)")
    }
    let timeline = SubtitleTimeline(cues)
    func texts(_ time: MediaTime) -> Set<String> {
      Set(cues.filter { $0.timeRange.start <= time && time < $0.timeRange.end }.map(\.text))
    }
    let times = cues.flatMap { [$0.timeRange.start, $0.timeRange.end] }.sorted()
    for tenths in -1...170 {
      let time = Self.time(tenths)
      #expect(Set(timeline.cues(at: time).map(\.text)) == texts(time))
      let change = timeline.nextChange(after: time)
      // It is one of the times at which something begins or ends, and none before it changes anything.
      let expected = times.first { $0 > time && texts($0) != texts(time) }
      if let expected { #expect(change.map { $0 <= expected } == true) }
      if let change { #expect(change > time && times.contains(change)) }
    }
  }
}
