import Pixels
import Playback
import TestSupport
import Testing

/// Queues that are changed at any moment while they are played, also between the steps in which the next item is opened, and
/// inside them.
///
/// Afterwards the items are those that were put in and not taken out, in their order; what is shown is of the present one; and
/// played out, the queue comes to its last item's end. A failure names its seed: see `TestSeeds`.
@Suite(.timeLimit(.minutes(20))) struct PlayerQueueRandomTests {
  // Behind the first ones, such as have found something.
  static let seeds = TestSeeds.first(12, and: [431, 495])

  /// A player with a queue, and what is known of it.
  private final class Queue {
    let pane: StagePane
    /// The expected present item and those that follow; those that have been played may still stand before them.
    var items: [PlayerItem] = []
    private var sources: [ObjectIdentifier: ScriptedSource] = [:]
    /// True if calls are made inside steps, too, and items have indexes of all kinds.
    let isInside: Bool
    let hook = MomentHook()
    /// Number of calls that may be made inside steps until this is set anew: each may lead to many steps.
    var left = 0
    var player: Player { pane.player }

    init(_ pane: StagePane, isInside: Bool) {
      self.pane = pane
      self.isInside = isInside
    }

    /// Takes note of items that have become the present one by themselves.
    func catchUp() {
      while let first = items.first, first !== player.currentItem, items.count > 1 { items.removeFirst() }
    }

    func makeItem(_ dice: inout SeededGenerator) -> PlayerItem {
      var faults = ScriptedSource.Faults()
      if Int.random(in: 0..<3, using: &dice) == 0 { faults.progressPerFrame = Int.random(in: 1..<5, using: &dice) }
      faults.decodersWait = Bool.random(using: &dice)
      let script = FrameScript.constant(count: Int.random(in: 1..<80, using: &dice), keyEvery: Int.random(in: 1..<40, using: &dice))
      let source = ScriptedSource(script, faults: faults, index: index(of: script, &dice))
      hook.follow(source)
      let item = StagePane.item(source)
      sources[ObjectIdentifier(item)] = source
      return item
    }

    private func index(of script: FrameScript, _ dice: inout SeededGenerator) -> IndexScript {
      guard isInside else { return [.none, .complete].randomElement(using: &dice) ?? .none }
      switch Int.random(in: 0..<5, using: &dice) {
      case 0: return .none
      case 1: return .coming
      case 2: return .complete
      case 3: return .decoded
      default:
        let keys = (0..<3).map { _ in Int.random(in: 0..<script.frames.count, using: &dice) }
        return .partlyWrong(times: [], randomAccess: Set(keys))
      }
    }

    /// Lets an index come that has not come yet.
    func moveIndex(_ dice: inout SeededGenerator) {
      let coming = items.compactMap(source).filter { $0.index?.hasEnded == false }
      guard let source = coming.randomElement(using: &dice) else { return }
      if Bool.random(using: &dice) {
        source.publishIndex(first: Int.random(in: 1...source.script.frames.count, using: &dice))
      } else {
        source.finishIndex(origin: source.index?.orderIsUnreliable == true ? .decode : .packets)
      }
    }

    func source(of item: PlayerItem) -> ScriptedSource? { sources[ObjectIdentifier(item)] }
  }

  @Test(arguments: seeds, [false, true]) func changedAtAnyMoment(seed: UInt64, isLooping: Bool) throws {
    try run(seed, isLooping: isLooping, isInside: false)
  }

  @Test(arguments: seeds, [false, true]) func changedInsideSteps(seed: UInt64, isLooping: Bool) throws {
    try run(seed, isLooping: isLooping, isInside: true)
  }

  private func run(_ seed: UInt64, isLooping: Bool, isInside: Bool) throws {
    var dice = SeededGenerator(seed: seed)
    // What falls inside a step rolls dice of its own: the step may be one of another's roll.
    var inner = SeededGenerator(seed: seed &+ 5000)
    let stage = Stage()
    stage.cacheBudget = [0, 20, 1000].randomElement(using: &dice).map { $0 * StagePane.request.box.area * 3 } ?? 0
    let queues = (0..<2).map { _ in Queue(stage.add(nil), isInside: isInside) }
    if isInside {
      for queue in queues {
        queue.hook.set { _ in
          guard queue.left > 0, Int.random(in: 0..<12, using: &inner) == 0 else { return }
          queue.left -= 1
          queue.catchUp()
          act(queue, isLooping, &inner)
        }
      }
    }
    for _ in 0..<300 {
      let queue = queues[Int.random(in: 0..<2, using: &dice)]
      queue.left = Int.random(in: 1..<4, using: &inner)
      queue.catchUp()
      act(queue, isLooping, &dice)
      for _ in 0..<Int.random(in: 0..<6, using: &dice) { stage.pool.runNextStep() }
      switch Int.random(in: 0..<6, using: &dice) {
      case 0, 1:
        stage.stepNanoseconds = HostTime.random(in: 0..<3, using: &dice) * 10_000_000
        stage.run(seconds: [0.02, 0.3, 2].randomElement(using: &dice) ?? 0)
      case 2: stage.clock.advance(by: HostTime.random(in: 0..<400_000_000, using: &dice))
      case 3: stage.bus.deliver()
      case 4: _ = queue.pane.take(at: stage.clock.now)
      default: break
      }
      queue.catchUp()
      let known = queue.items.map { ObjectIdentifier($0) }
      let found = ([queue.player.currentItem].compactMap { $0 } + queue.player.queuedItems).map { ObjectIdentifier($0) }
      try #require(known == found, "seed \(seed)")
    }
    stage.stepNanoseconds = 0
    for queue in queues { queue.hook.set(nil) }
    for queue in queues { queue.pane.request = StagePane.request }
    for queue in queues { checkPlaying(stage, queue, seed) }
    for queue in queues { try checkAtRest(stage, queue, seed) }
    for queue in queues { try playOut(stage, queue, seed) }
  }

  private func act(_ queue: Queue, _ isLooping: Bool, _ dice: inout SeededGenerator) {
    let player = queue.player
    func roll(_ range: Range<Int>) -> Int { Int.random(in: range, using: &dice) }
    switch roll(0..<(queue.isInside ? 18 : 17)) {
    case 0, 1:
      guard queue.items.count < 6 else { return }
      let item = queue.makeItem(&dice)
      #expect(player.insert(item))
      queue.items.append(item)
    case 2, 3:
      guard queue.items.count < 6, let place = queue.items.indices.randomElement(using: &dice) else { return }
      let item = queue.makeItem(&dice)
      #expect(player.insert(item, after: queue.items[place]))
      queue.items.insert(item, at: place + 1)
    case 4:
      guard let place = queue.items.indices.randomElement(using: &dice) else { return }
      #expect(player.remove(queue.items[place]))
      // The last one stays where there is none to go on to.
      if queue.items.count > 1 { queue.items.remove(at: place) }
    case 5:
      guard roll(0..<4) == 0 else { return }
      player.removeQueuedItems()
      queue.items = Array(queue.items.prefix(1))
    case 6:
      player.advanceToNextItem()
      if queue.items.count > 1 { queue.items.removeFirst() }
    case 7:
      guard roll(0..<4) == 0 else { return }
      let item = queue.makeItem(&dice)
      #expect(player.replaceCurrentItem(with: item))
      queue.items = [item] + queue.items.dropFirst()
    case 8, 9: player.play()
    case 10: player.pause()
    case 11: player.rate = [0.5, 1, 2, 4, -1].randomElement(using: &dice) ?? 1
    case 12: queue.pane.seek(Double(roll(-100..<3200)) / 1000)
    case 13: player.step(byCount: roll(-3..<4))
    case 14: player.actionAtItemEnd = isLooping ? [.loop, .advance, .pause][roll(0..<3)] : .advance
    case 15: queue.pane.request = roll(0..<2) == 0 ? nil : StagePane.request
    case 17: queue.moveIndex(&dice)
    default:
      guard isLooping else { return }
      player.loopLimit = [nil, 1, 2, 3][roll(0..<4)]
      let range = TimeRange(start: seconds(Double(roll(0..<2000)) / 1000), duration: seconds(Double(roll(1..<1000)) / 1000))
      player.loopRange = roll(0..<2) == 0 ? nil : range
    }
  }

  /// Expects forward playback to be on time soon, whatever was before.
  private func checkPlaying(_ stage: Stage, _ queue: Queue, _ seed: UInt64) {
    let player = queue.player
    stage.run(seconds: 1)
    guard player.timeControlStatus == .playing, player.rate > 0, player.loopRange == nil, player.actionAtItemEnd != .loop,
      let source = player.currentItem.flatMap({ queue.source(of: $0) })
    else { return }
    let number = source.script.number(at: player.currentTime())
    let shown = player.displayedTiming?.number ?? -1
    #expect(abs(number - shown) <= max(2, Int(3 * player.rate)), "seed \(seed)")
  }

  private func checkAtRest(_ stage: Stage, _ queue: Queue, _ seed: UInt64) throws {
    let player = queue.player
    player.pause()
    stage.run(seconds: 3)
    queue.catchUp()
    guard let item = player.currentItem else { return #expect(queue.items.isEmpty, "seed \(seed)") }
    let source = try #require(queue.source(of: item), "seed \(seed)")
    let number = source.script.number(at: player.currentTime())
    #expect(player.displayedTiming?.number == number && queue.pane.shown.last?.number == number, "seed \(seed)")
    #expect(!player.isSeeking && !source.hadOverlappingCalls && player.timeControlStatus == .paused, "seed \(seed)")
  }

  /// From the present item's beginning to the last one's end, with every frame once.
  private func playOut(_ stage: Stage, _ queue: Queue, _ seed: UInt64) throws {
    let player = queue.player
    guard player.currentItem != nil else { return }
    (player.loopRange, player.loopLimit, player.actionAtItemEnd) = (nil, nil, .advance)
    queue.pane.seek(0)
    stage.settle()
    queue.pane.shown = []
    let expected = queue.items.flatMap { item in queue.source(of: item).map { Array($0.script.frames.indices) } ?? [] }
    player.rate = 1
    stage.run(seconds: Double(expected.count) * 0.04 + 2)
    #expect(player.currentItem === queue.items.last && player.queuedItems.isEmpty && player.timeControlStatus == .paused, "seed \(seed)")
    #expect(player.displayedTiming?.number == expected.last, "seed \(seed)")
    // The first one is on the screen already.
    let shown = queue.pane.numbers
    #expect(shown == expected || shown == Array(expected.dropFirst()), "seed \(seed)")
  }
}
