import Testing

@testable import Terminal

private let millisecond: UInt64 = 1_000_000
private let second: UInt64 = 1_000_000_000

/// Terminals that do not answer, for a while or for ever, and answers that get lost.
@Suite(.timeLimit(.minutes(20))) struct FlowSilenceTests {
  /// A window over a link of 1 Mbit/s and 100 ms that it has probed, with so many bytes of buffer.
  private static func slowLink(capacity: Int) -> (FlowWindow, SimulatedLink) {
    var window = FlowWindow(cellCount: 200 * 56)
    window.didProbe(roundTrip: 100 * millisecond, at: 0)
    return (window, SimulatedLink(rate: 125_000, roundTrip: 100 * millisecond, capacity: capacity))
  }

  @Test func aTerminalThatNeverAnswersGetsWhatItTakes() {
    var window = FlowWindow(cellCount: 200 * 56)
    var link = SimulatedLink(rate: 50_000_000, roundTrip: millisecond, capacity: 64 << 10)
    link.answers = false
    let first = run(&window, &link, seconds: 4, offered: 100_000)
    #expect(first.updates >= 2)
    let later = run(&window, &link, from: 4 * second, seconds: 10, offered: 100_000)
    #expect(later.updates >= 290)
    #expect(later.whole == later.updates)
    #expect(window.outstanding == 0)
    #expect(window.deadline == nil)
    // When it begins to answer, the window is back.
    link.answers = true
    _ = run(&window, &link, from: 14 * second, seconds: 10, offered: 100_000)
    #expect(window.hasAnswered)
    #expect(window.minRoundTrip != nil)
  }

  @Test func aTerminalThatStopsIsNotFlooded() {
    var (window, link) = Self.slowLink(capacity: 2 << 20)
    _ = run(&window, &link, seconds: 10, offered: 400_000)
    link.isStopped = true
    _ = run(&window, &link, from: 10 * second, seconds: 5, offered: 400_000)
    // What waits for it when it goes on is little, so that it shows the present soon.
    #expect(link.queued < 100_000)
    link.isStopped = false
    _ = run(&window, &link, from: 15 * second, seconds: 3, offered: 400_000)
    let before = link.delivered
    let after = run(&window, &link, from: 18 * second, seconds: 10, offered: 400_000)
    #expect(after.worstDelay < 0.15)
    #expect(Double(link.delivered - before) >= 0.8 * 125_000 * 10)
  }

  /// Each time all answers come at last, so none may be taken for that of a later query: the way would seem shorter than it is.
  @Test(arguments: [1.2, 2.5, 4.5]) func aLinkThatStandsStillAgainAndAgain(pause: Double) {
    var (window, link) = Self.slowLink(capacity: 2 << 20)
    var now = UInt64(0)
    func pass(_ seconds: Double) {
      _ = run(&window, &link, from: now, seconds: seconds, offered: 400_000, chromeRate: 11)
      now += UInt64(seconds * 1e9)
    }
    pass(5)
    for _ in 0..<4 {
      link.isStopped = true
      pass(pause)
      link.isStopped = false
      pass(3)
      #expect(window.minRoundTrip ?? 0 >= 100 * millisecond)
      let before = link.delivered
      pass(5)
      #expect(Double(link.delivered - before) >= 0.9 * 125_000 * 5)
    }
  }

  /// Where nothing moves, nobody asks whether the terminal takes updates again but the window itself.
  @Test func aSilentTerminalIsTriedAgainInTime() {
    var (window, link) = Self.slowLink(capacity: 2 << 20)
    _ = run(&window, &link, seconds: 5, offered: 400_000)
    link.isStopped = true
    var now = 5 * second
    while let deadline = window.deadline {
      now = deadline
      _ = window.expire(at: now)
    }
    for _ in 0..<3 {
      #expect(window.allowance(at: now) == .closed)
      let opening = window.opening(after: now)
      #expect(opening.map { $0 - now <= 5 * second } ?? false)
      now = opening ?? now
      #expect(window.allowance(at: now) != .closed)
      let isFollowedByQuery = window.didSend(bytes: 1000, at: now)
      #expect(isFollowedByQuery)
    }
  }

  @Test func aLongSilenceFillsNoBuffers() {
    var (window, link) = Self.slowLink(capacity: 16 << 20)
    _ = run(&window, &link, seconds: 5, offered: 400_000)
    link.isStopped = true
    _ = run(&window, &link, from: 5 * second, seconds: 60, offered: 400_000, step: millisecond)
    #expect(link.queued < 500_000)
  }

  /// Each later answer is taken for that of the query before, until a silence tells; also beside chrome that is asked about.
  @Test(arguments: [(100.0, 125_000.0), (20, 125_000), (0.5, 5_000_000), (300, 25_000)], [1, 2, 4, 8])
  func lostAnswersAreNotMissedForEver(link way: (milliseconds: Double, rate: Double), count: Int) {
    for chromeRate in [0.0, 11] {
      var window = FlowWindow(cellCount: 200 * 56)
      let roundTrip = UInt64(way.milliseconds * 1e6)
      var link = SimulatedLink(rate: way.rate, roundTrip: roundTrip, capacity: 256 << 10)
      window.didProbe(roundTrip: roundTrip, at: 0)
      _ = run(&window, &link, seconds: 5, offered: 400_000, chromeRate: chromeRate)
      link.losing = count
      _ = run(&window, &link, from: 5 * second, seconds: 40, offered: 400_000, chromeRate: chromeRate)
      let before = link.delivered
      let later = run(&window, &link, from: 45 * second, seconds: 10, offered: 400_000, chromeRate: chromeRate)
      #expect(Double(link.delivered - before) >= 0.85 * way.rate * 10, "chrome \(chromeRate)")
      #expect(later.worstDelay < max(0.2, 2 * way.milliseconds / 1000))
    }
  }

  @Test(arguments: [0.1, 0.5, 2, 6]) func aTimeWithoutAnswersIsGotOver(seconds: Double) {
    for (milliseconds, rate) in [(100.0, 125_000.0), (20, 125_000), (0.5, 5_000_000)] {
      var window = FlowWindow(cellCount: 200 * 56)
      let roundTrip = UInt64(milliseconds * 1e6)
      var link = SimulatedLink(rate: rate, roundTrip: roundTrip, capacity: 256 << 10)
      window.didProbe(roundTrip: roundTrip, at: 0)
      _ = run(&window, &link, seconds: 5, offered: 400_000, chromeRate: 11)
      link.answers = false
      _ = run(&window, &link, from: 5 * second, seconds: seconds, offered: 400_000, chromeRate: 11)
      link.answers = true
      let back = 5 * second + UInt64(seconds * 1e9)
      _ = run(&window, &link, from: back, seconds: 35, offered: 400_000, chromeRate: 11)
      let before = link.delivered
      _ = run(&window, &link, from: back + 35 * second, seconds: 5, offered: 400_000, chromeRate: 11)
      #expect(Double(link.delivered - before) >= 0.85 * rate * 5, "\(milliseconds) ms")
    }
  }

  @Test func threeMissesAndALaterProbe() {
    var window = FlowWindow(cellCount: 1000)
    #expect(window.deadline == nil)
    #expect(window.didSend(bytes: 10, at: 0) == true)
    #expect(window.deadline == second)
    #expect(window.expire(at: second - 1) == false)
    #expect(window.expire(at: second) == true)
    #expect(window.expire(at: 2 * second) == true)
    #expect(window.expire(at: 3 * second) == false)
    #expect(window.deadline == nil)
    #expect(window.allowance(at: 3 * second) == .open(budget: nil))
    #expect(window.didSend(bytes: 10, at: 3 * second) == false)
    #expect(window.didSend(bytes: 10, at: 8 * second) == true)
    window.didAcknowledge(at: 8 * second + millisecond)
    #expect(window.didSend(bytes: 10, at: 9 * second + 2 * millisecond) == true)
    #expect(window.outstanding == 1)
  }

  @Test func answersFromBeforeAResetSayNothing() {
    var window = FlowWindow(cellCount: 1000)
    window.didProbe(roundTrip: 100 * millisecond, at: 0)
    _ = window.didSend(bytes: 10, at: second)
    window.reset(at: second + millisecond)
    #expect(window.outstanding == 0)
    _ = window.didSend(bytes: 10, at: second + 99 * millisecond)
    window.didAcknowledge(at: second + 100 * millisecond)
    #expect(window.outstanding == 1)
    window.didAcknowledge(at: second + 199 * millisecond)
    #expect(window.outstanding == 0)
    #expect(window.minRoundTrip == 100 * millisecond)
  }

  /// Answers owed while a link stands still are owed until they have come, here or elsewhere.
  @Test func answersThatAreOwed() {
    var window = FlowWindow(cellCount: 1000)
    window.didProbe(roundTrip: 100 * millisecond, at: 0)
    #expect(!window.isOwedAnswers)
    _ = window.didSend(bytes: 10, at: millisecond)
    window.didAcknowledge(at: 101 * millisecond)
    #expect(!window.isOwedAnswers)
    _ = window.didSend(bytes: 10, at: 200 * millisecond)
    for moment: UInt64 in 2...6 { _ = window.expire(at: moment * second) }
    #expect(window.outstanding == 0 && window.isOwedAnswers)
    window.forgetOwed()
    #expect(!window.isOwedAnswers)
    window.reset(at: 7 * second, terminalMayBeAnother: true)
    // The next answers are those of what is sent from here on.
    _ = window.didSend(bytes: 10, at: 7 * second)
    window.didAcknowledge(at: 7 * second + 50 * millisecond)
    #expect(window.outstanding == 0 && window.minRoundTrip == 50 * millisecond)
  }
}
