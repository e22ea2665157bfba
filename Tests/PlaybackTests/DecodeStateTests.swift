import TestSupport
import Testing

@testable import Playback

/// The states of decoding: those that there are in random runs are those that the documentation lists.
@Suite struct DecodeStateTests {
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

  @Test(arguments: TestSeeds.first(12)) func randomRunsKeepToTheTable(seed: UInt64) throws {
    let table = try Self.documented()
    try #require(table.count > 10)
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
    let seen = player.read { core, _ in core.decode.transitions.descriptions }
    #expect(seen.subtracting(table) == [], "seed \(seed)")
  }

  @Test func whatIsOfAnOlderDecisionIsKnownToBe() {
    var state = DecodeState(item: 7)
    state.approach(Approach(.first, to: .zero), round: 0)
    let first = state.ticket
    state.stream()
    #expect(!state.isCurrent(first) && state.ticket.item == 7 && first.item == 7)
    state.reset()
    #expect(state.ticket.item == 0 && state.isIdle)
  }

  @Test func aRefreshWaitsUntilItIsTaken() {
    var state = DecodeState()
    state.wantRefresh()
    #expect(state.refresh != nil)
    #expect(state.takeRefresh() != nil && state.takeRefresh() == nil && state.takeJumpOrigin() == nil)
    let timing = FrameTiming(pts: .zero, duration: seconds(1))
    state.wantRefresh(.jump(from: timing))
    _ = state.takeRefresh()
    #expect(state.takeJumpOrigin() == timing && state.takeJumpOrigin() == nil)
  }

  @Test func anApproachBeginsEarlierWhereItCameTooLate() {
    var approach = Approach(.seek, to: seconds(10))
    #expect(approach.start == .seek(seconds(10), []))
    approach.didMove()
    #expect(approach.start == .here)
    let late = FrameTiming(pts: seconds(11), duration: seconds(0.04))
    #expect(approach.judge(late, isLeftOut: false, at: 0) == .again)
    #expect(approach.start == .seek(seconds(9), .withFreshDecoder))
    approach.moveDidFail()
    #expect(approach.start == .rewind)
    approach.didMove()
    // At the beginning there is nothing earlier.
    #expect(approach.judge(late, isLeftOut: false, at: 0) == .found)
  }

  @Test func anExactApproachWaitsForTheFrameBehindItsTarget() {
    func frame(_ n: Int) -> FrameTiming { FrameTiming(pts: seconds(Double(n)), duration: seconds(1), number: n) }
    var exact = Approach(.seek, to: seconds(2.5))
    exact.didMove()
    #expect(exact.judge(frame(1), isLeftOut: false, at: 0) == .onTheWay)
    #expect(exact.judge(frame(2), isLeftOut: false, at: 0) == .onTheWay)
    #expect(exact.judge(frame(3), isLeftOut: false, at: 0) == .foundBefore)
    var tolerant = Approach(.seek, to: seconds(2.5), before: seconds(1), after: seconds(1))
    tolerant.didMove()
    #expect(tolerant.judge(frame(0), isLeftOut: false, at: 0) == .onTheWay)
    #expect(tolerant.judge(frame(1), isLeftOut: false, at: 0) == .found)
    var leftOut = Approach(.seek, to: seconds(2.5))
    leftOut.didMove()
    _ = leftOut.judge(frame(1), isLeftOut: false, at: 0)
    #expect(leftOut.judge(frame(3), isLeftOut: true, at: 0) == .again && leftOut.mustBeWhole && leftOut.needsSeek)
  }

  @Test func theEndOfTheDataHoldsEveryTimeBehindIt() {
    var approach = Approach(.seek, to: seconds(9))
    approach.didMove()
    _ = approach.judge(FrameTiming(pts: seconds(1), duration: seconds(1)), isLeftOut: false, at: 0)
    #expect(approach.judgeEnd(isLeftOut: false) == .found)
    var nothing = Approach(.first, to: .zero)
    #expect(nothing.judgeEnd(isLeftOut: false) == nil)
    var empty = Approach(.seek, to: seconds(9))
    var again = 0
    while empty.judgeEnd(isLeftOut: false) == .again { again += 1 }
    #expect(again == 5)
  }
}
