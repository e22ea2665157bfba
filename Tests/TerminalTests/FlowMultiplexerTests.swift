import Testing

@testable import Terminal

private let millisecond: UInt64 = 1_000_000
private let second: UInt64 = 1_000_000_000

/// What is in between and may answer instead of the terminal.
@Suite(.timeLimit(.minutes(10))) struct FlowMultiplexerTests {
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
    var window = FlowWindow(cellCount: 200 * 56, multiplexer: .tmux, hidesLink: true)
    var link = SimulatedLink(rate: 125_000, roundTrip: 100 * millisecond, capacity: 4 << 20)
    window.didProbe(roundTrip: millisecond, at: 0)
    #expect(window.query == Array("\u{1B}Ptmux;\u{1B}\u{1B}[5n\u{1B}\\".utf8))
    let inScreen = FlowWindow(cellCount: 200 * 56, multiplexer: .screen, hidesLink: true)
    #expect(inScreen.query == Array("\u{1B}P\u{1B}[5n\u{1B}\\".utf8))
    let first = run(&window, &link, seconds: 3, offered: 400_000)
    #expect(first.worstDelay < 0.9)
    let before = link.delivered
    let later = run(&window, &link, from: 3 * second, seconds: 20, offered: 400_000)
    #expect(Double(link.delivered - before) >= 0.9 * 125_000 * 20)
    #expect(later.worstDelay < 0.15)
    #expect(window.query.starts(with: "\u{1B}Ptmux;".utf8))
    #expect(window.terminalRoundTrip.map { $0 >= 100 * millisecond } ?? false)
  }

  /// Where the multiplexer keeps such a query to itself, no more is sent than nearly every link takes.
  @Test func aHiddenLinkIsNotFlooded() {
    var window = FlowWindow(cellCount: 200 * 56, multiplexer: .tmux, hidesLink: true)
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

  /// How far the terminal is, is told only where it is the terminal that answers.
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
