import TestSupport
import Testing

@testable import Terminal

private let millisecond: UInt64 = 1_000_000
private let second: UInt64 = 1_000_000_000

/// Multiplexers, which may answer instead of the terminal.
@Suite(.timeLimit(.minutes(20))) struct FlowMultiplexerTests {
  /// Returns a window that asks the terminal through tmux, over a link that it has got to know.
  private static func known(
    rate: Double = 125_000, roundTrip: UInt64 = 100 * millisecond
  ) -> (window: FlowWindow, link: SimulatedLink) {
    var window = FlowWindow(cellCount: 200 * 56, multiplexer: .tmux, hiddenLink: .stream)
    var link = SimulatedLink(rate: rate, roundTrip: roundTrip, capacity: 4 << 20)
    _ = run(&window, &link, seconds: 10, offered: 400_000, chromeRate: 11)
    return (window, link)
  }

  @Test func multiplexersGetEightBytesACell() {
    var window = FlowWindow(cellCount: 1000, multiplexer: .tmux)
    window.didProbe(roundTrip: millisecond, at: 0)
    var link = SimulatedLink(rate: 1e9, roundTrip: 100_000, capacity: 1 << 20)
    _ = run(&window, &link, seconds: 1, offered: 40_000)
    let result = run(&window, &link, from: second, seconds: 5, offered: 40_000)
    #expect(result.updates >= 149)
    #expect(result.bytes == result.updates * 8000)
    var unresponsive = FlowWindow(cellCount: 1000, multiplexer: .tmux)
    link.answers = false
    _ = run(&unresponsive, &link, seconds: 5, offered: 40_000)
    #expect(unresponsive.allowance(at: 5 * second) == .open(budget: 8000))
  }

  /// Asked through tmux, a terminal far away tells what its link takes, though tmux itself is near.
  @Test func aLinkBehindAMultiplexerIsAskedThroughIt() {
    var window = FlowWindow(cellCount: 200 * 56, multiplexer: .tmux, hiddenLink: .stream)
    var link = SimulatedLink(rate: 125_000, roundTrip: 100 * millisecond, capacity: 4 << 20)
    window.didProbe(roundTrip: millisecond, at: 0)
    #expect(window.query == Array("\u{1B}Ptmux;\u{1B}\u{1B}[5n\u{1B}\\".utf8))
    let inScreen = FlowWindow(cellCount: 200 * 56, multiplexer: .screen, hiddenLink: .stream)
    #expect(inScreen.query == Array("\u{1B}P\u{1B}[5n\u{1B}\\".utf8))
    let first = run(&window, &link, seconds: 3, offered: 400_000)
    #expect(first.worstDelay < 0.9)
    let before = link.delivered
    let later = run(&window, &link, from: 3 * second, seconds: 20, offered: 400_000)
    #expect(Double(link.delivered - before) >= 0.9 * 125_000 * 20)
    #expect(later.worstDelay < 0.3)
    #expect(window.query.starts(with: "\u{1B}Ptmux;".utf8))
    #expect(window.terminalRoundTrip.map { $0 >= 100 * millisecond } ?? false)
  }

  /// Each answer breaks a command that was begun with the multiplexer's prefix key: there must be time between them. A key is
  /// seen after what is queued, the way, and an update.
  @Test(arguments: [(20.0, 125_000.0), (100, 25_000), (100, 125_000), (100, 1_000_000), (300, 125_000), (5, 5_000_000)])
  func commandsOfTheMultiplexerHaveTime(link way: (milliseconds: Double, rate: Double)) {
    var (window, link) = Self.known(rate: way.rate, roundTrip: UInt64(way.milliseconds * 1e6))
    let before = link.delivered
    let outcome = run(&window, &link, from: 10 * second, seconds: 40, offered: 400_000, chromeRate: 11)
    let share = outcome.share(without: 0.2, from: 10 * second, to: 50 * second)
    #expect(share >= 0.7, "\(share)")
    // As many bytes as a multiplexer is sent at the most.
    let wanted = min(way.rate, 30 * 8 * 200 * 56)
    #expect(Double(link.delivered - before) >= 0.85 * wanted * 40, "\(Double(link.delivered - before) / 40)")
    #expect(outcome.worstDelay < 0.3, "\(outcome.worstDelay)")
    let gaps = zip(outcome.updateTimes, outcome.updateTimes.dropFirst()).map { $1 - $0 }
    #expect((gaps.max() ?? 0) < second / 2 + UInt64(way.milliseconds * 1e6))
  }

  /// A link that becomes slower or faster is used as it is, somewhat later than where each update is asked about.
  @Test(arguments: [0.2, 0.5, 2, 8]) func aLinkBehindAMultiplexerThatChangesIsFollowed(times: Double) {
    var (window, link) = Self.known()
    link.rate = 125_000 * times
    _ = run(&window, &link, from: 10 * second, seconds: 30, offered: 400_000, chromeRate: 11)
    let before = link.delivered
    let outcome = run(&window, &link, from: 40 * second, seconds: 20, offered: 400_000, chromeRate: 11)
    #expect(Double(link.delivered - before) >= 0.8 * link.rate * 20, "\(Double(link.delivered - before) / 20)")
    #expect(outcome.worstDelay < 0.3, "\(outcome.worstDelay)")
  }

  /// A multiplexer makes more or fewer bytes of what it is sent, now and then: what waits in a queue then is soon less.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func aLinkBehindAMultiplexerThatWaversHasNoLongQueue(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (window, link) = Self.known()
    var delays: [Double] = []
    var possible = 0.0
    let before = link.delivered
    for n in 0..<40 {
      link.rate = 125_000 * Double.random(in: 0.7...1, using: &random)
      possible += link.rate
      delays += run(
        &window, &link, from: (10 + UInt64(n)) * second, seconds: 1, offered: 400_000, chromeRate: 11).delays
    }
    let p95 = delays.sorted()[delays.count * 95 / 100]
    #expect(p95 < 0.25 && delays.max() ?? 1 < 0.6, "\(p95), \(delays.max() ?? 0)")
    #expect(Double(link.delivered - before) >= 0.8 * possible)
  }

  /// Answers that come as keys go to the pane that is active: when one stays away, no more are asked for.
  @Test func anotherPaneGetsOneAnswerAtMost() {
    var (window, link) = Self.known()
    link.answers = false
    let away = run(&window, &link, from: 10 * second, seconds: 20, offered: 400_000, chromeRate: 11)
    #expect(away.queryTimes.count <= 1 + window.outstanding)
    #expect(away.queryTimes.allSatisfy { $0 <= 12 * second })
    let late = run(&window, &link, from: 30 * second, seconds: 10, offered: 400_000, chromeRate: 11)
    #expect(late.queryTimes.isEmpty && (40_000.0...50_000).contains(Double(late.bytes) / 10), "\(late.bytes)")
    // A key shows that this one is active again.
    link.answers = true
    window.didReceiveInput(at: 40 * second)
    _ = run(&window, &link, from: 40 * second, seconds: 2, offered: 400_000, chromeRate: 11)
    let before = link.delivered
    _ = run(&window, &link, from: 42 * second, seconds: 10, offered: 400_000, chromeRate: 11)
    #expect(Double(link.delivered - before) >= 0.85 * 125_000 * 10)
    // Where focus is told, nothing is asked from the first moment on.
    window.didLoseFocus()
    let elsewhere = run(&window, &link, from: 52 * second, seconds: 10, offered: 400_000, chromeRate: 11)
    #expect(elsewhere.queryTimes.isEmpty && elsewhere.bytes <= 500_000)
  }

  /// A link that stands still looks like an answer that went elsewhere. The answer comes at last, and tells.
  @Test func aLinkBehindAMultiplexerThatStandsStillGoesOn() {
    var (window, link) = Self.known()
    link.isStopped = true
    _ = run(&window, &link, from: 10 * second, seconds: 5, offered: 400_000, chromeRate: 11)
    link.isStopped = false
    _ = run(&window, &link, from: 15 * second, seconds: 15, offered: 400_000, chromeRate: 11)
    let before = link.delivered
    let outcome = run(&window, &link, from: 30 * second, seconds: 10, offered: 400_000, chromeRate: 11)
    #expect(Double(link.delivered - before) >= 0.85 * 125_000 * 10)
    #expect(outcome.worstDelay < 0.3)
  }

  /// After an answer that the multiplexer has torn, the user's command can be given again.
  @Test func aTornAnswerLeavesTimeForTheCommand() {
    var (window, link) = Self.known()
    var now = 10 * second
    while window.outstanding == 0 {
      now += 10 * millisecond
      _ = run(&window, &link, from: now - 10 * millisecond, seconds: 0.01, offered: 400_000)
    }
    window.didAcknowledgeTorn(at: now)
    // The key that follows may be that of the command.
    window.didReceiveInput(at: now + 100 * millisecond)
    let quiet = run(&window, &link, from: now, seconds: 2.9, offered: 400_000, chromeRate: 11)
    #expect(quiet.queryTimes.isEmpty && quiet.updates > 20)
    let later = run(&window, &link, from: now + 2900 * millisecond, seconds: 5, offered: 400_000, chromeRate: 11)
    #expect(later.queryTimes.count >= 4)
  }

  /// Two clients of tmux show the pane: each answers, and which of them is not told.
  @Test func terminalsThatAllAnswerAreNotFlooded() {
    var (window, link) = Self.known()
    link.terminals = 2
    _ = run(&window, &link, from: 10 * second, seconds: 5, offered: 400_000, chromeRate: 11)
    #expect(window.query == Array("\u{1B}[5n".utf8) && window.terminalRoundTrip == nil)
    var near = SimulatedLink(rate: 100_000_000, roundTrip: millisecond, capacity: 1 << 20)
    _ = run(&window, &near, from: 15 * second, seconds: 2, offered: 400_000)
    let outcome = run(&window, &near, from: 17 * second, seconds: 10, offered: 400_000)
    #expect(outcome.bytes <= 500_000)
    // One that goes often changes the size.
    window.reset(at: 27 * second)
    #expect(window.query.starts(with: "\u{1B}Ptmux;".utf8))
    // From the beginning on, too.
    var other = FlowWindow(cellCount: 200 * 56, multiplexer: .tmux, hiddenLink: .stream)
    var both = SimulatedLink(rate: 125_000, roundTrip: 100 * millisecond, capacity: 4 << 20)
    both.terminals = 2
    _ = run(&other, &both, seconds: 10, offered: 400_000, chromeRate: 11)
    #expect(other.query == Array("\u{1B}[5n".utf8))
  }

  /// Where the multiplexer keeps such a query to itself, no more is sent than nearly every link takes.
  @Test func aHiddenLinkIsNotFlooded() {
    var window = FlowWindow(cellCount: 200 * 56, multiplexer: .tmux, hiddenLink: .stream)
    var near = SimulatedLink(rate: 100_000_000, roundTrip: millisecond, capacity: 1 << 20)
    near.answers = false
    let sought = run(&window, &near, seconds: 3.2, offered: 400_000)
    #expect(sought.bytes <= 160_000)
    #expect(window.query == Array("\u{1B}[5n".utf8) && window.terminalRoundTrip == nil)
    near.answers = true
    let later = run(&window, &near, from: 4 * second, seconds: 20, offered: 400_000)
    #expect((40_000.0...50_000).contains(Double(later.bytes) / 20))
    #expect(Double(later.updates) / 20 >= 15)
    // tmux answers at once, and is not the terminal.
    #expect(window.minRoundTrip.map { $0 < 10 * millisecond } ?? false && window.terminalRoundTrip == nil)
    window.maxRate = 200_000
    let more = run(&window, &near, from: 24 * second, seconds: 5, offered: 400_000)
    #expect((180_000.0...204_000).contains(Double(more.bytes) / 5))
  }

  /// mosh answers what passes through tmux, for the terminal and at once.
  @Test func moshBehindAMultiplexerIsNotFlooded() {
    var window = FlowWindow(cellCount: 200 * 56, multiplexer: .tmux, hiddenLink: .mosh)
    #expect(window.query == Array("\u{1B}[5n".utf8))
    var near = SimulatedLink(rate: 100_000_000, roundTrip: millisecond, capacity: 1 << 20)
    let outcome = run(&window, &near, seconds: 20, offered: 400_000)
    #expect((40_000.0...50_000).contains(Double(outcome.bytes) / 20))
    window.reset(at: 20 * second, terminalMayBeAnother: true)
    #expect(window.query == Array("\u{1B}[5n".utf8) && window.terminalRoundTrip == nil)
  }

  /// An answer that comes sooner than those before it is none to the query that nothing has answered.
  @Test func whatWasSoughtInVainIsNotAwaited() {
    var window = FlowWindow(cellCount: 200 * 56, multiplexer: .tmux, hiddenLink: .stream)
    var near = SimulatedLink(rate: 100_000_000, roundTrip: 7 * millisecond, capacity: 1 << 20)
    near.answers = false
    _ = run(&window, &near, seconds: 2.5, offered: 3000)
    near.answers = true
    _ = run(&window, &near, from: 5 * second / 2, seconds: 1, offered: 3000)
    near.roundTrip = 5 * millisecond
    let end = 4 * second
    _ = run(&window, &near, from: end - second / 2, seconds: 0.5, offered: 3000)
    near.advance(from: end, to: end + second / 20)
    for _ in 0..<near.takeReplies(at: end + second / 10) { window.didAcknowledge(at: end + second / 10) }
    #expect(window.outstanding == 0)
  }

  /// mosh takes all that comes and sends what has changed by then: more than the link takes, and its parts are lost and sent
  /// again. Its terminal is always far away.
  @Test func moshIsNotFlooded() {
    var window = FlowWindow(cellCount: 200 * 56)
    var near = SimulatedLink(rate: 100_000_000, roundTrip: millisecond, capacity: 1 << 20)
    window.didProbe(roundTrip: millisecond, at: 0)
    window.multiplexer = .mosh
    let result = run(&window, &near, seconds: 20, offered: 400_000)
    #expect((40_000.0...50_000).contains(Double(result.bytes) / 20))
    #expect(Double(result.updates) / 20 >= 15)
    window.reset(at: 20 * second, terminalMayBeAnother: true)
    let after = run(&window, &near, from: 21 * second, seconds: 20, offered: 400_000)
    #expect((40_000.0...50_000).contains(Double(after.bytes) / 20))
    window.maxRate = 200_000
    let more = run(&window, &near, from: 42 * second, seconds: 5, offered: 400_000)
    #expect((180_000.0...204_000).contains(Double(more.bytes) / 5))
  }

  /// The terminal's round trip is reported only if it is the terminal that answers.
  @Test func whatAnswersForTheTerminalIsNotItsWay() {
    for (multiplexer, isTold) in [
      (nil, true), (.tmux, true), (.screen, true), (.mosh, false),
    ] as [(TerminalCapabilities.Multiplexer?, Bool)] {
      var window = FlowWindow(cellCount: 1000, multiplexer: multiplexer)
      #expect(window.terminalRoundTrip == nil)
      window.didProbe(roundTrip: 3 * millisecond, at: 0)
      #expect(window.terminalRoundTrip == (isTold ? 3 * millisecond : nil))
    }
  }
}
