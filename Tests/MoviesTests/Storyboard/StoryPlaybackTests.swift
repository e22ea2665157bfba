import Playback
import TestSupport
import Testing

@testable import Movies

/// What a storyboard's player decides, told passages as a player would tell them.
@Suite struct StoryPlaybackTests {
  /// A playback with the items that it has made, and what it has asked for last.
  private struct Stage {
    var playback: StoryPlayback
    private(set) var queue: [StorySegment] = []
    private(set) var replacement: StorySegment?

    init(_ text: String) throws {
      let run = try StoryboardRun(try StoryboardFile(text: text, name: "s").storyboard)
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

  @Test func whatWasPlayedBeforeItsBeginningIsNotTheStorys() throws {
    let item = PlayerItem { ScriptedSource(.constant(count: 300)) }
    for first in [item, nil] {
      var stage = try Stage(Lighthouse.text)
      stage.tell(.played(from: 0, to: 40_000_000), playing: item)
      stage.perform(stage.playback.begin(with: first))
      stage.tell(.event(.currentItemChanged), playing: first ?? stage.replacement?.item)
      #expect(!stage.playback.isDetached && stage.playback.current != nil && stage.track == "arrival")
    }
  }
}
