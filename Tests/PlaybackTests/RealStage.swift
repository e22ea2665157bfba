import DecodePool
import Playback
import Synchronization
import TestSupport

/// Players on a pool with real threads, and a count of their seeks; safe from any thread.
final class RealStage: Sendable {
  /// Lets several threads ask for deliveries, one at a time.
  final class SharedBus: Sendable {
    let bus: TimeObserverBus
    private let turn = Mutex(())
    init(_ bus: TimeObserverBus) { self.bus = bus }
    func deliver(_ index: Int) { turn.withLock { _ in bus.deliver() } }
  }

  let clock = ManualClock()
  let pool: DecodePool
  let bus: SharedBus
  let players: [Player]
  let outputs: [VideoOutput]
  let sources = Recorder<ScriptedSource>()
  private let counts = Monitor([UInt64: Int]())
  private let nextSeek = Atomic<UInt64>(0)

  init(players count: Int, threads: Int) {
    let pool = DecodePool(threads: threads)
    self.pool = pool
    let timeBus = TimeObserverBus(clock: clock)
    bus = SharedBus(timeBus)
    players = (0..<count).map { _ in Player(context: PlaybackContext(pool: pool, bus: timeBus)) }
    outputs = players.map { VideoOutput($0) }
    for index in 0..<count {
      outputs[index].request = StagePane.request
      replace(index)
    }
  }

  func replace(_ index: Int) {
    let source = ScriptedSource(.constant(count: 250))
    sources.append(source)
    players[index].replaceCurrentItem(with: StagePane.item(source))
  }

  func seek(_ index: Int, _ time: MediaTime) {
    let number = nextSeek.add(1, ordering: .relaxed).newValue
    players[index].seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { [self] _ in
      counts.withLock { $0[number, default: 0] += 1 }
      counts.broadcast()
    }
  }

  /// Waits until every seek has been answered; returns false if some are not.
  func finish() -> Bool {
    let asked = asked
    return counts.becomes { $0.count == asked.count }
  }

  /// The number of answers due to each seek, and of those that came.
  var asked: [UInt64: Int] {
    let count = nextSeek.load(ordering: .relaxed)
    return Dictionary(uniqueKeysWithValues: (1...max(1, count)).map { ($0, 1) })
  }
  var completed: [UInt64: Int] { counts.withLock { $0 } }
}
