import TestSupport
import Testing

@testable import Playback

/// The states of decoding. Each change of state is asserted to be one of the table, in all runs of all tests.
@Suite(.timeLimit(.minutes(20))) struct DecodeStateTests {
  /// The transitions in the table of `docs/architecture.md`.
  static func documented() throws -> Set<String> {
    let text = try PackageFolder.text(of: "docs/architecture.md")
    var result: Set<String> = []
    for line in text.split(separator: "\n") {
      guard let match = line.wholeMatch(of: /\| `(\w+) → (\w+)` \|.*/) else { continue }
      result.insert("\(match.1) → \(match.2)")
    }
    return result
  }

  @Test func theTableIsTheDocumentedOne() throws {
    let table = DecodeState.PhaseName.allCases.flatMap { from in from.successors.map { "\(from) → \($0)" } }
    #expect(try Set(table) == Self.documented())
  }

  @Test(arguments: TestSeeds.first(12)) func randomRunsKeepToTheTable(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    func roll(_ range: Range<Int>) -> Int { Int.random(in: range, using: &dice) }
    let stage = Stage()
    stage.cacheBudget = [0, 100_000, 1 << 20][roll(0..<3)]
    let pane = stage.add(.constant(count: roll(20..<300), keyEvery: roll(1..<80)))
    let player = pane.player
    for _ in 0..<150 {
      switch roll(0..<12) {
      case 0, 1: player.play()
      case 2: player.pause()
      case 3: player.rate = [-4, -1, -0.5, 0.5, 2, 16][roll(0..<6)]
      case 4, 5: pane.seek(Double(roll(0..<12_000)) / 1000)
      case 6: player.step(byCount: roll(-5..<6))
      case 7: player.actionAtItemEnd = [.pause, .loop][roll(0..<2)]
      case 8:
        let range = TimeRange(start: seconds(Double(roll(0..<8000)) / 1000), duration: seconds(Double(roll(1..<2000)) / 1000))
        player.loopRange = roll(0..<2) == 0 ? nil : range
      case 9: pane.request = roll(0..<4) == 0 ? nil : StagePane.request
      case 10: if roll(0..<10) == 0 { pane.load(.constant(count: roll(1..<100))) }
      default: break
      }
      stage.stepNanoseconds = HostTime([0, 2, 20, 60][roll(0..<4)]) * 1_000_000
      stage.run(seconds: [0, 0.02, 0.1, 0.4, 2][roll(0..<5)])
    }
    #expect(player.currentItem?.error == nil, "seed \(seed)")
  }

  @Test func anItemThatHasFailedStaysIdle() {
    let stage = Stage()
    var faults = ScriptedSource.Faults()
    faults.decodeThrowsAt = 30
    let pane = stage.add(.constant(count: 100), faults: faults)
    pane.player.play()
    stage.run(seconds: 2)
    #expect(pane.player.displayedTiming != nil && pane.player.read { core, _ in !core.item.isReady && core.item.decode.isIdle })
    pane.player.rate = -1
    stage.run(seconds: 1)
    #expect(pane.player.read { core, _ in core.item.decode.isIdle })
  }

  @Test func whatIsOfAnOlderDecisionIsKnownToBe() {
    var state = DecodeState(item: 7)
    state.search(TargetSearch(.first, to: .zero))
    let first = state.ticket
    state.stream()
    #expect(!state.isCurrent(first) && state.ticket.item == 7 && first.item == 7)
    state.reset()
    #expect(state.ticket.item == 0 && state.isIdle)
  }

  // MARK: - Transitions

  @Test func eachTransitionGivesANewTicket() {
    var state = DecodeState(item: 3)
    var tickets = [state.ticket]
    let search = TargetSearch(.seek, to: PartFrame.time(5))
    func note() {
      #expect(!tickets.contains(state.ticket) && state.isCurrent(state.ticket) && state.ticket.item == 3)
      tickets.append(state.ticket)
    }
    state.search(search)
    #expect(state.search?.target == PartFrame.time(5) && state.search != nil)
    note()
    state.stream()
    #expect(state.isStreaming && state.search == nil)
    note()
    state.finish(.cachedPass)
    #expect(state.end == .cachedPass && !state.isStreaming)
    note()
    state.finish(.source)
    #expect(state.end == .source)
    note()
    state.detach()
    #expect(state.isDetached && state.end == nil)
    note()
    state.prefetch(Prefetch(.filling, to: search.target))
    #expect(state.isDetached && state.search == nil && state.isOnTheWay && state.prefetch?.reason == .filling)
    note()
    state.detach()
    note()
  }

  @Test func aResetForgetsAll() {
    var state = DecodeState(item: 3)
    state.search(TargetSearch(.first, to: .zero))
    state.didDecode(PartFrame.Decoded(1))
    state.willDiscard()
    state.reset()
    #expect(state.isIdle && state.latest == nil)
    #expect(!state.mayLackFrames && state.ticket == DecodeState().ticket)
  }

  @Test func whatIsFilledIsWantedWithoutAnotherDecision() {
    var state = DecodeState()
    state.search(TargetSearch(.first, to: .zero))
    state.detach()
    state.prefetch(Prefetch(.filling, to: PartFrame.time(5)))
    let ticket = state.ticket
    state.awaitPrefetch()
    #expect(state.prefetch?.reason == .goingBack && state.isCurrent(ticket) && state.prefetch?.target == PartFrame.time(5))
    state.awaitPrefetch()
    #expect(state.prefetch?.reason == .goingBack)
    state.search(TargetSearch(.resume, to: .zero))
    state.stream()
    state.awaitPrefetch()
    #expect(state.isStreaming)
  }

  @Test func theWayGoesOnWithinItsDecision() {
    var state = DecodeState()
    #expect(state.updateSearch { $0.didMove() } == nil, "there is no way")
    state.search(TargetSearch(.seek, to: PartFrame.time(5)))
    let ticket = state.ticket
    #expect(state.updateSearch { $0.needsSeek } == true)
    state.didMove(lacksFrames: false, isCurrent: false)
    #expect(state.search?.needsSeek == true, "that was the move of an older decision")
    state.didMove(lacksFrames: false, isCurrent: true)
    #expect(state.search?.needsSeek == false && state.isCurrent(ticket))
    state.detach()
    state.prefetch(Prefetch(.filling, to: PartFrame.time(5)))
    state.didMove(lacksFrames: false, isCurrent: true)
    #expect(state.prefetch?.needsSeek == false && state.prefetch?.reason == .filling)
  }

  // MARK: - Where the source is

  @Test func theLastTwoFramesAreThoseOfThisPlace() {
    var state = DecodeState()
    state.didDecode(PartFrame.Decoded(1))
    #expect(state.last == PartFrame.timing(1) && state.previous == nil)
    state.didDecode(PartFrame.Decoded(2))
    state.didDecode(PartFrame.Decoded(3))
    #expect(state.last == PartFrame.timing(3) && state.previous?.timing == PartFrame.timing(2))
    state.willMove()
    #expect(state.latest == nil && state.previous == nil)
    state.didDecode(PartFrame.Decoded(9))
    // A frame that came out while the source was being sent elsewhere.
    state.didMove(lacksFrames: false, isCurrent: false)
    #expect(state.last == nil)
  }

  @Test func framesMayBeMissingUntilNoDecoderHoldsBackSoMany() {
    var state = DecodeState()
    #expect(!state.mayLackFrames && !state.mayLackPart)
    func countUntilWhole() -> (parts: Int, frames: Int) {
      var parts = 0
      var frames = 0
      while state.mayLackFrames, frames < 1000 {
        if state.mayLackPart { parts += 1 }
        frames += 1
        state.didDecode(PartFrame.Decoded(frames))
      }
      return (parts, frames)
    }
    state.willDiscard()
    #expect(countUntilWhole() == (32, 64))
    state.didMove(lacksFrames: true, isCurrent: true)
    #expect(countUntilWhole() == (32, 64))
    state.willDiscard()
    state.didMove(lacksFrames: false, isCurrent: true)
    #expect(!state.mayLackFrames, "elsewhere nothing was left out")
  }
}
