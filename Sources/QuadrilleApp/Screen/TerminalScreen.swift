import CellGraphics
import DecodePool
import Pixels
import Playback
import Terminal

/// The terminal as the program uses it: events in, frames and chrome out. Screen thread only.
final class TerminalScreen {
  let session: TerminalSession
  let renderer: TerminalRenderer
  private(set) var size: TerminalSize
  private(set) var painter: ChromePainter
  private var probe: TerminalProbe
  private var tracksPointer = false
  private var parser: InputParser
  private let keys: KeyMap
  private var style: FrameStyle
  private var hasToldStyle = false
  /// Keeps the choice of cells or pixels.
  private let cellStyleFile: CellStyleFile
  /// Objects that show whether the terminal reads images from this machine; nil when it has replied, or cannot.
  private var trial: ImageTrial?
  /// End of the wait for the rest of a multiplexer command; nil if the next key is for the program.
  private var commandEnd: HostTime?
  /// Width-to-height ratio of a cell, if given.
  private let cellAspect: Double?

  /// Duration of the wait for the rest of a multiplexer command.
  private static let commandTime: HostTime = 1_000_000_000

  /// Input from the terminal.
  enum Input {
    case events([InputEvent])
    /// Nothing more for now.
    case empty
    /// The terminal is gone.
    case gone
  }

  /// Opens the terminal session.
  ///
  /// - Throws: `TerminalError` or `ProgramError`; the terminal is then unchanged.
  init(_ options: PlayOptions, environment: [String: String], at now: HostTime) throws {
    keys = options.keys
    cellStyleFile = CellStyleFile(path: UserFolders.cells(environment))
    let isRemote = ["SSH_CONNECTION", "SSH_TTY"].contains { environment[$0]?.isEmpty == false }
    style = FrameStyle(options.terminal, kept: cellStyleFile.choice, isRemote: isRemote)
    cellAspect = options.terminal.cellAspect
    // The active pane matters only if replies arrive like keys.
    session = try TerminalSession(
      environment: environment, wantsMouse: options.terminal.usesMouse,
      wantsFocus: TerminalCapabilities.hiddenLink(environment) == .stream)
    size = session.size
    let capabilities = TerminalCapabilities(
      environment: environment, terminfo: session.terminfo, requestedDepth: options.terminal.colors,
      codeset: TerminalCapabilities.environmentCodeset())
    if !isRemote, capabilities.multiplexer == nil {
      trial = ImageTrial()
      try? detachThread { ImageObject.removeAbandoned() }
    }
    probe = TerminalProbe(capabilities, trial: trial, at: UInt64(now))
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

  /// Screen properties that panes need.
  var metrics: ScreenMetrics {
    ScreenMetrics(
      columns: size.columns, rows: size.rows, cellAspect: cellAspect ?? reportedAspect ?? 0.5,
      blitter: renderer.blitter, shapes: style.cells.shapes(in: renderer.capabilities),
      cellPixels: pixelFormat.flatMap(framePixels), colorDepth: renderer.capabilities.colorDepth, help: painter.help)
  }

  /// A message that frames are not shown as requested, once the terminal has replied; nil if they are, or it was taken before.
  func takeStyleObjection() -> TerminalText? {
    guard probe.isFinished, !hasToldStyle else { return nil }
    hasToldStyle = true
    return style.objection(in: renderer.capabilities, hasPixels: cellPixels != nil)
  }

  /// Chooses the next way of showing frames that the terminal has, from now on. Returns a notice about it.
  func showNextCells(at now: HostTime) -> TerminalText {
    guard let words = style.advance(in: renderer.capabilities, hasPixels: cellPixels != nil) else {
      return FrameStyle.onlyWay(in: renderer.capabilities)
    }
    cellStyleFile.keep(style.choice)
    renderer.setPixels(pixelFormat, isRemote: style.isRemote, at: now)
    return words
  }

  // MARK: - Pixels

  /// The size of a cell in pixels; nil if unknown.
  private var cellPixels: PixelSize? {
    let reported = renderer.capabilities.graphics.cell
    guard let width = size.cellWidth, let height = size.cellHeight, width >= 1, height >= 1 else { return reported }
    // Some terminals count their margins as well.
    let isExact = width == width.rounded() && height == height.rounded()
    return isExact || reported == nil ? PixelSize(width: Int(width), height: Int(height)) : reported
  }

  /// Aspect ratio of a cell; nil if not reported.
  private var reportedAspect: Double? {
    size.cellAspect ?? renderer.capabilities.graphics.cell.flatMap {
      TerminalSize(columns: 1, rows: 1, cellWidth: Double($0.width), cellHeight: Double($0.height)).cellAspect
    }
  }

  /// The protocol to send frames with; nil while they are drawn with cells, as until the terminal has replied.
  private var pixelFormat: GraphicsProtocol? {
    probe.isFinished && cellPixels != nil ? style.format(in: renderer.capabilities) : nil
  }

  /// Largest number of pixels sent for a screen, if the terminal scales them.
  private static let maxPixels = 2560 * 1440

  /// The pixels of a cell in frames.
  private func framePixels(_ format: GraphicsProtocol) -> PixelSize? {
    guard var cell = cellPixels, format != .sixel else { return cellPixels }
    while cell.area.saturatingMultiply(size.columns * size.rows) > Self.maxPixels, cell.width > 1, cell.height > 1 {
      cell = PixelSize(width: (cell.width + 1) / 2, height: (cell.height + 1) / 2)
    }
    return cell
  }

  /// A notice about the terminal at startup; nil if there is none.
  var notice: TerminalText? { sizeNotice(former: nil) ?? renderer.capabilities.notices.first }

  /// A notice about an oversized window, given once.
  private func sizeNotice(former: TerminalSize?) -> TerminalText? {
    guard size.isCut, former?.isCut != true else { return nil }
    return "the window is too large: using only \(size.columns)×\(size.rows) cells"
  }

  // MARK: - Input

  /// Reads input.
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

  /// Events that are complete because no more input has arrived.
  func expireInput(at now: HostTime) -> [InputEvent] { parser.expire(at: UInt64(now)) }

  /// Falls back to defaults for queries that have timed out. Returns true if frames are then shown in another way.
  func expireProbe(at now: HostTime) -> Bool {
    guard !probe.isFinished else { return false }
    probe.expire(at: UInt64(now))
    parser.expectsCursorReport = probe.expectsCursorReport
    guard probe.isFinished else { return false }
    trial = nil
    renderer.setPixels(pixelFormat, isRemote: style.isRemote, at: now)
    return pixelFormat != nil
  }

  /// Handles an event that is not a reply.
  ///
  /// - Returns: True if it is for the program, not for a multiplexer.
  func receive(_ event: InputEvent, at now: HostTime) -> Bool {
    renderer.didReceive(event, at: now)
    guard event.keyStroke != nil, let end = commandEnd else { return true }
    commandEnd = nil
    return now >= end
  }

  /// Handles a reply from the terminal.
  ///
  /// - Returns: True if frames and chrome must be redrawn.
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
    let (wasFinished, formerPixels) = (probe.isFinished, pixelFormat.flatMap(framePixels))
    let changed = probe.receive(reply, at: UInt64(now))
    parser.expectsCursorReport = probe.expectsCursorReport
    guard changed || (probe.isFinished && !wasFinished) else { return false }
    let before = renderer.capabilities
    renderer.didProbe(probe.capabilities, roundTrip: wasFinished ? nil : probe.roundTrip, at: now)
    if probe.isFinished { trial = nil }
    renderer.setPixels(pixelFormat, isRemote: style.isRemote, at: now)
    guard before.glyphSet != probe.capabilities.glyphSet || before.colorDepth != probe.capabilities.colorDepth else {
      return style.cells.shapes(in: before) != style.cells.shapes(in: probe.capabilities)
        || formerPixels != pixelFormat.flatMap(framePixels) || before.graphics.cell != probe.capabilities.graphics.cell
    }
    if let painter = try? Self.makePainter(size, probe.capabilities, keys) { self.painter = painter }
    return true
  }

  /// Deadline for pending input or replies, as host time; nil if none are expected.
  var inputDeadline: HostTime? { [parser.deadline, probe.deadline].compactMap { $0.map(HostTime.init) }.min() }

  // MARK: - Size

  /// Updates the window size.
  ///
  /// - Parameter mayBeAnother: True if another terminal may be attached now.
  /// - Returns: A notice; nil if there is none.
  func updateSize(mayBeAnother: Bool, at now: HostTime) -> TerminalText? {
    let former = size
    size = session.size
    // Its cells may have changed, too.
    if probe.isFinished, !renderer.capabilities.graphics.protocols.isEmpty { session.writer.enqueue("\u{1B}[16t".utf8) }
    renderer.reset(size: size, terminalMayBeAnother: mayBeAnother, at: now)
    painter.resize(columns: size.columns, rows: size.rows)
    return sizeNotice(former: former)
  }

  // MARK: - Output

  /// Draws the chrome, to be sent with the next update.
  func draw(_ model: ScreenModel) {
    painter.draw(model)
    renderer.chromeDidChange()
  }

  // MARK: - Leaving

  /// Makes the terminal report where the pointer is, or only presses and drags.
  func setTracksPointer(_ isOn: Bool) {
    guard isOn != tracksPointer, session.terminfo.isXtermLike else { return }
    tracksPointer = isOn
    session.writer.enqueue(TerminalModes.pointerTracking(isOn))
  }

  /// Releases the terminal until the process resumes.
  func suspend() {
    // It begins anew without.
    tracksPointer = false
    leaveScreen()
    renderer.removeImageObjects()
    session.suspend()
  }

  /// Releases the terminal.
  func leave() {
    leaveScreen()
    session.restore()
    renderer.removeImageObjects()
  }

  /// Restores the screen, then waits for outstanding replies, which must not reach the next reader.
  private func leaveScreen() {
    // While suspended, the terminal belongs to others.
    guard session.hasTerminal else { return }
    session.leave()
    guard renderer.awaitsAnswers || !probe.isFinished else { return }
    // Before the first reply, the round trip is unknown, and may be as long as the probe waits.
    let roundTrip = probe.isFinished ? 2 * UInt64(renderer.roundTrip ?? 0) : TerminalProbe.patience
    let hasSettled = session.settle(
      owesAttributes: !probe.isFinished, statusesBehind: renderer.answersOwedBehind,
      milliseconds: 500 + Int(roundTrip / 1_000_000))
    if hasSettled { renderer.answersHaveCome() }
  }
}
