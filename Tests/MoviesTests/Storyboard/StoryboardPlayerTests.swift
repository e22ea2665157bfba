import Playback
import TestSupport
import Testing

@testable import Movies

/// Storyboards in a player, by a hand-moved clock.
@Suite(.timeLimit(.minutes(20))) struct StoryboardPlayerTests {
  /// The way that a trace tells, with the same choices.
  private func trace(_ choices: String...) throws -> [String] {
    try StoryboardTrace(try Lighthouse.storyboard(), choices: choices).lines
  }

  private func stage(
    _ choices: String..., rate: Double = 1, jumps: StoryboardPlayer.Jumps = .exact, progressPerFrame: Int = 0
  ) throws -> StoryStage {
    let stage = try StoryStage(
      try Lighthouse.storyboard(), choices: choices, jumps: jumps, progressPerFrame: progressPerFrame)
    stage.begin(rate: rate)
    return stage
  }

  @Test(arguments: [0.5, 1, 1.7, 2, 4])
  func whatIsPlayedIsWhatTheTraceTells(rate: Double) throws {
    let stage = try stage("c", "a", "a", rate: rate)
    stage.run(seconds: 40 / rate)
    #expect(try stage.story.trace == trace("c", "a", "a"))
    #expect(stage.player.timeControlStatus == .paused && stage.story.run.hasEnded)
    #expect(stage.player.statistics.dropped == 0)
  }

  /// Events come when their frame is due, not before and not after.
  @Test(arguments: [0.5, 1, 4])
  func eventsComeAtTheirTimes(rate: Double) throws {
    let stage = try stage(rate: rate)
    let begin = stage.clock.now
    for (seconds, count) in [(0.999, 1), (1, 2), (3.999, 2), (4, 3), (7, 4), (7.999, 4), (8, 6)] {
      stage.run(until: begin + HostTime(seconds / rate * 1e9) + 1)
      #expect(stage.events.filter { $0.track == Storyboard.TrackID(scene: 0, track: 0) }.count == count, "at \(seconds)")
    }
  }

  /// The bus comes for each of them, though no frame does then: here 20 ms behind one.
  @Test func eventsBetweenFramesComeAtTheirTimes() throws {
    let text = Lighthouse.text.replacing("gull: [0:01, 0:08]", with: "gull: [1.02, 2.03]").replacing("show: 0:04", with: "show: 3.01")
    let stage = try StoryStage(try StoryboardFile(text: text, name: "s").storyboard)
    stage.begin()
    let begin = stage.clock.now
    for (milliseconds, count) in [(1_019, 1), (1_020, 2), (2_029, 2), (2_030, 3), (3_009, 3), (3_010, 4)] as [(HostTime, Int)] {
      stage.run(until: begin + milliseconds * 1_000_000 + 1)
      #expect(stage.events.count == count, "at \(milliseconds) ms")
    }
  }

  @Test(arguments: [0, 3]) func jointsAreExact(progressPerFrame: Int) throws {
    let stage = try stage("c", "a", "a", progressPerFrame: progressPerFrame)
    stage.stepNanoseconds = 4_000_000
    stage.run(seconds: 31)
    #expect(stage.stretches == ["0:0-199", "0:375-449", "0:0-374", "0:513-513", "1:0-99"])
    // The door is 1001/30000 s long; behind it frames come at other times.
    let begin = stage.shown[0].host
    for (i, frame) in stage.shown.prefix(200 + 75 + 375).enumerated() {
      let late = frame.host - begin - HostTime(i) * 40_000_000
      #expect((-10_000_000...20_000_000).contains(late), "frame \(i), \(frame), is late by \(late) ns")
    }
    #expect(stage.player.statistics.dropped == 0)
  }

  /// Pieces of a clip with numbered frames, whose keyframes are far from where the pieces begin.
  private static func numbered(width: Int, height: Int) throws -> String {
    try SampleMedia.clip(
      name: width == 160 ? "story.mkv" : "story-\(width).mkv",
      arguments: SampleMedia.numbered(width: width, height: height, rate: "25", seconds: 12) + [
        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-threads", "1", "-pix_fmt", "yuv420p", "-g", "60",
      ])
  }

  @Test(arguments: [(160, 90), (1920, 1080)]) func jointsOfRealClipsAreExact(width: Int, height: Int) throws {
    let clip = try Self.numbered(width: width, height: height)
    let text = """
      quadrille: storyboard 1
      scenes:
        - scene: One
          tracks:
            - prologue: ask
              clip: \(clip)
              in: 1
              length: 2
              decide: 1.6
              choices: [{label: right, is: right}, {label: wrong, is: wrong}, {label: on, to: Two}]
            - winning: won
              clip: \(clip)
              in: 7.4
              length: 1
              then: back
            - losing: lost
              clip: \(clip)
              in: 9
              length: 0.8
        - scene: Two
          tracks:
            - track: last
              clip: \(clip)
              in: 5
              length: 1
      """
    let storyboard = try StoryboardFile(text: text, name: "story").storyboard
    let stage = try StoryStage(
      storyboard, choices: ["b", "a", "c"], clips: StoryboardClips(storyboardAt: "story.yaml"))
    stage.begin()
    stage.run(seconds: 12)
    #expect(stage.stretches == ["0:25-64", "0:225-244", "0:25-74", "0:185-209", "0:25-64", "1:125-149"])
    for (a, b) in zip(stage.shown, stage.shown.dropFirst()) { #expect(abs(b.host - a.host - 40_000_000) <= 1, "\(a) \(b)") }
    #expect(try stage.story.trace == StoryboardTrace(storyboard, choices: ["b", "a", "c"]).lines)
  }

  /// By a clock that goes on by 4 ms for each step of work, frames of 1080p; a group before a track's first frame is 25 to 50 of them.
  @Test(arguments: [(1, ["0:25-74"]), (2, ["0:25-64", "0:225-234"]), (3, ["0:25-64", "0:125-134"])])
  func aDecisionShortBeforeItsPointIsSeamlessWithRealClips(choice: Int, expected: [String]) throws {
    let clip = try Self.numbered(width: 1920, height: 1080)
    let storyboard = try OneScene.threeWays(clip)
    let stage = try StoryStage(storyboard, clips: StoryboardClips(storyboardAt: "story.yaml"))
    stage.stepNanoseconds = 4_000_000
    stage.begin()
    stage.run(seconds: 1)
    // Another one before, so that it has to change its mind.
    stage.story.choose(choice % 3 + 1)
    let begin = try #require(stage.shown.first?.host)
    stage.run(until: begin + 1_500_000_000)
    stage.story.choose(choice)
    stage.run(until: begin + 1_980_000_000)
    #expect(stage.stretches == expected)
    for (i, frame) in stage.shown.enumerated() {
      let late = frame.host - begin - HostTime(i) * 40_000_000
      #expect((-10_000_000...20_000_000).contains(late), "frame \(i), \(frame), is late by \(late) ns")
    }
    #expect(stage.player.statistics.dropped == 0)
  }

  @Test(arguments: [(1, ""), (2, "0:450-"), (3, "0:375-")])
  func aDecisionShortBeforeItsPointIsSeamless(choice: Int, next: String) throws {
    let text = Lighthouse.text.replacing("hide: 0:07", with: "hide: 0:07.95")
    let stage = try StoryStage(try StoryboardFile(text: text, name: "s").storyboard, progressPerFrame: 2)
    stage.stepNanoseconds = 4_000_000
    stage.begin()
    stage.run(seconds: 5)
    // Another choice before, so that it has to change its mind.
    stage.story.choose(choice % 3 + 1)
    stage.run(until: stage.shown[0].host + 7_900_000_000)
    stage.story.choose(choice)
    #expect(stage.story.controls?.chosen == choice)
    stage.run(seconds: 2.6)
    let frames = stage.stretches
    #expect(frames.count == 1 ? choice == 1 : frames[0] == "0:0-199" && frames[1].hasPrefix(next), "\(frames)")
    let begin = stage.shown[0].host
    for (i, frame) in stage.shown.prefix(250).enumerated() {
      let late = frame.host - begin - HostTime(i) * 40_000_000
      #expect((-10_000_000...20_000_000).contains(late), "frame \(i), \(frame), is late by \(late) ns")
    }
    #expect(stage.player.statistics.dropped == 0)
  }

  @Test func nothingChosenTakesTheDefaultAndComesBack() throws {
    let stage = try stage()
    stage.run(seconds: 8 + 2.5 + 3)
    #expect(stage.stretches == ["0:0-199", "0:450-512", "0:0-75"] || stage.stretches == ["0:0-199", "0:450-511", "0:0-75"])
    #expect(stage.told.contains("decided 0") && stage.told.count { $0.hasPrefix("jump") } == 3)
  }

  @Test func choicesAreTakenOnlyWhileTheyShow() throws {
    let stage = try stage()
    stage.story.choose(1)
    #expect(stage.story.controls == nil)
    stage.run(seconds: 4.5)
    #expect(stage.story.controls?.timeLeft == at(3.5) && stage.story.controls?.choices.count == 3)
    stage.story.choose(5)
    stage.story.choose(2)
    stage.story.choose(1)
    stage.run(seconds: 3)
    #expect(stage.story.controls == nil)
    stage.story.choose(2)
    stage.run(seconds: 1)
    #expect(stage.told.filter { $0.hasPrefix("chosen") } == ["chosen 2", "chosen 1"])
    #expect(stage.told.contains("decided 1"))
  }

  @Test func backwardsNothingIsTold() throws {
    let stage = try stage()
    stage.player.cacheBudget = 1 << 24
    stage.run(seconds: 4.5)
    let before = stage.events.count
    stage.player.rate = -1
    stage.run(seconds: 4)
    #expect(stage.events.count == before && stage.story.controls == nil)
    // Forwards again each is told once more.
    stage.player.rate = 1
    stage.run(seconds: 4)
    #expect(stage.events.dropFirst(before).map(\.kind) == [.named("gull"), .showControls])
  }

  @Test func seeksTellNothingAndStayInTheTrack() throws {
    let stage = try stage("a")
    stage.run(seconds: 2)
    let before = stage.events.count
    stage.story.seek(toItemTime: at(5))
    stage.run(seconds: 0.5)
    #expect(stage.events.count == before && stage.story.controls?.choices.count == 3)
    // Past the decision point: then it is made at the track's end.
    stage.story.seek(toItemTime: at(9))
    stage.run(seconds: 0.9)
    #expect(stage.story.place?.track.track == 0 && stage.story.run.history.isEmpty)
    stage.run(seconds: 0.2)
    #expect(stage.story.run.history.count == 1 && stage.story.place?.track.track == 1)
    // The stairs begin at 10 s.
    stage.story.seek(toItemTime: at(3))
    stage.run(seconds: 0.5)
    #expect(stage.shown.last?.frame ?? 0 >= 250 && stage.story.place?.track.track == 1)
    // Its last frame is as far as a seek goes.
    stage.player.pause()
    stage.story.seek(toItemTime: at(600))
    stage.settle()
    #expect(stage.shown.last?.frame == 374)
    stage.player.play()
    // A seek of the player's own that leaves the track is brought back.
    stage.player.seek(to: at(1), toleranceBefore: .zero, toleranceAfter: .zero)
    stage.run(seconds: 0.5)
    #expect(stage.shown.last?.frame ?? 0 >= 250)
  }

  @Test func aStepBackShowsTheChoicesAgain() throws {
    let stage = try stage("b")
    stage.run(seconds: 9)
    #expect(stage.story.place?.track.track == 3)
    let shown = stage.shown.count
    stage.story.stepBack()
    #expect(stage.story.isFrameHidden)
    stage.settle()
    #expect(!stage.story.isFrameHidden && stage.story.controls?.choices.count == 3)
    // No other frame is seen on the way there.
    #expect(stage.shown.dropFirst(shown).map(\.frame) == [100])
    stage.run(seconds: 2)
    stage.story.choose(1)
    stage.run(seconds: 5)
    #expect(stage.story.place?.track.track == 1 && stage.story.run.history.map(\.choice) == [1])
    // Back within the same item.
    stage.story.stepBack()
    stage.settle()
    #expect(stage.shown.last?.frame == 100 && stage.story.run.history.isEmpty)
    stage.story.stepBack()
    #expect(stage.shown.last?.frame == 100)
  }

  @Test(arguments: [false, true]) func aRunIsTakenUpWhereItWas(hasItem: Bool) throws {
    let first = try stage("c")
    first.run(seconds: 9.5)
    let saved = first.story.saved
    let storyboard = try Lighthouse.storyboard()
    let run = try StoryboardRun(storyboard, resuming: StoryboardRun.Saved(text: saved.text, name: "s"))
    let second = try StoryStage(storyboard, run: run)
    second.begin(with: hasItem ? run.place?.track : nil)
    let shown = hasItem ? second.shown.last : second.shown.first
    #expect(shown?.frame == 375 + 37 || shown?.frame == 375 + 38)
    second.run(seconds: 2)
    #expect(second.stretches.last?.hasPrefix("0:0-") == true && second.story.run.history.count == 2)
  }

  /// The classic way shows what lies behind the decision point until the bus has come, and then the target's frame.
  @Test func theClassicSeek() throws {
    let stage = try stage("b", jumps: .classic)
    stage.run(seconds: 12)
    #expect(stage.stretches.map { $0.prefix { $0 != "-" } } == ["0:0", "0:450", "0:0"], "\(stage.stretches)")
    #expect(stage.told.count { $0 == "start@0.0" } == 3)
    #expect(stage.story.place?.track.track == 0)
  }

  @Test func anotherItemEndsIt() throws {
    let stage = try stage()
    stage.run(seconds: 1)
    stage.player.replaceCurrentItem(with: PlayerItem { ScriptedSource(.constant(count: 300)) })
    let told = stage.told.count
    stage.runWithoutIdentity(seconds: 6)
    #expect(stage.told.count == told)
  }

  /// Nothing of the story's is left in a player that it lets be.
  @Test func whatItSetGoesWhenItEnds() throws {
    let stage = try stage("b")
    stage.run(seconds: 5)
    #expect(stage.player.loopRange != nil && stage.player.loopLimit == 1 && !stage.player.queuedItems.isEmpty)
    stage.story.end()
    #expect(stage.player.loopRange == nil && stage.player.loopLimit == nil && stage.player.queuedItems.isEmpty)
  }

  @Test(arguments: [false, true]) func whatItSetGoesWithAnotherItem(hasOwnSettings: Bool) throws {
    let stage = try stage("b")
    stage.run(seconds: 5)
    let own = PlayerItem { ScriptedSource(.constant(count: 300)) }
    stage.player.replaceCurrentItem(with: PlayerItem { ScriptedSource(.constant(count: 300)) })
    if hasOwnSettings {
      stage.player.insert(own)
      stage.player.loopRange = TimeRange(start: .zero, end: at(2))
      stage.player.loopLimit = 3
    }
    stage.runWithoutIdentity(seconds: 0.1)
    #expect(stage.player.loopRange == (hasOwnSettings ? TimeRange(start: .zero, end: at(2)) : nil))
    #expect(stage.player.loopLimit == (hasOwnSettings ? 3 : nil))
    #expect(stage.player.queuedItems.map { $0 === own } == (hasOwnSettings ? [true] : []))
  }
}
