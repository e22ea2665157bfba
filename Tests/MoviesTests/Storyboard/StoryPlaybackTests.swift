import Playback
import TestSupport
import Testing

@testable import Movies

/// The decisions of a storyboard's player, given passages as a player would report them.
@Suite(.timeLimit(.minutes(20))) struct StoryPlaybackTests {
  /// A playback with its queue, and the replacement that it has asked for last.
  private struct Stage {
    var playback: StoryPlayback
    private(set) var queue: [StorySegment] = []
    private(set) var replacement: StorySegment?

    init(_ storyboard: Storyboard) throws {
      let run = try StoryboardRun(storyboard)
      playback = StoryPlayback(run, jumps: .exact, wishes: []) { _ in PlayerItem { ScriptedSource(.constant(count: 300)) } }
    }

    mutating func perform(_ actions: [StoryPlayback.Action]) {
      for action in actions {
        switch action {
        case .queue(let segments, _): queue = segments
        case .replace(let segment, _): replacement = segment
        default: break
        }
      }
    }

    mutating func tell(_ passages: Passage..., playing item: PlayerItem?) {
      for passage in passages { perform(playback.handle(passage, playing: item)) }
    }

    var track: String? { playback.run.place.map { playback.run.storyboard[$0.track].name } }
  }

  /// Five ways that can be chosen from 1 s to 4 s.
  private static let ways = """
    - track: ask
      clip: a
      length: 5
      show: 1
      decide: 4
      choices: [a: A, b: B, c: C, d: D, e: E]
    - {track: A, clip: a, length: 3, then: end}
    - {track: B, clip: a, length: 3, then: end}
    - {track: C, clip: a, length: 3, then: end}
    - {track: D, clip: a, length: 3, then: end}
    - {track: E, clip: a, length: 3, then: end}
    """

  @Test func whatWasPlayedBeforeItsBeginningIsNotTheStorys() throws {
    let item = PlayerItem { ScriptedSource(.constant(count: 300)) }
    for first in [item, nil] {
      var stage = try Stage(Lighthouse.storyboard())
      stage.tell(.played(from: 0, to: 40_000_000), playing: item)
      stage.perform(stage.playback.begin(with: first))
      stage.tell(.event(.currentItemChanged), playing: first ?? stage.replacement?.item)
      #expect(!stage.playback.isDetached && stage.playback.current != nil && stage.track == "arrival")
    }
  }

  /// Between the look at what is chosen and what that does to the queue, the player may have gone on by itself.
  @Test(arguments: [(2, false), (5, true)])
  func aPlayerThatWentOnTooSoonIsBroughtWhereTheChoiceLeads(choice: Int, isDropped: Bool) throws {
    var stage = try Stage(OneScene.storyboard(Self.ways))
    stage.perform(stage.playback.begin(with: nil))
    let first = try #require(stage.replacement)
    stage.tell(.event(.currentItemChanged), .played(from: 0, to: 2_000_000_000), playing: first.item)
    stage.perform(stage.playback.choose(isDropped ? 4 : 3, at: at(3)))
    let next = try #require(stage.queue.first)
    stage.perform(stage.playback.choose(choice, at: at(3)))
    #expect(stage.queue.count == 3 && stage.queue.contains { $0.item === next.item } != isDropped)
    stage.tell(.played(from: 2_000_000_000, to: 4_000_000_000), .event(.currentItemChanged), playing: next.item)
    #expect(!stage.playback.isDetached && stage.track == (choice == 2 ? "B" : "E"))
    let target = try #require(stage.replacement)
    #expect(target.begins(with: Storyboard.TrackID(scene: 0, track: choice)))
    stage.tell(.event(.currentItemChanged), .played(from: 0, to: 1_000_000_000), playing: target.item)
    #expect(!stage.playback.isDetached && stage.playback.current?.item === target.item)
  }
}
