import CellGraphics
import Playback
import Terminal

/// The terminal as the program uses it: events come in, frames and chrome go out. Screen thread only.
final class TerminalScreen {
  let session: TerminalSession
  let renderer: TerminalRenderer
  private(set) var size: TerminalSize
  private(set) var painter: ChromePainter
  private var probe: TerminalProbe
  private var parser: InputParser
  private let keys: KeyMap
  /// Until when the next key is the rest of a command to a multiplexer; nil where it is the program's.
  private var commandEnd: HostTime?
  /// Width over height of a cell, where that was said.
  private let cellAspect: Double?

  /// For so long the rest of a command to a multiplexer is waited for.
  private static let commandTime: HostTime = 1_000_000_000

  /// What came from the terminal.
  enum Input {
    case events([InputEvent])
    /// Nothing more for now.
    case empty
    /// The terminal is gone.
    case gone
  }

  /// Takes the terminal over.
  ///
  /// - Throws: `TerminalError` or `ProgramError`; the terminal is then as it was.
  init(_ options: PlayOptions, environment: [String: String], at now: HostTime) throws {
    keys = options.keys
    cellAspect = options.terminal.cellAspect
    // Which pane is active matters only where the terminal's answers come as keys do.
    session = try TerminalSession(
      environment: environment, wantsMouse: options.terminal.usesMouse,
      wantsFocus: TerminalCapabilities.hiddenLink(environment) == .stream)
    size = session.size
    let capabilities = TerminalCapabilities(
      environment: environment, terminfo: session.terminfo, requestedDepth: options.terminal.colors,
      codeset: TerminalCapabilities.environmentCodeset())
    probe = TerminalProbe(capabilities, at: UInt64(now))
    parser = InputParser(keys: session.terminfo.keys)
    renderer = TerminalRenderer(
      session: session, capabilities: capabilities, size: size, options: options.terminal,
      usesFlowControl: !options.isUntimed)
    painter = try Self.makePainter(size, capabilities, options.keys)
    session.writer.enqueue(probe.query)
    parser.expectsCursorReport = probe.expectsCursorReport
  }

  private static func makePainter(
    _ size: TerminalSize, _ capabilities: TerminalCapabilities, _ keys: KeyMap
  ) throws -> ChromePainter {
    try ChromePainter(
      columns: size.columns, rows: size.rows,
      theme: ChromeTheme(depth: capabilities.colorDepth, glyphSet: capabilities.glyphSet), keys: keys)
  }

  /// What panes have to know of it.
  var metrics: ScreenMetrics {
    ScreenMetrics(
      columns: size.columns, rows: size.rows, cellAspect: cellAspect ?? size.cellAspect ?? 0.5,
      blitter: renderer.blitter, colorDepth: renderer.capabilities.colorDepth, help: painter.help)
  }

  /// What is to be said of the terminal at the beginning; nil when nothing is.
  var notice: TerminalText? { sizeNotice(former: nil) ?? renderer.capabilities.notices.first }

  /// What is said once of a window that is too large.
  private func sizeNotice(former: TerminalSize?) -> TerminalText? {
    guard size.isCut, former?.isCut != true else { return nil }
    return "the window is too large: using only \(size.columns)×\(size.rows) cells"
  }

  // MARK: - Input

  /// Reads what has come.
  func read(_ buffer: inout [UInt8], at now: HostTime) -> Input {
    parser.expectsTornStatus = renderer.answersOwedBehind > 0
    switch buffer.withUnsafeMutableBytes({ session.read(into: $0) }) {
    case .empty: return .empty
    case .gone: return .gone
    case .bytes(let count):
      return .events(
        buffer.withUnsafeBufferPointer { parser.feed(UnsafeBufferPointer(rebasing: $0[..<count]), at: UInt64(now)) })
    }
  }

  /// Events that are complete because nothing more came.
  func expireInput(at now: HostTime) -> [InputEvent] { parser.expire(at: UInt64(now)) }

  /// Takes for granted what the terminal has not answered in time.
  func expireProbe(at now: HostTime) {
    probe.expire(at: UInt64(now))
    parser.expectsCursorReport = probe.expectsCursorReport
  }

  /// Takes notice of an event that is no answer.
  ///
  /// - Returns: whether it was meant for the program, and not for a multiplexer.
  func receive(_ event: InputEvent, at now: HostTime) -> Bool {
    renderer.didReceive(event, at: now)
    guard event.keyStroke != nil, let end = commandEnd else { return true }
    commandEnd = nil
    return now >= end
  }

  /// Takes an answer of the terminal.
  ///
  /// - Returns: whether frames and chrome look different from now on.
  func receive(_ reply: TerminalReply, at now: HostTime) -> Bool {
    if case .operatingStatus = reply {
      renderer.didAcknowledge(at: now)
      return false
    }
    if case .tornOperatingStatus = reply {
      renderer.didAcknowledgeTorn(at: now)
      commandEnd = now + Self.commandTime
      return false
    }
    let wasFinished = probe.isFinished
    let changed = probe.receive(reply, at: UInt64(now))
    parser.expectsCursorReport = probe.expectsCursorReport
    guard changed || (probe.isFinished && !wasFinished) else { return false }
    let before = renderer.capabilities
    renderer.didProbe(probe.capabilities, roundTrip: wasFinished ? nil : probe.roundTrip, at: now)
    guard before.glyphSet != probe.capabilities.glyphSet || before.colorDepth != probe.capabilities.colorDepth
    else { return false }
    if let painter = try? Self.makePainter(size, probe.capabilities, keys) { self.painter = painter }
    return true
  }

  /// When input or answers are given up, as host time; nil when nothing is expected.
  var inputDeadline: HostTime? { [parser.deadline, probe.deadline].compactMap { $0.map(HostTime.init) }.min() }

  // MARK: - Size

  /// Takes the window's present size.
  ///
  /// - Parameter mayBeAnother: whether another terminal may be there now.
  /// - Returns: what there is to say of it.
  func updateSize(mayBeAnother: Bool, at now: HostTime) -> TerminalText? {
    let former = size
    size = session.size
    renderer.reset(size: size, terminalMayBeAnother: mayBeAnother, at: now)
    painter.resize(columns: size.columns, rows: size.rows)
    return sizeNotice(former: former)
  }

  // MARK: - Output

  /// Draws the chrome; it goes out with the next update.
  func draw(_ model: ScreenModel) {
    painter.draw(model)
    renderer.chromeDidChange()
  }

  // MARK: - Leaving

  /// Gives the terminal back until the process goes on.
  func suspend() {
    leaveScreen()
    session.suspend()
  }

  /// Gives the terminal back.
  func leave() {
    leaveScreen()
    session.restore()
  }

  /// Gives the screen back, then waits for answers that the terminal still owes: they must not reach whoever reads it next.
  private func leaveScreen() {
    // While it is suspended the terminal belongs to others.
    guard session.hasTerminal else { return }
    session.leave()
    guard renderer.awaitsAnswers || !probe.isFinished else { return }
    let hasSettled = session.settle(
      owesAttributes: !probe.isFinished, statusesBehind: renderer.answersOwedBehind,
      milliseconds: 500 + 2 * Int((renderer.roundTrip ?? 0) / 1_000_000))
    if hasSettled { renderer.answersHaveCome() }
  }
}
