import Playback
import TestSupport
import Testing

/// A player whose source tells of its frames' times: all, some, wrongly, later.
@Suite struct PlayerIndexTests {
  private static let kinds: [IndexScript] = [
    .none, .coming, .complete, .partlyWrong(times: [30, 31, 55], randomAccess: [12, 20, 60]), .decoded,
  ]

  private func load(_ pane: StagePane, _ kind: IndexScript) -> ScriptedSource {
    pane.load(.constant(count: 100), index: kind)
    return pane.source
  }

  @Test(arguments: kinds) func showsTheRightFrames(kind: IndexScript) {
    let stage = Stage()
    stage.cacheBudget = 1 << 20
    let pane = stage.add(nil)
    let source = load(pane, kind)
    stage.settle()
    var known = 0
    for number in [80, 3, 30, 31, 55, 54, 12, 99, 0] {
      if kind == .coming {
        known += 20
        source.publishIndex(first: known)
        if known == 100 { source.finishIndex() }
      }
      pane.seek(pane.script.frames[number].pts)
      stage.settle()
      #expect(pane.player.displayedTiming?.number == number)
      #expect(pane.shown.last?.number == number)
      // What was told wrongly shows, and is put right.
      if source.index?.orderIsUnreliable == true, source.index?.hasEnded == false { source.finishIndex(origin: .decode) }
      #expect(stage.stepped(pane, 1) == min(99, number + 1))
      #expect(stage.stepped(pane, -1) == max(0, min(99, number + 1) - 1))
    }
    #expect(pane.seeks.all.allSatisfy { $0.result == .finished })
  }

  /// A decode that has told the order is not asked for again with each frame.
  @Test func theCacheOutlivesARefutedOrder() throws {
    let stage = Stage()
    stage.cacheBudget = 1 << 20
    let pane = stage.add(nil)
    let source = load(pane, .partlyWrong(times: [60], randomAccess: []))
    stage.settle()
    // A source takes its index over when it goes elsewhere.
    pane.seek(2)
    stage.settle()
    pane.player.rate = 1
    stage.run(seconds: 0.5)
    let index = try #require(source.index)
    #expect(index.orderIsUnreliable && index.timeline == nil)
    source.finishIndex(origin: .decode)
    stage.run(seconds: 1)
    // Frames that were shown since are still there to go back to.
    let now = try #require(pane.player.displayedTiming?.pts)
    #expect(pane.player.loadedTimeRanges.contains { $0.start < now - seconds(0.8) && now < $0.end })
  }
}
