import Playback
import Synchronization
import TestSupport
import Testing

/// Items that follow one another.
@Suite(.timeLimit(.minutes(20))) struct PlayerQueueTests {
  let stage = Stage()

  private func ends(_ pane: StagePane) -> Int { pane.events.all.filter { $0 == .playedToEnd }.count }

  @Test func advanceGoesThroughTheQueue() {
    let pane = stage.add(nil)
    let sources = (1...3).map { ScriptedSource(.constant(count: 10 * $0)) }
    let items = sources.map(StagePane.item)
    for item in items { #expect(pane.player.insert(item)) }
    #expect(pane.player.currentItem === items[0] && pane.player.queuedItems.count == 2)
    pane.player.actionAtItemEnd = .advance
    pane.player.play()
    stage.run(seconds: 10)
    #expect(pane.numbers == Array(0..<10) + Array(0..<20) + Array(0..<30))
    #expect(ends(pane) == 3 && pane.player.timeControlStatus == .paused && pane.player.queuedItems.isEmpty)
    #expect(pane.player.currentItem === items[2] && pane.player.currentTime() == seconds(1.2))
    #expect(!pane.player.insert(items[0]))
  }

  @Test func goingOnToTheNextItemBeforeTheEnd() {
    let pane = stage.add(nil)
    let items = (1...2).map { StagePane.item(ScriptedSource(.constant(count: 10 * $0))) }
    for item in items { #expect(pane.player.insert(item)) }
    pane.player.play()
    stage.run(seconds: 0.1)
    pane.player.advanceToNextItem()
    stage.run(seconds: 0.2)
    #expect(pane.player.currentItem === items[1] && pane.player.queuedItems.isEmpty)
    #expect(pane.player.currentTime() == seconds(0.2) && pane.player.timeControlStatus == .playing)
    // There is none to go on to.
    pane.player.advanceToNextItem()
    #expect(pane.player.currentItem === items[1] && pane.player.timeControlStatus == .paused)
  }

  @Test(arguments: [0, 1, 2]) func whichOfSeveralFollowsMayBeDecidedLate(choice: Int) {
    let opened = Recorder<Int>()
    let (pane, _) = queue(
      [.constant(count: 1000)] + (1...3).map { .constant(count: 100 + 10 * $0) }, progressPerFrame: 1, opened: opened)
    stage.stepNanoseconds = 2_000_000
    let items = pane.player.queuedItems
    pane.player.play()
    stage.run(seconds: 1)
    #expect(opened.all.count == 1)
    pane.player.openQueuedItems(3)
    stage.run(seconds: 0.5)
    #expect(opened.all == [0, 1, 2, 3])
    // Playing leaves this item before its end, at the end of a range that is played once.
    pane.player.loopRange = TimeRange(start: .zero, end: seconds(2.4))
    pane.player.loopLimit = 1
    stage.run(seconds: 0.8)
    #expect(pane.player.bringForward(items[choice]))
    _ = pane.takeShown()
    stage.run(seconds: 0.08)
    #expect(pane.takeShown() == [58, 59])
    stage.run(seconds: 0.04)
    #expect(pane.player.currentItem === items[choice])
    pane.player.loopRange = nil
    pane.player.removeQueuedItems()
    stage.run(seconds: 0.96)
    #expect(pane.takeShown() == Array(0..<25))
    #expect(pane.player.statistics.dropped == 0 && !pane.player.bringForward(items[choice]))
  }

  /// Playing that was to leave the item goes on in it instead: the decoder has stopped there, and nothing is lost.
  @Test(arguments: [0.02, 0.1, 0.5]) func aRangeMayBeLiftedLate(before seconds: Double) {
    let (pane, _) = queue([.constant(count: 200, keyEvery: 200), .constant(count: 50)], progressPerFrame: 1)
    stage.stepNanoseconds = 4_000_000
    pane.player.loopLimit = 1
    pane.player.loopRange = TimeRange(start: .zero, end: MediaTime(value: 60, timescale: 25))
    pane.player.play()
    stage.run(seconds: 0.1)
    let begin = pane.shown[0].host
    stage.run(until: begin + HostTime((2.4 - seconds) * 1e9))
    pane.player.loopRange = nil
    stage.run(seconds: 2)
    #expect(pane.numbers == Array(0..<pane.numbers.count) && pane.numbers.count > 95)
    #expect(pane.player.statistics.dropped == 0 && pane.player.currentItem !== pane.player.queuedItems.first)
    for shown in pane.shown { #expect(shown.host - shown.due < 20_000_000) }
  }

  /// A pane that plays scripts one after another, with what opens each counted.
  private func queue(
    _ scripts: [FrameScript], progressPerFrame: Int = 0, opened: Recorder<Int> = Recorder()
  ) -> (pane: StagePane, sources: [ScriptedSource]) {
    let pane = stage.add(nil)
    var faults = ScriptedSource.Faults()
    faults.progressPerFrame = progressPerFrame
    let sources = scripts.map { ScriptedSource($0, faults: faults) }
    for (i, source) in sources.enumerated() {
      let item = PlayerItem {
        opened.append(i)
        return source
      }
      #expect(pane.player.insert(item))
    }
    pane.player.actionAtItemEnd = .advance
    return (pane, sources)
  }

  /// However long the first frame of each takes.
  @Test func theNextBeginsWhenTheFormerEnds() {
    let (pane, _) = queue([.constant(count: 40), .constant(count: 30), .constant(count: 50)], progressPerFrame: 5)
    stage.settle()
    stage.stepNanoseconds = 5_000_000
    stage.run(seconds: 1)
    pane.player.play()
    stage.run(seconds: 8)
    #expect(pane.numbers == Array(0..<40) + Array(0..<30) + Array(0..<50))
    let begin = pane.shown[1].host - 40_000_000
    for (i, shown) in pane.shown.enumerated().dropFirst() {
      let late = shown.host - begin - HostTime(i) * 40_000_000
      #expect((0...5_000_000).contains(late), "frame \(i) is late by \(late) ns")
    }
    #expect(ends(pane) == 3 && pane.player.statistics.dropped == 0)
    let told = pane.events.all.filter { $0 == .itemReady }
    #expect(told.count == 3)
  }

  /// Each frame once, at its very moment, over all of them.
  @Test func aThousandSeams() {
    let (pane, _) = queue(Array(repeating: .constant(count: 3), count: 1001))
    stage.settle()
    let start = stage.clock.now
    pane.player.play()
    stage.run(seconds: 0.12 * 1001 + 1)
    #expect(pane.numbers == (0..<3 * 1001).map { $0 % 3 } && ends(pane) == 1001)
    let late = pane.shown.enumerated().dropFirst().map { i, shown in shown.host - start - HostTime(i) * 40_000_000 }
    #expect(late.allSatisfy { $0 == 0 }, "\(late.filter { $0 != 0 }.prefix(5))")
  }

  @Test func itIsOpenedShortlyBefore() {
    let opened = Recorder<Int>()
    let (pane, _) = queue([.constant(count: 1000), .constant(count: 10), .constant(count: 10)], opened: opened)
    pane.player.play()
    stage.run(seconds: 29.9)
    #expect(opened.all == [0] && pane.player.queuedItems.count == 2)
    stage.run(seconds: 0.2)
    // It is in the queue until its turn comes.
    #expect(opened.all == [0, 1] && pane.player.queuedItems.count == 2)
    stage.run(seconds: 9.8)
    #expect(opened.all == [0, 1] && pane.numbers.last == 997)
    stage.run(seconds: 2)
    #expect(opened.all == [0, 1, 2] && ends(pane) == 3)
  }

  @Test func whatIsOpenedAheadIsMadeForThoseWhoLook() {
    let (pane, sources) = queue([.constant(count: 20), .constant(count: 20)])
    pane.player.play()
    stage.run(seconds: 0.5)
    #expect(!sources[1].takeCalls().isEmpty)
    pane.request = RenderRequest(box: PixelSize(width: 32, height: 18))
    stage.run(seconds: 0.5)
    #expect(pane.numbers.last == 5 && pane.shown.suffix(5).allSatisfy { $0.size == PixelSize(width: 32, height: 18) })
    pane.request = nil
    stage.run(seconds: 5)
    #expect(ends(pane) == 2 && pane.player.currentTime() == seconds(0.8))
  }

  @Test func oneThatCannotBeOpenedFailsWhenItsTurnComes() {
    let pane = stage.add(.constant(count: 20))
    let broken = PlayerItem { throw PlaybackError(.nothingDecodable, "is broken") }
    #expect(pane.player.insert(broken))
    pane.player.actionAtItemEnd = .advance
    pane.player.play()
    stage.run(seconds: 0.4)
    #expect(broken.error != nil && pane.player.currentItem?.error == nil)
    #expect(!pane.events.all.contains { if case .itemFailed = $0 { true } else { false } })
    stage.run(seconds: 1)
    #expect(pane.player.currentItem === broken && pane.player.timeControlStatus == .paused)
    #expect(pane.events.all.contains { if case .itemFailed = $0 { true } else { false } })
  }

  /// Also where it has failed before its turn, and whoever passes it over does so while the player pauses.
  @Test(arguments: [false, true]) func brokenOnesArePassedOver(isPlaying: Bool) {
    let pane = stage.add(nil)
    let error = PlaybackError(.nothingDecodable, "is broken")
    let broken = (0..<3).map { _ in PlayerItem { throw error } }
    for item in broken { #expect(pane.player.insert(item)) }
    let last = StagePane.item(ScriptedSource(.constant(count: 20)))
    #expect(pane.player.insert(last))
    pane.player.actionAtItemEnd = .advance
    if isPlaying { pane.player.play() }
    for item in broken {
      stage.run(seconds: 1)
      #expect(pane.player.currentItem === item && pane.events.all.last { $0 == .itemFailed(error) } != nil)
      _ = pane.events.take()
      pane.player.advanceToNextItem()
      stage.run(seconds: 0.1)
      #expect(pane.events.all.first == .currentItemChanged)
    }
    stage.run(seconds: 1)
    #expect(pane.player.currentItem === last && pane.numbers == Array(0..<(isPlaying ? 20 : 1)))
  }

  @Test func anotherItemInBetweenLeavesTheQueueAsItIs() {
    let opened = Recorder<Int>()
    let (pane, _) = queue([.constant(count: 20), .constant(count: 30)], opened: opened)
    pane.player.play()
    stage.run(seconds: 0.4)
    pane.load(.constant(count: 15))
    stage.run(seconds: 0.2)
    #expect(pane.numbers.last == 5 && opened.all == [0, 1])
    stage.run(seconds: 3)
    #expect(pane.numbers.suffix(45) == (Array(0..<15) + Array(0..<30))[...] && opened.all == [0, 1])
  }

  @Test func whatWasOpenedAheadBacksUpAtOnce() {
    let (pane, _) = queue([.constant(count: 20), .constant(count: 30)])
    pane.player.cacheBudget = 1 << 20
    pane.player.play()
    stage.run(seconds: 0.7)
    pane.player.advanceToNextItem()
    stage.run(seconds: 0.42)
    #expect(pane.numbers.last == 10)
    pane.player.rate = -1
    stage.run(seconds: 1)
    #expect(pane.numbers.last == 0 && pane.player.currentTime() == .zero)
  }

  @Test func itemsArePutBetweenOthersAndTakenOut() {
    let pane = stage.add(nil)
    let items = (0..<5).map { StagePane.item(ScriptedSource(.constant(count: 10 + $0))) }
    #expect(pane.player.insert(items[0]) && pane.player.insert(items[1]) && pane.player.insert(items[2]))
    #expect(pane.player.insert(items[3], after: items[0]) && pane.player.insert(items[4], after: items[1]))
    #expect(pane.player.queuedItems.map(ObjectIdentifier.init) == [3, 1, 4, 2].map { ObjectIdentifier(items[$0]) })
    // What is no part of the queue can be followed by nothing, and nothing is taken.
    let other = StagePane.item(ScriptedSource(.constant(count: 9))), late = StagePane.item(ScriptedSource(.constant(count: 8)))
    #expect(!pane.player.insert(other, after: late) && !pane.player.insert(items[1]) && !pane.player.remove(late))
    #expect(pane.player.remove(items[1]) && !pane.player.remove(items[1]))
    #expect(pane.player.insert(other, after: items[2]))
    pane.player.actionAtItemEnd = .advance
    pane.player.play()
    stage.run(seconds: 10)
    #expect(pane.numbers == [10, 13, 14, 12, 9].flatMap { Array(0..<$0) } && ends(pane) == 5)
    #expect(pane.events.all.filter { $0 == .currentItemChanged }.count == 5)
  }

  @Test func behindAQueuedOneAlsoWhereNoneIsPlayed() {
    let pane = stage.add(nil)
    let items = (0..<4).map { StagePane.item(ScriptedSource(.constant(count: 10 + $0))) }
    pane.player.insert(items[0])
    pane.player.insert(items[1])
    pane.player.replaceCurrentItem(with: nil)
    #expect(pane.player.insert(items[2], after: items[1]) && pane.player.currentItem == nil)
    #expect(pane.player.queuedItems.map(ObjectIdentifier.init) == [1, 2].map { ObjectIdentifier(items[$0]) })
    #expect(pane.player.insert(items[3]) && pane.player.currentItem === items[3])
  }

  @Test func theCurrentItemTakenOutIsFollowedByTheNext() {
    let pane = stage.add(nil)
    let items = (0..<3).map { StagePane.item(ScriptedSource(.constant(count: 10 + $0))) }
    for item in items { pane.player.insert(item) }
    pane.player.play()
    stage.run(seconds: 0.1)
    #expect(pane.player.remove(items[0]) && pane.player.currentItem === items[1] && pane.player.rate == 1)
    pane.player.removeQueuedItems()
    #expect(pane.player.queuedItems.isEmpty && pane.player.currentItem === items[1])
    pane.player.actionAtItemEnd = .advance
    stage.run(seconds: 3)
    #expect(pane.player.currentItem === items[1] && pane.player.rate == 0 && pane.numbers.suffix(11) == Array(0..<11)[...])
  }

  /// An item that has been opened ahead waits for its turn, though others come before.
  @Test(arguments: [false, true]) func anItemPutBeforeOneThatIsOpen(isTakenOut: Bool) {
    let opened = Recorder<Int>()
    let (pane, _) = queue([.constant(count: 20), .constant(count: 30)], opened: opened)
    pane.player.play()
    stage.run(seconds: 0.4)
    #expect(opened.all == [0, 1])
    let former = pane.player.queuedItems[0]
    let between = PlayerItem {
      opened.append(2)
      return ScriptedSource(.constant(count: 15))
    }
    #expect(pane.player.insert(between, after: pane.player.currentItem))
    if isTakenOut { #expect(pane.player.remove(former)) }
    stage.run(seconds: 5)
    #expect(pane.numbers == [20, 15].flatMap { Array(0..<$0) } + (isTakenOut ? [] : Array(0..<30)))
    #expect(opened.all == [0, 1, 2] && pane.player.statistics.dropped == 0)
  }

  @Test func aPlayerThatGoesEndsBoth() {
    weak var gone: ScriptedSource?
    do {
      let stage = Stage()
      let pane = stage.add(nil)
      let sources = [20, 30].map { ScriptedSource(.constant(count: $0)) }
      gone = sources[1]
      for source in sources { #expect(pane.player.insert(StagePane.item(source))) }
      pane.player.actionAtItemEnd = .advance
      pane.player.play()
      stage.run(seconds: 0.4)
      #expect(!sources[1].takeCalls().isEmpty)
    }
    #expect(gone == nil)
  }

  @Test(arguments: [ActionAtItemEnd.pause, .advance]) func theStopAtTheEndIsTold(action: ActionAtItemEnd) {
    let pane = stage.add(.constant(count: 263))
    pane.player.actionAtItemEnd = action
    let times = Recorder<MediaTime>()
    let observer = pane.player.addPeriodicTimeObserver(forInterval: seconds(1), on: InlineExecutor()) { times.append($0) }
    pane.player.play()
    stage.run(seconds: 12)
    #expect(times.all.last == seconds(10.52))
    observer.remove()
  }
}
