import Glibc
import Pixels
import Playback
import TestSupport
import Testing

/// Random calls from several threads on four players that share a pool and a bus, while another displays.
///
/// A failure names its seed; the threads' interleaving is the machine's, so one seed may need several runs. How many
/// seeds are run can be chosen: see `TestSeeds`.
@Suite(.serialized, .timeLimit(.minutes(20))) struct PlayerRaceTests {
  static let seeds = TestSeeds.first(3, and: [190])
  private static let calls = 10_000
  private static let callers = 4

  private typealias Dice = SeededGenerator

  @Test(arguments: seeds) func everythingAddsUp(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let stage = RaceStage(players: 4, callers: Self.callers, threads: Int.random(in: 2...4, using: &dice))
    for (player, output) in zip(stage.players, stage.outputs) {
      output.request = StagePane.request
      #expect(player.replaceCurrentItem(with: Self.item(stage, &dice)))
    }
    stage.detach { stage.display(nanoseconds: 4_000_000) }
    for caller in 0..<Self.callers {
      let seed = dice.next()
      stage.detach { Self.call(stage, caller, seed) }
    }
    try #require(stage.waitForThreads(left: 1), "seed \(seed): a caller hangs")
    try endsWell(stage, &dice, seed)
    try goes(stage, seed)
  }

  // MARK: - Calls

  private static func call(_ stage: RaceStage, _ caller: Int, _ seed: UInt64) {
    var dice = Dice(seed: seed)
    let (players, outputs) = (stage.players, stage.outputs)
    for _ in 0..<calls / callers {
      let index = Int.random(in: 0..<players.count, using: &dice)
      act(stage, players[index], outputs[index], index, caller, &dice)
      // Now many calls at once, now one at a time.
      if Int.random(in: 0..<12, using: &dice) == 0 { stage.waitForTurns(Int.random(in: 1...3, using: &dice)) }
    }
  }

  private static func act(
    _ stage: RaceStage, _ player: Player, _ output: VideoOutput, _ index: Int, _ caller: Int, _ dice: inout Dice
  ) {
    func roll(_ range: Range<Int>) -> Int { Int.random(in: range, using: &dice) }
    let speeds: [Double] = [0, 0.05, 0.5, 1, 1, 2, 16, -0.05, -1, -1, -4, -16]
    switch roll(0..<25) {
    case 0, 1, 2: stage.seek(player, index, caller: caller, to: time(&dice), .zero, .zero)
    case 3, 4:
      let tolerances = [MediaTime.zero, seconds(0.1), seconds(2), .positiveInfinity]
      stage.seek(player, index, caller: caller, to: time(&dice), tolerances[roll(0..<4)], tolerances[roll(0..<4)])
    case 5, 6: player.step(byCount: roll(-6..<7))
    case 7, 8, 9: player.rate = speeds[roll(0..<speeds.count)]
    case 10: player.play()
    case 11: player.pause()
    case 12, 13: output.request = roll(0..<4) == 0 ? nil : request(roll(1..<9))
    case 14: if roll(0..<3) == 0 { player.replaceCurrentItem(with: roll(0..<8) == 0 ? nil : item(stage, &dice)) }
    case 15: player.cancelPendingSeeks()
    case 16:
      let range = TimeRange(start: time(&dice), duration: seconds(Double(roll(0..<2000)) / 1000))
      player.loopRange = roll(0..<2) == 0 ? nil : range
    case 17: player.cacheBudget = [0, 300, 3000, 1 << 20][roll(0..<4)]
    case 18:
      player.actionAtItemEnd = [.pause, .loop, .advance, .advance][roll(0..<4)]
      player.loopLimit = [nil, nil, 1, 3][player.loopCount % 4]
    case 19, 20:
      let newest = stage.itemCount
      stage.moveIndex(of: roll(max(0, newest - 6)..<newest), by: roll(1..<60))
    case 22:
      guard player.queuedItems.count < 4 else { return }
      let former = roll(0..<2) == 0 ? nil : ([player.currentItem].compactMap { $0 } + player.queuedItems).randomElement(using: &dice)
      player.insert(item(stage, &dice), after: former)
    case 23: if roll(0..<3) == 0 { player.advanceToNextItem() }
    case 24:
      if roll(0..<4) == 0 { player.removeQueuedItems() } else if let item = player.queuedItems.randomElement(using: &dice) { player.remove(item) }
    default:
      _ = (player.cachedTimeRanges, player.statistics, player.currentTime(), player.displayedTiming)
      _ = (player.cacheByteCount, player.duration, player.timeControlStatus, player.time(ofFrame: roll(0..<99)), player.loopCount)
      _ = (player.timing(at: time(&dice)), player.frameIndex?.progress)
    }
  }

  private static func request(_ scale: Int) -> RenderRequest {
    RenderRequest(box: PixelSize(width: 16 * scale, height: 9 * scale), gravity: .resize)
  }

  private static func time(_ dice: inout Dice) -> MediaTime {
    MediaTime(value: Int64.random(in: -500..<9000, using: &dice), timescale: 1000)
  }

  private static func item(_ stage: RaceStage, _ dice: inout Dice) -> PlayerItem {
    let scripts: [FrameScript] = [
      .constant(count: 200), .constant(count: 150, unit: 1001, scale: 30000, keyEvery: 30),
      .constant(count: 120, keyEvery: 1000), .constant(count: 1),
      .variable((0..<100).map { $0 * 40 + $0 * $0 % 37 }, end: 4100, keyEvery: 9),
    ]
    var faults = ScriptedSource.Faults()
    if Int.random(in: 0..<4, using: &dice) == 0 { faults.progressPerFrame = 2 }
    if Int.random(in: 0..<5, using: &dice) == 0 { faults.landsBehindBy = Int.random(in: 1..<20, using: &dice) }
    if Int.random(in: 0..<8, using: &dice) == 0 { faults.seekThrows = true }
    if Int.random(in: 0..<8, using: &dice) == 0 { faults.landsNowhere = true }
    if Int.random(in: 0..<4, using: &dice) == 0 { faults.holdsBack = Int.random(in: 1..<20, using: &dice) }
    if Int.random(in: 0..<2, using: &dice) == 0 { faults.decodersWait = true }
    let script = scripts.randomElement(using: &dice) ?? .constant(count: 1)
    return stage.makeItem(script, faults: faults, index: index(of: script, &dice))
  }

  /// Returns an index of a source's frame times, wrong now and then.
  private static func index(of script: FrameScript, _ dice: inout Dice) -> IndexScript {
    let some = Set((0..<4).map { _ in Int.random(in: 0..<script.frames.count, using: &dice) })
    let kinds: [IndexScript] = [
      .none, .coming, .coming, .complete, .decoded, .partlyWrong(times: some, randomAccess: []),
      .partlyWrong(times: [], randomAccess: some),
    ]
    return kinds.randomElement(using: &dice) ?? .none
  }

  // MARK: - The end

  /// All stop and go to one place more, exactly.
  private func endsWell(_ stage: RaceStage, _ dice: inout SeededGenerator, _ seed: UInt64) throws {
    let players = stage.players
    let last = Self.request(1)
    var targets: [MediaTime] = []
    for (index, player) in players.enumerated() {
      if player.currentItem == nil { player.replaceCurrentItem(with: Self.item(stage, &dice)) }
      player.pause()
      player.loopRange = nil
      player.actionAtItemEnd = .pause
      stage.outputs[index].request = last
      targets.append(Self.time(&dice))
      stage.seek(player, index, caller: Self.callers, to: targets[index], .zero, .zero)
    }
    try #require(stage.waitForAnswers(), "seed \(seed): seeks without an answer")
    stage.waitForTurns(20)
    for (index, player) in players.enumerated() {
      let what = Comment(rawValue: "seed \(seed), player \(index), to \(targets[index])")
      let item = try #require(player.currentItem, what)
      let id = try #require(stage.id(of: item), what)
      let number = stage.script(of: id).number(at: targets[index])
      #expect(item.status == .readyToPlay, what)
      #expect(!player.isSeeking && player.timeControlStatus == .paused, what)
      let taken = try #require(stage.taken(index), what)
      #expect(player.displayedTiming?.number == number, what)
      #expect(TracedSource.identity(of: taken.image) == (id, number), what)
      #expect(taken.request == last && !taken.isApproximate, what)
      let answer = stage.answers.last { $0.player == index }
      #expect(answer?.caller == Self.callers && answer?.result == .finished, what)
    }
    check(stage, seed)
  }

  /// Every seek is answered once, in the order in which one thread asked; nothing odd was displayed.
  private func check(_ stage: RaceStage, _ seed: UInt64) {
    #expect(stage.faults == [], "seed \(seed)")
    for (index, counts) in stage.asked.enumerated() {
      for (caller, count) in counts.enumerated() {
        let numbers = stage.answers.filter { $0.player == index && $0.caller == caller }.map(\.number)
        #expect(numbers.count == count, "seed \(seed): player \(index), thread \(caller): how many answers")
        let firstWrong = zip(numbers, 0...).first { $0 != $1 }
        #expect(firstWrong == nil, "seed \(seed): player \(index), thread \(caller): order of answers")
      }
    }
  }

  /// Players that are dropped while they seek still answer, and everything is freed.
  private func goes(_ stage: RaceStage, _ seed: UInt64) throws {
    for (index, player) in stage.players.enumerated() {
      for n in 0..<20 {
        stage.seek(player, index, caller: Self.callers, to: seconds(Double(n) / 7), .zero, .zero)
      }
    }
    stage.close()
    try #require(stage.waitForThreads(left: 0), "seed \(seed): the display hangs")
    let players = stage.players.map { WeakBox($0) }
    let items = stage.players.flatMap { [$0.currentItem].compactMap { $0 } + $0.queuedItems }.map { WeakBox($0) }
    stage.free()
    try #require(stage.waitForSourcesToGo(), "seed \(seed): sources stay")
    try #require(stage.waitForAnswers(), "seed \(seed): seeks without an answer")
    #expect(players.allSatisfy { $0.value == nil } && items.allSatisfy { $0.value == nil }, "seed \(seed)")
    check(stage, seed)
  }
}

private struct WeakBox<Value: AnyObject> {
  weak var value: Value?
  init(_ value: Value) { self.value = value }
}
