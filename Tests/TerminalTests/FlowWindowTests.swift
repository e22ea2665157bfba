import Testing

@testable import Terminal

private let millisecond: UInt64 = 1_000_000
private let second: UInt64 = 1_000_000_000

@Suite(.timeLimit(.minutes(20))) struct FlowWindowTests {
  @Test(arguments: [true, false])
  func slowLinkStaysShortAndFull(isProbed: Bool) {
    var window = FlowWindow(cellCount: 200 * 56)
    var link = SimulatedLink(rate: 125_000, roundTrip: 100 * millisecond, capacity: 256 << 10)
    if isProbed { window.didProbe(roundTrip: 101 * millisecond, at: 0) }
    let first = run(&window, &link, seconds: 2, offered: 400_000)
    #expect(first.worstDelay < 0.15)
    #expect(first.updates >= 8)
    let before = link.delivered
    let later = run(&window, &link, from: 2 * second, seconds: 60, offered: 400_000)
    #expect(later.worstDelay < 0.15)
    #expect(Double(later.updates) / 60 >= 15)
    #expect(Double(link.delivered - before) >= 0.8 * 125_000 * 60)
    let gaps = zip(later.updateTimes, later.updateTimes.dropFirst()).map { $1 - $0 }
    #expect((gaps.max() ?? 0) < second / 2)
    #expect((window.minRoundTrip ?? 0) < 150 * millisecond)
  }

  @Test(arguments: [1.0, 5, 20, 100, 400], [10_000.0, 125_000, 1_000_000, 10_000_000])
  func everyLinkIsUsedAndNotFlooded(milliseconds: Double, rate: Double) {
    var window = FlowWindow(cellCount: 200 * 56)
    let roundTrip = UInt64(milliseconds * 1e6)
    var link = SimulatedLink(rate: rate, roundTrip: roundTrip, capacity: 256 << 10)
    // The probe's bytes are few, but they take their time too.
    window.didProbe(roundTrip: roundTrip + UInt64(40 / rate * 1e9), at: 0)
    let start = run(&window, &link, seconds: 5, offered: 400_000)
    #expect(start.worstDelay < 0.9)
    let before = link.delivered
    let later = run(&window, &link, from: 5 * second, seconds: 20, offered: 400_000)
    let wanted = min(rate, 400_000 * 30)
    #expect(Double(link.delivered - before) >= 0.8 * wanted * 20)
    #expect(later.worstDelay < 0.2)
    #expect(Double(later.updates) / 20 >= 5)
  }

  /// A machine that makes fewer updates than are wanted sends less than the link takes, which says nothing of the link.
  @Test(arguments: [40, 60, 100, 150]) func aBusyMachineIsNoSlowLink(interval: UInt64) {
    var window = FlowWindow(cellCount: 200 * 56)
    var link = SimulatedLink(rate: 125_000, roundTrip: 100 * millisecond, capacity: 256 << 10)
    window.didProbe(roundTrip: 101 * millisecond, at: 0)
    _ = run(&window, &link, seconds: 5, offered: 400_000)
    _ = run(&window, &link, from: 5 * second, seconds: 21, offered: 400_000, step: interval * millisecond)
    let before = link.delivered
    let later = run(&window, &link, from: 26 * second, seconds: 2, offered: 400_000)
    #expect(Double(link.delivered - before) >= 0.9 * 125_000 * 2)
    #expect(later.worstDelay < 0.15)
  }

  /// Bytes that arrive in bursts look late for a moment; the link is used all the same, soon after the start.
  @Test(arguments: [1, 4096, 8192], [125_000.0, 1_000_000])
  func aLinkThatDeliversInBurstsIsUsed(burst: Int, rate: Double) {
    var window = FlowWindow(cellCount: 200 * 56)
    window.frameRate = 24
    var link = SimulatedLink(rate: rate, roundTrip: 100 * millisecond, capacity: 4 << 20)
    link.burst = burst
    window.didProbe(roundTrip: 104 * millisecond, at: 0)
    // Chrome, such as the clock, goes out beside the frames.
    let first = run(&window, &link, seconds: 2, offered: 400_000, chromeRate: 11)
    #expect(first.worstDelay < 0.13)
    // Near the whole of what can have arrived by then.
    #expect(Double(link.delivered) >= (burst < 8192 ? 0.65 : 0.5) * rate * 1.9)
    let before = link.delivered
    let later = run(&window, &link, from: 2 * second, seconds: 20, offered: 400_000, chromeRate: 11)
    #expect(Double(link.delivered - before) >= (burst < 8192 ? 0.95 : 0.85) * rate * 20)
    #expect(later.worstDelay < 0.13)
    #expect(later.delays.sorted()[later.delays.count / 2] < 0.05)
    #expect((19...27).contains(Double(later.updates) / 20))
  }

  /// Other traffic ends, or a phone finds a better net: the link is used as it is now, soon.
  @Test(arguments: [2.0, 8, 30]) func aLinkThatBecomesFasterIsUsed(times: Double) {
    var window = FlowWindow(cellCount: 200 * 56)
    var link = SimulatedLink(rate: 125_000, roundTrip: 100 * millisecond, capacity: 256 << 10)
    window.didProbe(roundTrip: 104 * millisecond, at: 0)
    _ = run(&window, &link, seconds: 10, offered: 400_000)
    link.rate = 125_000 * times
    _ = run(&window, &link, from: 10 * second, seconds: 5, offered: 400_000)
    let before = link.delivered
    let later = run(&window, &link, from: 15 * second, seconds: 5, offered: 400_000)
    #expect(Double(link.delivered - before) >= 0.85 * link.rate * 5)
    #expect(later.worstDelay < 0.2)
  }

  /// Whenever there is a cut or a seek, the update that shows it is let out within a round trip and 100 ms, where as many as 15
  /// a second are wanted (of a very rough frame there are fewer, and it waits up to twice their time). At rest it goes out
  /// at once, and needs no more than 100 ms to leave, so that it is seen a round trip and 100 ms after the key.
  @Test(arguments: [(20.0, 125_000.0), (100, 125_000), (100, 1_250_000), (300, 25_000)], [15.0, 30])
  func theFirstUpdateOfACutIsNotHeld(link way: (milliseconds: Double, rate: Double), frameRate: Double) {
    var window = FlowWindow(cellCount: 200 * 56)
    window.frameRate = frameRate
    let roundTrip = UInt64(way.milliseconds * 1e6)
    var link = SimulatedLink(rate: way.rate, roundTrip: roundTrip, capacity: 256 << 10)
    window.didProbe(roundTrip: roundTrip, at: 0)
    _ = run(&window, &link, seconds: 10, offered: 400_000, chromeRate: 11)
    let outcome = run(&window, &link, from: 10 * second, seconds: 30, offered: 400_000, chromeRate: 11)
    let times = [10 * second] + outcome.updateTimes + [40 * second]
    let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
    #expect(longest <= roundTrip + 100 * millisecond, "\(longest / millisecond) ms")
    // All that was sent is answered. Nothing is lost at rest, so all frames are wanted again.
    link.advance(from: 40 * second, to: 42 * second)
    let now = 42 * second + roundTrip
    for _ in 0..<link.takeReplies(at: now) { window.didAcknowledge(at: now) }
    #expect(window.outstanding == 0)
    window.frameRate = 30
    guard case .open(let budget) = window.allowance(at: now) else {
      Issue.record("the window is closed at rest")
      return
    }
    #expect(Double(budget ?? .max) / way.rate <= 0.1, "\(budget ?? .max) bytes")
  }

  /// Fewer updates are larger, and the link is used as before.
  @Test(arguments: [8.0, 9, 10, 12, 14, 16, 19, 20, 24, 30]) func fewerUpdatesUseTheWholeLink(frameRate: Double) {
    var window = FlowWindow(cellCount: 200 * 56)
    window.frameRate = frameRate
    var link = SimulatedLink(rate: 125_000, roundTrip: 100 * millisecond, capacity: 256 << 10)
    window.didProbe(roundTrip: 104 * millisecond, at: 0)
    _ = run(&window, &link, seconds: 3, offered: 400_000, chromeRate: 11)
    let before = link.delivered
    let later = run(&window, &link, from: 3 * second, seconds: 20, offered: 400_000, chromeRate: 11)
    #expect(Double(link.delivered - before) >= 0.93 * link.rate * 20)
    #expect((frameRate * 0.9...frameRate * 1.5).contains(Double(later.updates) / 20), "\(Double(later.updates) / 20)")
    #expect(later.worstDelay < 0.25)
  }

  /// A link that is shared is used up to what is asked for, with as many updates as before.
  @Test(arguments: [1.0, 100], [20_000.0, 60_000])
  func noMoreThanIsAskedForIsSent(milliseconds: Double, maxRate: Double) {
    var window = FlowWindow(cellCount: 200 * 56)
    window.maxRate = maxRate
    let roundTrip = UInt64(milliseconds * 1e6)
    var link = SimulatedLink(rate: 1_000_000, roundTrip: roundTrip, capacity: 256 << 10)
    window.didProbe(roundTrip: roundTrip, at: 0)
    let outcome = run(&window, &link, seconds: 30, offered: 400_000)
    #expect(Double(outcome.bytes) <= 1.01 * maxRate * 30 && Double(outcome.bytes) >= 0.9 * maxRate * 30)
    #expect(Double(outcome.updates) / 30 >= 15)
    let end = 30 * second
    #expect(window.opening(after: end + second) == nil)
    _ = window.didSend(bytes: Int(maxRate), at: end + second)
    for _ in 0..<window.outstanding { window.didAcknowledge(at: end + second) }
    let opening = window.opening(after: end + second) ?? 0
    #expect(window.allowance(at: opening - 1) == .closed && window.allowance(at: opening) != .closed)
  }

  /// Few bytes a second are few for each update, and no fewer than five of them.
  @Test(arguments: [1000.0, 1150, 1300], [8.0, 30]) func theLeastRateHasFiveUpdatesASecond(maxRate: Double, frameRate: Double) {
    var window = FlowWindow(cellCount: 200 * 56)
    (window.maxRate, window.frameRate) = (maxRate, frameRate)
    window.didProbe(roundTrip: 20 * millisecond, at: 0)
    var link = SimulatedLink(rate: 1_000_000, roundTrip: 20 * millisecond, capacity: 256 << 10)
    let outcome = run(&window, &link, seconds: 20, offered: 400_000)
    #expect(outcome.updates >= 100 && Double(outcome.bytes) <= maxRate * 20.5)
  }

  @Test func nearTerminalIsNeverThrottled() {
    var window = FlowWindow(cellCount: 200 * 56)
    var link = SimulatedLink(rate: 100_000_000, roundTrip: 200_000, capacity: 64 << 10)
    window.didProbe(roundTrip: 300_000, at: 0)
    let result = run(&window, &link, seconds: 30, offered: 400_000, step: 100_000)
    #expect(result.updates >= 890)
    // The first few feel their way.
    #expect(result.whole >= result.updates - 6)
  }

  @Test func nearTerminalThatShowsLittleMayShowMuch() {
    var window = FlowWindow(cellCount: 200 * 56)
    var link = SimulatedLink(rate: 100_000_000, roundTrip: 200_000, capacity: 64 << 10)
    window.didProbe(roundTrip: 300_000, at: 0)
    _ = run(&window, &link, seconds: 20, offered: 200, step: 100_000)
    // One stall of 200 ms is no reason to become shy.
    link.isStopped = true
    _ = run(&window, &link, from: 20 * second, seconds: 0.2, offered: 200, step: 100_000)
    link.isStopped = false
    _ = run(&window, &link, from: 20 * second + second / 5, seconds: 1, offered: 200, step: 100_000)
    let much = run(&window, &link, from: 22 * second, seconds: 5, offered: 400_000, step: 100_000)
    #expect(much.updates >= 149)
    #expect(much.whole >= much.updates - 6)
  }

  /// Chrome alone may take more than was asked for: then it waits, too, and frames have their turn.
  @Test func chromeKeepsToTheRateThatIsAskedFor() {
    var window = FlowWindow(cellCount: 200 * 56)
    window.didProbe(roundTrip: millisecond, at: 0)
    window.maxRate = 1000
    var now: UInt64 = 0
    var bytes = 0
    var updates = 0
    while now < 60 * second {
      now += 100 * millisecond
      var hasSent = false
      // As the program does: what is not urgent waits, and goes out with a frame where there may be one.
      guard window.chromeOpening(after: now) == nil else { continue }
      bytes += 300
      if case .open(let budget) = window.allowance(at: now) {
        bytes += budget ?? 0
        updates += 1
        hasSent = window.didSend(bytes: 300 + (budget ?? 0), at: now)
      } else {
        hasSent = window.didSend(bytes: 300, hasFrames: false, at: now)
      }
      if hasSent { window.didAcknowledge(at: now + millisecond) }
    }
    #expect(bytes <= 62_000)
    #expect(updates >= 60)
    window.maxRate = nil
    #expect(window.chromeOpening(after: now) == nil)
  }

  @Test func aRateThatChangesIsFollowed() {
    var window = FlowWindow(cellCount: 200 * 56)
    var link = SimulatedLink(rate: 1_000_000, roundTrip: 40 * millisecond, capacity: 1 << 20)
    window.didProbe(roundTrip: 40 * millisecond, at: 0)
    _ = run(&window, &link, seconds: 5, offered: 400_000)
    link.rate = 100_000
    _ = run(&window, &link, from: 5 * second, seconds: 5, offered: 400_000)
    let slow = run(&window, &link, from: 10 * second, seconds: 10, offered: 400_000)
    #expect(slow.worstDelay < 0.2)
    link.rate = 1_000_000
    _ = run(&window, &link, from: 20 * second, seconds: 5, offered: 400_000)
    let before = link.delivered
    _ = run(&window, &link, from: 25 * second, seconds: 5, offered: 400_000)
    #expect(Double(link.delivered - before) >= 0.8 * 1_000_000 * 5)
  }

  /// Also where the clock and the bars go on all the time, so that something is always on its way.
  @Test(arguments: [(10, 300, 0.0), (10, 300, 11), (50, 150, 11), (100, 400, 25)] as [(UInt64, UInt64, Double)])
  func aLongerWayIsNoticed(short: UInt64, long: UInt64, chromeRate: Double) {
    var window = FlowWindow(cellCount: 200 * 56)
    var link = SimulatedLink(rate: 500_000, roundTrip: short * millisecond, capacity: 1 << 20)
    window.didProbe(roundTrip: short * millisecond, at: 0)
    _ = run(&window, &link, seconds: 5, offered: 400_000, chromeRate: chromeRate)
    link.roundTrip = long * millisecond
    _ = run(&window, &link, from: 5 * second, seconds: 20, offered: 400_000, chromeRate: chromeRate)
    let before = link.delivered
    let later = run(&window, &link, from: 25 * second, seconds: 10, offered: 400_000, chromeRate: chromeRate)
    #expect((window.minRoundTrip ?? 0) >= long * millisecond)
    #expect(Double(link.delivered - before) >= 0.7 * 500_000 * 10)
    let gaps = zip(later.updateTimes, later.updateTimes.dropFirst()).map { $1 - $0 }
    #expect((gaps.max() ?? 0) < second)
  }

  @Test func nothingGoesOnTopOfWhatTheKernelDoesNotTake() {
    let window = FlowWindow(cellCount: 1000)
    #expect(window.allowance(at: 0, isWriterEmpty: false) == .closed)
  }

  @Test func idleSendsNothing() {
    var window = FlowWindow(cellCount: 1000)
    _ = window.didSend(bytes: 10, at: 0)
    window.didAcknowledge(at: millisecond)
    #expect(window.deadline == nil)
    #expect(window.expire(at: 1000 * second) == false)
    // An answer nobody asked for.
    window.didAcknowledge(at: 1001 * second)
    #expect(window.outstanding == 0)
  }
}
