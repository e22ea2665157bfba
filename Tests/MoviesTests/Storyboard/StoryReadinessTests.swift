import Playback
import TestSupport
import Testing

@testable import Movies

/// More ways than are kept ready: which ones are, and what is seen of the others.
@Suite(.timeLimit(.minutes(20))) struct StoryReadinessTests {
  /// From 1 s to 4 s of four ways one can be chosen; the first plays on, and nothing chosen leads to a fifth.
  private static func ways(length: Double, decide: Double, clip: String = "a", ins: [Double]? = nil) throws -> Storyboard {
    func source(_ number: Int, _ length: Double) -> String {
      "clip: \(clip), length: \(length)\(ins.map { ", in: \($0[number])" } ?? "")"
    }
    let targets = ["A", "B", "C", "D", "E"].enumerated().map { number, name in
      "- {track: \(name), \(source(number + 1, 1)), then: end}"
    }
    return try OneScene.storyboard(
      """
      - {track: ask, \(source(0, length)), show: 0.2, decide: \(decide), choices: [a: A, b: B, c: C, d: D], otherwise: E}
      """ + "\n" + targets.joined(separator: "\n"))
  }

  /// Returns the tracks kept ready at the end of some steps.
  private func ready(_ steps: (inout StoryPlayback) -> [StoryPlayback.Action]) throws -> String {
    var queue: [StorySegment] = []
    func take(_ actions: [StoryPlayback.Action]) {
      for case .queue(let segments, _) in actions { queue = segments }
    }
    var playback = StoryPlayback(try StoryboardRun(Self.ways(length: 5, decide: 4)), jumps: .exact, wishes: []) { _ in
      PlayerItem { ScriptedSource(.constant(count: 300)) }
    }
    let item = PlayerItem { ScriptedSource(.constant(count: 300)) }
    take(playback.begin(with: item))
    take(playback.handle(.played(from: 0, to: 2_000_000_000), playing: item))
    take(steps(&playback))
    return queue.map { playback.run.storyboard.scenes[$0.scene].tracks[$0.firstTrack].name }.joined()
  }

  @Test func whatIsKeptReadyIsWhatIsLikely() throws {
    // What follows in the scene is ready anyway, as A.
    #expect(try ready { _ in [] } == "EBC")
    #expect(try ready { $0.point(at: 4) } == "EDB")
    #expect(try ready { $0.point(at: 9) } == "EBC")
    #expect(try ready { $0.point(at: 4) + $0.point(at: nil) } == "EBC")
    #expect(try ready { $0.choose(4, at: at(2)) } == "DBC")
    #expect(try ready { $0.choose(4, at: at(2)) + $0.point(at: 3) } == "DCB")
    #expect(try ready { $0.choose(1, at: at(2)) + $0.point(at: 4) } == "DBC")
  }

  /// Chosen 8 ms before it is decided; a frame takes 28 ms of work.
  @Test(arguments: [(1, nil, 125), (2, nil, 150), (3, nil, 175), (4, 4, 200), (4, nil, 200), (nil, nil, 225)] as [(Int?, Int?, Int)])
  func whatIsNotReadyIsHiddenUntilItsFirstFrame(choice: Int?, pointed: Int?, first: Int) throws {
    let isReady = choice != 4 || pointed == 4
    let stage = try StoryStage(Self.ways(length: 5, decide: choice == 1 ? 5 : 4), progressPerFrame: 6)
    stage.stepNanoseconds = 4_000_000
    stage.begin()
    stage.run(seconds: 1)
    // Up to the first frame there was nothing to be seen.
    let (begin, hidden) = (try #require(stage.shown.first?.host), stage.hiddenNanoseconds)
    let left = begin + (choice == 1 ? 5_000_000_000 : 4_000_000_000)
    stage.story.point(at: pointed)
    stage.run(until: left - 8_000_000)
    if let choice { stage.story.choose(choice) }
    stage.run(until: left + 900_000_000)
    let (before, behind) = (stage.shown.filter { $0.host < left - 20_000_000 }, stage.shown.filter { $0.host >= left - 20_000_000 })
    #expect(before.last?.frame == (choice == 1 ? 124 : 99))
    // Its own frames only, from its first one on, without a gap.
    #expect(behind.map(\.frame) == Array(first..<first + behind.count) && behind.count >= 20, "\(stage.stretches)")
    #expect(stage.player.statistics.dropped == 0)
    let late = try #require(behind.first).host - left
    if isReady {
      #expect(late <= 20_000_000 && stage.hiddenNanoseconds == hidden)
    } else {
      // From where the track is left to the frame.
      #expect(late > 20_000_000 && abs(stage.hiddenNanoseconds - hidden - late) <= 4_000_000, "\(late) \(stage.hiddenNanoseconds - hidden)")
    }
  }

  /// The fourth way of a real clip, whose first frame lies 50 frames behind a keyframe.
  @Test(arguments: [false, true]) func theFourthWayOfARealClip(isPointedAt: Bool) throws {
    let clip = try SampleMedia.clip(
      name: "story.mkv",
      arguments: SampleMedia.numbered(width: 160, height: 90, rate: "25", seconds: 12) + [
        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-threads", "1", "-pix_fmt", "yuv420p", "-g", "60",
      ])
    let storyboard = try Self.ways(length: 2, decide: 1.6, clip: clip, ins: [1, 3, 5, 6.4, 9.2, 7.9])
    let stage = try StoryStage(storyboard, clips: StoryboardClips(storyboardAt: "story.yaml"))
    stage.stepNanoseconds = 4_000_000
    stage.begin()
    stage.run(seconds: 0.5)
    let (begin, hidden) = (try #require(stage.shown.first?.host), stage.hiddenNanoseconds)
    if isPointedAt { stage.story.point(at: 4) }
    stage.run(until: begin + 1_580_000_000)
    stage.story.choose(4)
    stage.run(until: begin + 2_500_000_000)
    #expect(stage.stretches.count == 2 && stage.stretches[0] == "0:25-64" && stage.stretches[1].hasPrefix("0:230-"), "\(stage.stretches)")
    #expect((stage.hiddenNanoseconds == hidden) == isPointedAt)
  }
}
