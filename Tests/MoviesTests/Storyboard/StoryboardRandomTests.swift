import Playback
import TestSupport
import Testing

@testable import Movies

/// Random storyboards, played in random steps.
@Suite(.timeLimit(.minutes(20))) struct StoryboardRandomTests {
  /// A storyboard without problems: every track has events at random times, and many have choices and rules.
  private func storyboard(_ generator: inout SplitMix64) throws -> Storyboard {
    var scenes: [StoryboardScene] = []
    let counts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in Int.random(in: 1...6, using: &generator) }
    func target(_ scene: Int) -> StoryboardTarget {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: return .end
      case 1, 2, 3: return .next
      case 4: return .back
      case 5: return .named("s\(Int.random(in: 0..<counts.count, using: &generator))")
      default: return .named("t\(Int.random(in: 0..<counts[scene], using: &generator))")
      }
    }
    for (scene, count) in counts.enumerated() {
      let tracks = try (0..<count).map { track in
        let scale = [25, 30000, 44100, 1000].randomElement(using: &generator) ?? 25
        let ticks = Int64.random(in: 1...Int64(scale) * 3, using: &generator)
        let length = MediaTime(value: ticks, timescale: Int32(scale))
        func time() -> StoryboardEvent.Moment {
          .afterStart(MediaTime(value: Int64.random(in: 0...ticks, using: &generator), timescale: Int32(scale)))
        }
        var events = (0..<Int.random(in: 0...6, using: &generator)).map {
          StoryboardEvent(.named("e\($0)"), at: time())
        }
        var choices: [StoryboardChoice] = []
        var rules: [StoryboardRule] = []
        if Bool.random(using: &generator) {
          for choice in 0..<Int.random(in: 1...4, using: &generator) {
            choices.append(
              StoryboardChoice(
                label: "c\(choice)", target: target(scene),
                condition: Bool.random(using: &generator) ? try StoryExpression("n < 5 or chance(0.5)") : nil,
                effects: [try StoryAssignment("n += \(choice)")], score: StoryNumber(choice)))
          }
          events += [StoryboardEvent(.hideControls, at: time())]
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
          rules = [StoryboardRule(condition: try StoryExpression("chance(0.3) or chosen == 1"), target: target(scene))]
        }
        return StoryboardTrack(
          name: "t\(track)", kind: StoryboardTrack.Kind.allCases.randomElement(using: &generator) ?? .plain,
          source: .clip("c"), length: length, events: events, choices: choices, rules: rules,
          otherwise: choices.isEmpty && rules.isEmpty ? nil : target(scene),
          then: Bool.random(using: &generator) ? target(scene) : nil)
      }
      scenes.append(StoryboardScene(name: "s\(scene)", tracks: tracks))
    }
    return Storyboard(
      title: "random", seed: generator.next(),
      variables: [StoryboardVariable(name: "n", initial: .number(StoryNumber(0)))], scenes: scenes)
  }

  private func step(_ generator: inout SplitMix64) -> MediaTime {
    let rates = [0.5, 1, 1.25, 2, 4]
    return MediaTime(value: Int64.random(in: 0...90_000, using: &generator), timescale: 90_000)
      * (rates.randomElement(using: &generator) ?? 1)
  }

  /// Returns the events that a track has to report when it is played from its start until it is left.
  private func expected(_ run: StoryboardRun, _ track: Storyboard.TrackID, until left: MediaTime) -> [SceneTimeline
    .Event]
  {
    run.timelines[track.scene].eventsByTrack[track.track].filter { $0.trackTime <= left }
  }

  @Test(arguments: TestSeeds.first(60)) func noEventIsLostOrToldTwice(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let storyboard = try storyboard(&generator)
    #expect(storyboard.problems().filter { $0.severity == .error } == [])
    var run = try StoryboardRun(storyboard)
    var told: [SceneTimeline.Event] = []
    var visits = 0
    func check(_ effects: [StoryboardEffect]) {
      for effect in effects {
        switch effect {
        case .event(let event): told.append(event)
        case .go(let departure):
          if let from = departure.from, let leftAt = departure.leftAt {
            #expect(told == expected(run, from, until: leftAt - run.range(from).start))
          }
          visits += 1
          told = []
        default: break
        }
      }
    }
    check(run.begin())
    while !run.hasEnded, visits < 60 {
      if let controls = run.controls, Bool.random(using: &generator) {
        _ = run.choose(controls.choices.randomElement(using: &generator)?.number ?? 1)
      }
      check(run.advance(by: step(&generator)))
      if let place = run.place { #expect(told == expected(run, place.track, until: place.trackTime)) }
    }
  }

  @Test(arguments: TestSeeds.first(15, and: [1371, 1432])) func backwardsSeeksAndStepsBackTellNone(seed: UInt64) throws
  {
    var generator = SplitMix64(seed: seed)
    let storyboard = try storyboard(&generator)
    var run = try StoryboardRun(storyboard)
    _ = run.begin()
    for _ in 0..<150 {
      let effects: [StoryboardEffect]
      var mayTell = false
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: effects = run.advance(by: .zero - step(&generator))
      case 1: effects = run.seek(to: step(&generator))
      case 2: effects = run.stepBack()
      case 3: effects = run.choose(Int.random(in: 1...4, using: &generator))
      default:
        mayTell = true
        effects = run.advance(by: step(&generator))
      }
      #expect(mayTell || !effects.contains { $0.event != nil })
      let visible = effects.reduce(into: nil as Bool?) { visible, effect in
        if case .showControls = effect { visible = true }
        if case .hideControls = effect { visible = false }
      }
      if let visible, !run.hasEnded { #expect(visible == (run.controls != nil)) }
      let again = try StoryboardRun(storyboard, resuming: try StoryboardRun.Saved(text: run.saved.text, name: "run"))
      #expect(again.standing == run.standing && again.history == run.history && again.place == run.place)
    }
  }

  @Test(arguments: TestSeeds.first(60)) func whatIsSteppedBackIsAsItWas(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var run = try StoryboardRun(try storyboard(&generator))
    _ = run.begin()
    var before: [(standing: StoryboardRun.Standing, count: Int)] = []
    for _ in 0..<80 where !run.hasEnded {
      if let controls = run.controls, controls.chosen == nil {
        _ = run.choose(controls.choices.randomElement(using: &generator)?.number ?? 1)
      }
      let standing = run.standing
      let count = run.history.count
      let step = MediaTime(value: 1, timescale: 500)
      _ = run.advance(by: step)
      // What rules alone decide is no place to go back to.
      if run.history.count > count, run.hasControls(run.history[count].track) { before.append((standing, count)) }
    }
    while let last = before.popLast() {
      #expect(!run.stepBack().isEmpty)
      #expect(run.standing == last.standing && run.history.count == last.count)
    }
    #expect(run.stepBack().isEmpty)
  }
}
