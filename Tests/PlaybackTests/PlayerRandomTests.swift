import Pixels
import Playback
import TestSupport
import Testing

/// Random calls, pool steps and clock moves on several players; afterwards everything must add up.
///
/// Calls fall between the steps of lanes, or also inside them: before and after each call of a source, while the lane holds
/// no lock. A failure names its seed; that one alone, or many, can be chosen in the environment: see `TestSeeds`.
///
/// Sources tell of their frames' times by an index: not at all, from the beginning, as they run, by a decode, or wrongly. What
/// is expected at rest:
/// - The frame on display is the exact one for the present time, as its source gave it, whatever an index tells: a seek goes to
///   a time, and an index only tells how to get there. One that is missing, comes late or is wrong costs more decoding.
/// - Steps by several frames go to the time that an index gives, so that wrong times lead them elsewhere until a frame has
///   refuted them; what is shown there is exact again.
/// - Seeks are answered once; nothing fails and nothing hangs.
@Suite(.timeLimit(.minutes(20))) struct PlayerRandomTests {
  // Behind the first ones, such as have found something.
  static let seeds = TestSeeds.first(
    4, and: [55, 72, 74, 106, 116, 178, 257, 404, 426, 482, 792, 832, 837, 1073, 1183, 1188, 1264, 1486, 1553, 1742])

  static let fewSeeds = TestSeeds.first(4)

  /// Where calls fall, and what sources tell.
  enum Way {
    case betweenSteps, insideSteps, indexed
    /// With decoders that wait where seeks have left them.
    case waiting
    /// Pieces of one clip, put together again.
    case composed
    /// With and without a clock.
    case untimed
    /// These with calls inside steps.
    case waitingInside, composedInside, untimedInside

    static let inside: [Way] = [.waitingInside, .composedInside, .untimedInside]

    var isInside: Bool { self == .insideSteps || self == .indexed || Self.inside.contains(self) }
    var hasWaitingDecoders: Bool { self == .waiting || self == .waitingInside }
    var isComposed: Bool { self == .composed || self == .composedInside }
    var isUntimed: Bool { self == .untimed || self == .untimedInside }
  }

  /// The one dice of a run, whoever rolls it.
  private final class Dice {
    private var generator: SeededGenerator

    init(state: UInt64) { generator = SeededGenerator(seed: state) }

    func roll(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    func chance(_ one: Int) -> Bool { roll(0..<one) == 0 }
  }

  /// Lets calls fall inside the steps of all panes' lanes, a few at a time.
  private final class Intruder {
    /// Calls that may fall until this is set anew: each may lead to many steps.
    var left = 0

    init(_ stage: Stage, _ panes: [StagePane], _ dice: Dice, _ way: Way) {
      for pane in panes {
        pane.setHook { [unowned self, unowned stage] _, pane in
          guard left > 0, dice.chance(12) else { return }
          left -= 1
          let other = dice.chance(4) ? panes[dice.roll(0..<panes.count)] : pane
          PlayerRandomTests.actInside(stage, other, dice, way)
        }
      }
    }

    func end(_ panes: [StagePane]) { for pane in panes { pane.setHook(nil) } }
  }

  private static func actInside(_ stage: Stage, _ pane: StagePane, _ dice: Dice, _ way: Way) {
    switch dice.roll(0..<12) {
    case 0: _ = pane.take(at: stage.clock.now)
    case 1: pane.player.rate = [-0.5, -1, -2, -8][dice.roll(0..<4)]
    case 2: pane.player.cacheBudget = [0, 20, 60, 1000][dice.roll(0..<4)] * StagePane.request.box.area * 3
    case 3: stage.clock.advance(by: HostTime(dice.roll(0..<300)) * 1_000_000)
    case 4: stage.bus.deliver()
    case 5, 6: pane.moveIndex(by: Double(dice.roll(0..<50)) / 100)
    default: act(pane, dice, way)
    }
  }

  private static func script(_ dice: Dice) -> FrameScript {
    switch dice.roll(0..<5) {
    case 0: return .constant(count: 1)
    case 1: return .constant(count: dice.roll(2..<400), unit: 1001, scale: 30000, keyEvery: dice.roll(1..<60))
    case 2:
      var times: [Int64] = [0]
      for _ in 0..<dice.roll(1..<200) { times.append((times.last ?? 0) + Int64(dice.roll(1..<300))) }
      return .variable(times, end: (times.last ?? 0) + 40, keyEvery: dice.roll(1..<20))
    case 3: return .constant(count: 250, keyEvery: 1000)
    default:
      var script = FrameScript.constant(count: dice.roll(50..<300))
      if dice.chance(2) { script.announcedDuration = seconds(Double(dice.roll(0..<20))) }
      if dice.chance(3) { script.announcedDuration = .indefinite }
      return script
    }
  }

  private static func faults(_ dice: Dice, _ way: Way) -> ScriptedSource.Faults {
    var faults = ScriptedSource.Faults()
    faults.decodersWait = way.hasWaitingDecoders
    if way.isComposed {
      // What a clip cannot do is missing in a composition.
      faults.decodersWait = dice.chance(2)
      if dice.chance(4) { faults.progressPerFrame = dice.roll(1..<4) }
      return faults
    }
    if way == .indexed {
      faults.decodersWait = dice.chance(2)
      if dice.chance(4) { faults.holdsBack = dice.roll(1..<20) }
      if dice.chance(4) { faults.numbersAreGuesses = true }
    }
    if dice.chance(4) { faults.progressPerFrame = dice.roll(1..<4) }
    if dice.chance(6) { faults.landsBehindBy = dice.roll(1..<20) }
    if dice.chance(8) { faults.seekThrows = true }
    if dice.chance(8) { faults.landsNowhere = true }
    if dice.chance(8) { faults.endsBefore = dice.roll(1..<100) }
    return faults
  }

  /// Returns the index that the source of a script is to provide.
  private static func index(_ dice: Dice, of script: FrameScript, _ way: Way) -> IndexScript {
    if way.isComposed { return dice.chance(2) ? .complete : .none }
    guard way == .indexed else { return .none }
    func some() -> Set<Int> {
      Set((0..<dice.roll(0..<9)).map { _ in dice.roll(0..<script.frames.count) })
    }
    return switch dice.roll(0..<6) {
    case 0: .none
    case 1, 2: .coming
    case 3: .complete
    case 4: .decoded
    default: .partlyWrong(times: dice.chance(2) ? [] : some(), randomAccess: some())
    }
  }

  private static func add(_ stage: Stage, _ dice: Dice, _ way: Way) -> StagePane {
    let item = item(dice, way)
    return stage.add(item.script, faults: item.faults, index: item.index, cuts: cuts(dice, of: item.script, way))
  }

  /// Where the clip of a composition is cut.
  private static func cuts(_ dice: Dice, of script: FrameScript, _ way: Way) -> [Int] {
    guard way.isComposed else { return [] }
    return (0..<dice.roll(1..<9)).map { _ in dice.roll(0..<script.frames.count + 1) }
  }

  private static func item(_ dice: Dice, _ way: Way) -> (
    script: FrameScript, faults: ScriptedSource.Faults, index: IndexScript
  ) {
    var script = script(dice)
    // A composition is as long as it is said to be.
    if way.isComposed { script.announcedDuration = script.end }
    var faults = faults(dice, way)
    let index = index(dice, of: script, way)
    switch index {
    // A decode that has told all frames has not told any that do not come.
    case .decoded: faults.endsBefore = nil
    case .partlyWrong(let times, _) where !times.isEmpty: faults.endsBefore = nil
    default: break
    }
    return (script, faults, index)
  }

  private static func act(_ pane: StagePane, _ dice: Dice, _ way: Way) {
    let player = pane.player
    if way.isUntimed, dice.chance(6) {
      player.isUntimed.toggle()
      return
    }
    switch dice.roll(0..<16) {
    case 0, 1: player.play()
    case 2: player.pause()
    case 3: player.rate = [0.05, 0.5, 1, 1.5, 2, 3.7, 16][dice.roll(0..<7)]
    case 4, 5, 6:
      let tolerance = [.zero, seconds(0.1), .positiveInfinity][dice.roll(0..<3)]
      let target = Double(dice.roll(-1000..<12_000)) / 1000
      pane.seek(target, before: tolerance, after: dice.chance(2) ? .zero : tolerance)
    case 7: player.step(byCount: dice.roll(-5..<6))
    case 8:
      let request = RenderRequest(
        box: PixelSize(width: dice.roll(1..<9), height: dice.roll(1..<9)), gravity: .resize)
      pane.request = dice.chance(4) ? nil : request
    case 9: player.actionAtItemEnd = [.pause, .loop, .loop, .advance][dice.roll(0..<4)]
    case 10:
      let from = Double(dice.roll(0..<8000)) / 1000
      let range = TimeRange(start: seconds(from), duration: seconds(Double(dice.roll(0..<3000)) / 1000))
      player.loopRange = dice.chance(2) ? nil : range
    case 11: player.cancelPendingSeeks()
    case 12:
      guard dice.chance(4) else { return }
      let item = item(dice, way)
      pane.load(item.script, faults: item.faults, index: item.index, cuts: cuts(dice, of: item.script, way))
    case 13: if dice.chance(8) { player.replaceCurrentItem(with: nil) }
    case 14: player.loopLimit = [nil, 1, 2, 3][dice.roll(0..<4)]
    default:
      let rate = [0, 0.5, 1, 4, -1, -2][dice.roll(0..<6)], target = Double(dice.roll(0..<12_000)) / 1000
      if dice.chance(2) { player.setRate(rate, time: dice.chance(3) ? nil : seconds(target), atHostTime: player.hostTime) }
    }
  }

  @Test(arguments: seeds, [Way.betweenSteps, .insideSteps, .indexed, .composed, .untimed]) func randomCalls(seed: UInt64, way: Way) {
    run(seed, way)
  }

  @Test(arguments: fewSeeds, Way.inside) func randomCallsInsideOfEverything(seed: UInt64, way: Way) {
    run(seed, way)
    runWithRests(seed, way)
  }

  private func run(_ seed: UInt64, _ way: Way) {
    let dice = Dice(state: seed)
    let stage = Stage()
    let panes = (0..<4).map { _ in Self.add(stage, dice, way) }
    let intruder = way.isInside ? Intruder(stage, panes, dice, way) : nil
    for _ in 0..<600 {
      intruder?.left = dice.roll(1..<4)
      let index = dice.roll(0..<4)
      Self.act(panes[index], dice, way)
      if way == .indexed, dice.chance(5) { panes[index].moveIndex(by: Double(dice.roll(0..<50)) / 100) }
      for _ in 0..<dice.roll(0..<6) { stage.pool.runNextStep() }
      if dice.chance(3) { stage.clock.advance(by: HostTime(dice.roll(0..<200_000_000))) }
      switch dice.roll(0..<6) {
      case 0: stage.bus.deliver()
      case 1: _ = panes[index].take(at: stage.clock.now)
      case 2:
        stage.group.seek(panes.map { ($0.player, seconds(2)) }, toleranceBefore: .zero, toleranceAfter: .zero)
      case 3: if dice.chance(10) { stage.group.play(panes.map(\.player)) }
      case 4:
        stage.stepNanoseconds = HostTime(dice.roll(0..<3)) * 20_000_000
        stage.run(seconds: 0.05)
      default: break
      }
    }
    intruder?.end(panes)
    // Everything comes to rest.
    stage.stepNanoseconds = 0
    stage.group.pause(panes.map(\.player))
    for pane in panes {
      pane.player.pause()
      pane.player.isUntimed = false
      pane.request = StagePane.request
    }
    stage.settle()
    stage.run(seconds: 3)
    for pane in panes { check(pane, seed) }
    // And goes on: an exact seek lands, and playing plays.
    for pane in panes where pane.player.currentItem?.status == .readyToPlay {
      pane.player.loopRange = nil
      pane.player.actionAtItemEnd = .pause
      pane.seek(0)
      stage.settle()
      #expect(pane.player.displayedTiming?.number == 0 && pane.player.currentTime() == .zero, "seed \(seed)")
      pane.shown = []
      pane.player.rate = 1
      stage.run(seconds: 0.5)
      let last = min(pane.script.number(at: seconds(0.5)), (pane.source.faults.endsBefore ?? .max) - 1)
      #expect(pane.player.displayedTiming?.number == last, "seed \(seed)")
    }
  }

  /// The number of the frame of a time, to the nanosecond as the clock counts.
  private func present(_ pane: StagePane, at time: MediaTime) -> Int {
    let frames = pane.script.frames.prefix(pane.source.faults.endsBefore ?? .max)
    return max(0, (frames.firstIndex { ($0.pts.nanoseconds ?? 0) > (time.nanoseconds ?? 0) } ?? frames.count) - 1)
  }

  private func check(_ pane: StagePane, _ seed: UInt64) {
    let (asked, outcomes) = (pane.seekCount, pane.seeks.all)
    #expect(
      outcomes.count == asked && Set(outcomes.map(\.number)).count == asked, "seed \(seed): completions")
    #expect(!pane.player.isSeeking && !pane.source.hadOverlappingCalls, "seed \(seed)")
    guard pane.player.currentItem?.status == .readyToPlay else { return }
    let now = pane.player.currentTime()
    let expected = present(pane, at: now)
    #expect(pane.player.displayedTiming?.number == expected, "seed \(seed): shown at \(now)")
    #expect(pane.shown.last?.number == expected, "seed \(seed): taken at \(now)")
    #expect(pane.shown.last?.size == StagePane.request.box, "seed \(seed)")
    #expect(pane.player.timeControlStatus == .paused, "seed \(seed)")
  }

  /// With a machine that is fast again, what plays comes to be on time, whatever was before.
  private func checkPlaying(_ stage: Stage, _ panes: [StagePane], _ seed: UInt64) {
    func isPlaying(_ pane: StagePane) -> Bool {
      pane.player.timeControlStatus == .playing && pane.player.rate != 0 && pane.request != nil && pane.player.loopRange == nil
        && pane.player.actionAtItemEnd != .loop && !pane.player.isUntimed
    }
    let playing = panes.filter(isPlaying)
    stage.run(seconds: 2)
    for pane in playing where isPlaying(pane) {
      let now = pane.player.currentTime()
      let expected = present(pane, at: now)
      // By its time: a number may be a guess.
      let shown = pane.player.displayedTiming.map { pane.script.number(at: $0.pts) } ?? -1
      // Some may be on their way, and at high rates not all are decoded.
      if abs(expected - shown) <= max(2, Int(3 * abs(pane.player.rate))) { continue }
      // Where the machine was slow frames with which decoding can begin may be all that was decoded, ahead or for the way back.
      let isAhead = pane.player.rate > 0 && shown > expected
      let passed = min(expected, shown) + 1..<max(expected, shown)
      #expect(!isAhead && passed.count { pane.script.frames[$0].isKey } < 3, "seed \(seed): \(shown) for \(expected) at \(now)")
    }
  }

  private func add(_ stage: Stage, _ dice: Dice, _ way: Way, cacheBudget: Int) -> StagePane {
    stage.cacheBudget = cacheBudget
    var script = Self.script(dice)
    if way.isComposed { script.announcedDuration = script.end }
    // Scripts without faults, as in the beginning of this test, but for what an index has to do with.
    var faults = ScriptedSource.Faults()
    faults.decodersWait = way != .betweenSteps
    if way == .indexed, dice.chance(4) { faults.holdsBack = dice.roll(1..<20) }
    return stage.add(
      script, faults: faults, index: Self.index(dice, of: script, way), cuts: Self.cuts(dice, of: script, way))
  }

  /// With rests in which memory is filled, little and much of it, backwards too, and pauses at any moment.
  @Test(arguments: seeds, [Way.betweenSteps, .insideSteps, .indexed, .waiting, .composed, .untimed])
  func randomCallsWithRests(seed: UInt64, way: Way) {
    runWithRests(seed, way)
  }

  private func runWithRests(_ seed: UInt64, _ way: Way) {
    let dice = Dice(state: seed &+ 1000)
    let stage = Stage()
    let frameBytes = StagePane.request.box.area * 3
    let panes = (0..<3).map { _ in
      add(stage, dice, way, cacheBudget: [0, 20, 60, 200, 3000][dice.roll(0..<5)] * frameBytes)
    }
    let intruder = way.isInside ? Intruder(stage, panes, dice, way) : nil
    stage.settle()
    for _ in 0..<40 {
      for _ in 0..<dice.roll(1..<6) {
        let index = dice.roll(0..<3)
        Self.act(panes[index], dice, way)
        if way == .indexed, dice.chance(4) { panes[index].moveIndex(by: Double(dice.roll(0..<50)) / 100) }
        if dice.chance(6) { panes[index].player.rate = [-0.5, -1, -2, -8][dice.roll(0..<4)] }
        if dice.chance(20) { panes[index].player.cacheBudget = [0, 60, 1000][dice.roll(0..<3)] * frameBytes }
      }
      intruder?.left = dice.roll(1..<6)
      stage.stepNanoseconds = HostTime([0, 1, 5, 20, 60][dice.roll(0..<5)]) * 1_000_000
      stage.run(seconds: [0, 0.02, 0.2, 0.35, 1, 3][dice.roll(0..<6)])
      for pane in panes {
        #expect(pane.player.cacheByteCount <= max(pane.player.cacheBudget, 32 << 20), "seed \(seed): memory")
      }
      guard dice.chance(4) else { continue }
      intruder?.left = 0
      stage.stepNanoseconds = 0
      for pane in panes where dice.chance(2) {
        pane.player.isUntimed = false
        pane.player.pause()
        pane.request = StagePane.request
      }
      stage.run(seconds: dice.chance(2) ? 0.1 : 2)
      for pane in panes where pane.player.rate == 0 && pane.request == StagePane.request && !pane.player.isUntimed { check(pane, seed) }
      checkPlaying(stage, panes, seed)
    }
    intruder?.end(panes)
    stage.stepNanoseconds = 0
    for pane in panes {
      pane.player.isUntimed = false
      pane.player.pause()
      pane.request = StagePane.request
    }
    stage.run(seconds: 3)
    for pane in panes { check(pane, seed) }
    // And it goes on, from where it rests, and at once.
    for pane in panes where pane.player.currentItem?.status == .readyToPlay {
      pane.player.loopRange = nil
      pane.player.actionAtItemEnd = .pause
      let start = pane.player.currentTime()
      let end = pane.script.frames.last.map { $0.pts + $0.duration } ?? .zero
      pane.player.rate = 1
      stage.run(seconds: 0.5)
      // What was announced may end sooner.
      guard start + seconds(0.6) < min(end, pane.player.duration) else { continue }
      let expected = (start + seconds(0.5)).seconds
      let now = pane.player.currentTime()
      #expect(abs(now.seconds - expected) < 0.01, "seed \(seed): \(now) from \(start)")
      // With little memory to fill at rest, what waits may lack every other frame, as it was decoded while the machine was slow.
      // By its time: a number may be a guess.
      let late = pane.player.displayedTiming.map { present(pane, at: now) - pane.script.number(at: $0.pts) } ?? .max
      #expect((0...(pane.player.cacheBudget <= 60 * frameBytes ? 1 : 0)).contains(late), "seed \(seed)")
      pane.player.rate = -1
      stage.run(seconds: 1)
      let back = pane.player.currentTime()
      #expect(abs(back.seconds - max(0, now.seconds - 1)) < 0.01, "seed \(seed): \(back) from \(now)")
      pane.player.pause()
    }
  }

  /// Runs in which frames that had been left out were taken for the end of the clip, once none were left out any more.
  @Test(arguments: [203, 788] as [UInt64]) func theEndIsNotWhereFramesWereLeftOut(seed: UInt64) {
    runWithRests(seed, .indexed)
  }

  @Test func randomCallsFromManyThreads() async {
    // With a real pool and real threads: completions still come once, and nothing overlaps or hangs.
    let stage = RealStage(players: 4, threads: 3)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<4 {
        group.addTask {
          let dice = Dice(state: UInt64(index) + 99)
          let (player, output) = (stage.players[index], stage.outputs[index])
          for n in 0..<400 {
            switch dice.roll(0..<7) {
            case 0: player.play()
            case 1: player.pause()
            case 2, 3: stage.seek(index, seconds(Double(dice.roll(0..<9000)) / 1000))
            case 4: player.step(byCount: dice.roll(-2..<3))
            case 5: output.request = dice.chance(5) ? nil : StagePane.request
            default: _ = output.take(at: stage.clock.now)
            }
            stage.clock.advance(by: 3_000_000)
            if n % 20 == 0 { stage.bus.deliver(index) }
            if n % 10 == 0 { await Task.yield() }
            if n == 200 && index == 0 { stage.replace(0) }
          }
          output.request = StagePane.request
        }
      }
    }
    #expect(stage.finish(), "seeks without an answer")
    #expect(stage.completed == stage.asked)
    #expect(stage.sources.all.allSatisfy { !$0.hadOverlappingCalls })
  }
}
