import DecodePool
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// Removal, and deliveries from several threads.
@Suite(.timeLimit(.minutes(20))) struct ObserverThreadTests {
  let stage = Stage()

  @Test func removedOnesAreNotCalled() {
    let pane = stage.add(.constant(count: 300))
    pane.player.play()
    stage.settle()
    let mailbox = Mailbox()
    let calls = Recorder<MediaTime>()
    let observer = pane.player.addPeriodicTimeObserver(forInterval: seconds(0.1), on: mailbox) {
      calls.append($0)
    }
    stage.run(seconds: 1)
    // Under way in the mailbox already.
    observer.remove()
    mailbox.run()
    #expect(calls.all.isEmpty)
    observer.remove()
    let keptCalls = Recorder<MediaTime>()
    var token: TimeObserver? = pane.player.addBoundaryTimeObserver(
      forTimes: [seconds(2)], on: InlineExecutor()
    ) {
      calls.append($0)
    }
    let kept = pane.player.addBoundaryTimeObserver(forTimes: [seconds(2)], on: InlineExecutor()) {
      keptCalls.append($0)
    }
    #expect(token != nil)
    token = nil
    stage.run(seconds: 2)
    #expect(keptCalls.all == [seconds(2)] && calls.all.isEmpty)
    withExtendedLifetime(kept) {}
  }

  @Test func anObserverMayRemoveItselfInItsBlock() {
    let pane = stage.add(.constant(count: 300))
    let calls = Recorder<MediaTime>()
    let box = Box(nil)
    let observer = pane.player.addPeriodicTimeObserver(forInterval: seconds(0.1), on: InlineExecutor()) {
      time in
      calls.append(time)
      if calls.all.count == 3 { box.value.withLock { $0?.remove() } }
    }
    box.value.withLock { $0 = observer }
    pane.player.play()
    stage.run(seconds: 3)
    #expect(calls.all.count == 3)
  }

  @Test func removingWaitsForABlockOnAnotherThread() throws {
    let pane = stage.add(.constant(count: 300))
    let state = Monitor((entered: false, mayLeave: false, left: false, removed: false))
    let threads = ForwardingExecutor { work in Self.thread(work) }
    let observer = pane.player.addEventObserver(on: threads) { _ in
      state.withLock { $0.entered = true }
      state.broadcast()
      #expect(state.becomes { $0.mayLeave }, "nobody lets the block leave")
      state.withLock {
        #expect(!$0.removed)
        $0.left = true
      }
    }
    pane.player.play()
    stage.settle()
    try #require(state.becomes { $0.entered }, "the block is never called")
    Self.thread {
      observer.remove()
      state.withLock {
        #expect($0.left)
        $0.removed = true
      }
      state.broadcast()
    }
    // Gives the removal time to be wrong; it cannot be seen waiting.
    #expect(!state.becomes(within: 0.02) { $0.removed })
    state.withLock { $0.mayLeave = true }
    state.broadcast()
    #expect(state.becomes { $0.removed }, "removing never returns")
  }

  @Test func neverAfterRemovalUnderFire() async {
    // Events, deliveries and removals from several threads at once.
    let pane = stage.add(.constant(count: 3000))
    stage.settle()
    let bus = stage.bus
    let player = pane.player
    let clock = stage.clock
    let violations = Recorder<MediaTime>()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for n in 0..<3000 {
          player.rate = n % 2 == 0 ? 1 : 2
          clock.advance(by: 1_000_000)
          bus.deliver()
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<300 {
            let isRemoved = Flag()
            let observer = player.addPeriodicTimeObserver(forInterval: seconds(0.001), on: InlineExecutor()) {
              if isRemoved.raised.load(ordering: .acquiring) { violations.append($0) }
            }
            await Task.yield()
            observer.remove()
            isRemoved.raised.store(true, ordering: .releasing)
          }
        }
      }
    }
    #expect(violations.all.isEmpty)
  }

  @Test func eventsKeepTheirOrderWhileOthersAreAdded() async {
    // Adding an observer must not let another thread's delivery overtake.
    let pane = stage.add(.constant(count: 3000))
    stage.settle()
    let player = pane.player
    let bus = stage.bus
    let rates = Recorder<Double>()
    let observer = player.addEventObserver(on: InlineExecutor()) { event in
      if case .rateChanged(let rate) = event { rates.append(rate) }
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for n in 1...2000 {
          player.rate = 1 + Double(n) / 1000
          bus.deliver()
        }
      }
      group.addTask {
        for _ in 0..<2000 { player.addEventObserver(on: InlineExecutor()) { _ in }.remove() }
      }
    }
    bus.deliver()
    let expected = (1...2000).map { (n: Int) -> Double in 1 + Double(n) / 1000 }
    #expect(rates.all == expected)
    withExtendedLifetime(observer) {}
  }

  @Test func aThreadOfItsOwnDelivers() throws {
    let pool = DecodePool(threads: 1)
    let bus = TimeObserverBus()
    try bus.startDelivering()
    defer { bus.stopDelivering() }
    let player = Player(context: PlaybackContext(pool: pool, bus: bus))
    let state = Monitor([PlayerEvent]())
    let observer = player.addEventObserver(on: InlineExecutor()) { event in
      state.withLock { $0.append(event) }
      state.broadcast()
    }
    let output = VideoOutput(player)
    output.request = StagePane.request
    let source = ScriptedSource(.constant(count: 3, unit: 1, scale: 100))
    player.replaceCurrentItem(with: StagePane.item(source))
    player.play()
    #expect(state.becomes { $0.contains(.playedToEnd) }, "nothing tells the end: \(state.withLock { $0 })")
    // Each once, and in order.
    let told = state.withLock { $0 }.filter { [.itemReady, .rateChanged(1), .playedToEnd].contains($0) }
    #expect(told == [.rateChanged(1), .itemReady, .playedToEnd] || told == [.itemReady, .rateChanged(1), .playedToEnd])
    withExtendedLifetime(observer) {}
  }

  /// A bus that nobody needs any more ends its thread.
  @Test func theThreadEndsWithTheContext() throws {
    let ended = Monitor(false)
    weak var bus: TimeObserverBus?
    do {
      let made = TimeObserverBus(clock: MonotonicClock()) { body in
        Self.thread {
          body()
          ended.withLock { $0 = true }
          ended.broadcast()
        }
      }
      bus = made
      let player = Player(context: PlaybackContext(pool: DecodePool(threads: 0, now: { 0 }), bus: made))
      try made.startDelivering()
      let state = Monitor(false)
      let observer = player.addEventObserver(includesState: true, on: InlineExecutor()) { event in
        guard event == .rateChanged(1) else { return }
        state.withLock { $0 = true }
        state.broadcast()
      }
      player.play()
      #expect(state.becomes { $0 }, "the thread delivers nothing")
      withExtendedLifetime(observer) {}
    }
    #expect(ended.becomes { $0 }, "the thread goes on for nobody")
    #expect(bus == nil)
  }

  private final class Box: Sendable {
    let value: Mutex<TimeObserver?>
    init(_ value: TimeObserver?) { self.value = Mutex(value) }
  }

  private static func thread(_ work: @escaping @Sendable () -> Void) {
    // Not a task: it blocks.
    Thread.detachNewThread { work() }
  }

  private final class Flag: Sendable { let raised = Atomic(false) }
}
