import DecodePool
import Playback
import TestSupport
import Testing

@testable import QuadrilleApp

/// Storyboards in a list, without a terminal.
@Suite(.timeLimit(.minutes(20))) struct PaneClipsTests {
  private func clips(_ names: [String], rounds: Int) -> PaneClips {
    let clock = ManualClock()
    let pool = DecodePool(threads: 0, now: clock.unsignedNow)
    let player = Player(context: PlaybackContext(pool: pool, bus: TimeObserverBus(clock: clock) {}))
    let clips = PaneClips(ClipList(names.map { ClipList.Clip(path: $0) }), player) { clip in
      StoryOpening(path: clip.path, options: Asset.Options())
    } makeAsset: {
      Asset(path: $0.path)
    }
    clips.setRepetition(.list, maxRounds: rounds)
    clips.start()
    return clips
  }

  @Test(arguments: [(1, [0, 0, 0]), (2, [0, 1, 0, 1, 0, 1])])
  func storyboardsArePlayedSoManyTimes(count: Int, order: [Int]) {
    let clips = clips((0..<count).map { "/none/\($0).yaml" }, rounds: 3)
    var played = [clips.list.current]
    while played.count < 20, clips.storyDidEnd() { played.append(clips.list.current) }
    #expect(played == order)
  }

  /// Back, where somebody goes back, also where one clip is repeated; on, where the list goes on by itself.
  @Test(arguments: [ClipList.Repetition.off, .clip, .list]) func oneThatFailsIsPassedOverTheWayThatIsGone(repetition: ClipList.Repetition) {
    let clips = clips(["/none/0.mp4", "/none/1.mp4", "/none/2.mp4"], rounds: 9)
    clips.setRepetition(repetition)
    clips.go(to: 2)
    #expect(clips.go(by: -1) && clips.list.current == 1)
    #expect(clips.passOver() && clips.list.current == 0)
    #expect(clips.go(by: 1) && clips.list.current == 2, "the one that failed is passed over")
    #expect(clips.go(by: -1) && clips.list.current == 0)
    // There is nothing before it but, all around, the last.
    #expect(clips.passOver() == (repetition == .list))
  }

  /// Those that cannot be played are passed over in each round.
  @Test func oneThatFailsCountsInTheRound() {
    let clips = clips(["/none/0.yaml", "/none/1.yaml"], rounds: 2)
    #expect(clips.storyDidEnd() && clips.list.current == 1)
    #expect(clips.passOver() && clips.list.current == 0)
    #expect(!clips.storyDidEnd())
  }
}
