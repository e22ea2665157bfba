import CellGraphics
import DecodePool
import Glibc
import Playback
import Terminal

/// The player of sound alone, in one line of the terminal. Everything runs on one thread.
public final class LineProgram {
  private let resources: PlaybackResources
  private let session: TerminalSession
  private let workspace: Workspace
  private let record: RunRecord
  private let theme: ChromeTheme
  private var parser: InputParser
  private var exitCode: Int32?
  private var inputBuffer = [UInt8](repeating: 0, count: 1 << 12)
  /// The line on the screen; nil if that is unknown.
  private var shown: TerminalText?

  /// The time between updates of the line.
  private static let interval: HostTime = 100_000_000
  /// Nanoseconds to wait for background work on exit.
  private static let patience: UInt64 = 1_000_000_000
  /// Commands whose effect is heard, or seen in the line.
  private static let commands: Set<Command.Name> = [
    .mute, .volume, .soundDelay, .reopen, .quit, .pause, .seek, .speed, .speedReset, .shuttle, .start, .end, .position, .loop, .loopPoint, .goto,
    .redraw, .suspend, .chapter, .sound, .clip, .shuffle,
  ]

  /// Opens the terminal and the clips, one after another.
  ///
  /// - Throws: `TerminalError` or `ProgramError`; the terminal is then unchanged.
  public init(_ options: PlayOptions, environment: [String: String]) throws {
    var options = options
    options.view.showsPicture = false
    options.clips = [ClipList(options.clips.flatMap(\.clips), listedIn: options.clips.flatMap(\.files))]
    let clock = MonotonicClock()
    record = try RunRecord(options, at: clock.now)
    resources = try PlaybackResources(options, environment: environment)
    session = try TerminalSession(environment: environment, wantsMouse: false, area: .line)
    parser = InputParser(keys: session.terminfo.keys)
    let capabilities = TerminalCapabilities(
      environment: environment, terminfo: session.terminfo, requestedDepth: .mono, codeset: TerminalCapabilities.environmentCodeset())
    theme = ChromeTheme(depth: .mono, glyphSet: capabilities.glyphSet)
    // A screen without rows: no pane is visible, so no frame is decoded.
    let metrics = ScreenMetrics(
      columns: 0, rows: 0, cellAspect: 0.5, blitter: .halfBlocks, colorDepth: .mono, help: HelpText(options.keys, theme: theme))
    workspace = Workspace(options, resources, record, historyFile: UserFolders.history(environment), metrics: metrics)
    workspace.openClips()
  }

  /// Plays until the user quits or the last clip has ended.
  ///
  /// - Returns: The exit code: 0, or 1 if no clip could be played.
  public func run() -> Int32 {
    while exitCode == nil {
      handleSignals()
      if exitCode == nil { readInput() }
      guard session.hasTerminal else { break }
      let now = resources.clock.now
      for event in parser.expire(at: UInt64(now)) { handle(event) }
      resources.wakeup.clear()
      workspace.update(at: now)
      let groupDeadline = resources.group.releaseIfReady()
      workspace.expireWords(at: now)
      // Files may tell their titles once they are open.
      workspace.panes.updateTitles(given: workspace.movieTitle)
      if workspace.hasFailed { exitCode = exitCode ?? 1 } else if workspace.hasEnded { exitCode = exitCode ?? 0 }
      draw(at: now)
      guard exitCode == nil else { break }
      let deadline = [now + Self.interval, groupDeadline, workspace.deadline].compactMap { $0 }.min()
      Poll(session, resources.wakeup, clock: resources.clock).wait(until: deadline) { self.flush() }
    }
    return finish()
  }

  private func finish() -> Int32 {
    let failures = workspace.panes.panes.compactMap { pane in pane.error.map { (pane.path, $0) } }
    session.restore()
    for (path, error) in failures { printError("quadrille: \(error.message(naming: path))") }
    let deadline = monotonicNanoseconds() + Self.patience
    for pane in workspace.panes.panes { pane.clips.asset.finishRecording(until: deadline) }
    let code = exitCode ?? 0
    return code == 0 && !failures.isEmpty ? 1 : code
  }

  // MARK: - The line

  private func draw(at now: HostTime) {
    // All chrome is in the line, which is compared in each round.
    workspace.chrome.didDraw(at: now)
    guard !session.writer.hasPending else { return }
    let line = LineText(workspace, theme).text(columns: session.size.columns - 1)
    guard line != shown else { return }
    shown = line
    session.writer.enqueue(Array("\r\(line)\u{1B}[K".utf8))
    if !flush() { exitCode = exitCode ?? 128 + SIGHUP }
  }

  /// Returns false if the terminal is gone.
  private func flush() -> Bool {
    if case .gone = session.writer.flush() { return false }
    return true
  }

  // MARK: - Input

  private func readInput() {
    while true {
      switch inputBuffer.withUnsafeMutableBytes({ session.read(into: $0) }) {
      case .empty: return
      case .gone:
        exitCode = exitCode ?? 128 + SIGHUP
        return
      case .bytes(let count):
        let now = UInt64(resources.clock.now)
        for event in parser.feed(Array(inputBuffer[..<count]), at: now) { handle(event) }
      }
    }
  }

  private func handle(_ event: InputEvent) {
    if let stroke = event.keyStroke, workspace.prompts.prompt == nil, let command = workspace.options.keys.command(for: stroke) {
      if command == .help { return workspace.say(LineText.keys(workspace.options.keys), seconds: 8) }
      guard Self.commands.contains(command.name) else {
        let hint: TerminalText? = workspace.key(.help).map { "; \($0) shows keys that do not" }
        return workspace.say("\(stroke): needs the picture" + (hint ?? ""))
      }
    }
    switch workspace.handle(event) {
    case nil: break
    case .quit: exitCode = exitCode ?? 0
    case .redraw: shown = nil
    // Needs the picture, and is not performed.
    case .nextCells: break
    case .suspend: suspend()
    }
  }

  // MARK: - Signals

  private func handleSignals() {
    for signal in session.signals.take() where exitCode == nil {
      switch signal {
      case .interrupt: exitCode = 128 + SIGINT
      case .terminate: exitCode = 128 + SIGTERM
      case .hangUp: exitCode = 128 + SIGHUP
      case .suspend: suspend()
      case .continued: resume()
      case .windowChanged: shown = nil
      }
    }
  }

  private func suspend() {
    workspace.transport.withClocksStopped {
      session.suspend()
      handleSignals()
      if exitCode == nil { resume() }
    }
  }

  private func resume() {
    shown = nil
    do { try session.resume() } catch { exitCode = exitCode ?? 128 + SIGHUP }
  }
}
