import Glibc
import Playback
import Terminal

/// The player on the terminal: the run loop between a workspace and a screen. Everything runs on one thread.
public final class PlayerProgram {
  let options: PlayOptions
  let resources: PlaybackResources
  let record: RunRecord
  let screen: TerminalScreen
  let workspace: Workspace
  /// True if the program is to end.
  private(set) var exitCode: Int32?
  /// True if another program may write to the standard input, and have the terminal as well.
  private let sharesTerminal = isatty(STDIN_FILENO) == 0
  /// When statistics were last updated.
  private var lastSecond: HostTime = 0
  private var inputBuffer = [UInt8](repeating: 0, count: 1 << 16)

  private static let second: HostTime = 1_000_000_000

  /// Opens the terminal and the clips.
  ///
  /// - Throws: `TerminalError` or `ProgramError`; the terminal is then unchanged.
  public init(_ options: PlayOptions, environment: [String: String]) throws {
    self.options = options
    let clock = MonotonicClock()
    record = try RunRecord(options, at: clock.now)
    resources = try PlaybackResources(options, environment: environment)
    screen = try TerminalScreen(options, environment: environment, at: clock.now)
    workspace = Workspace(
      options, resources, record, historyFile: UserFolders.history(environment), metrics: screen.metrics)
    workspace.say(screen.notice)
    workspace.openClips()
  }

  var clock: any HostClock { resources.clock }

  /// Ends the program after this turn of the loop.
  func quit(_ code: Int32 = 0) { exitCode = exitCode ?? code }

  /// The status a shell reports for a program killed by SIGHUP.
  var hangUpCode: Int32 { 128 + SIGHUP }

  // MARK: - The loop

  /// Plays until the user quits, or until everything has ended if that was requested.
  ///
  /// - Returns: The exit code: 0, or 1 if no clip could be played.
  public func run() -> Int32 {
    while exitCode == nil {
      handleSignals()
      if exitCode == nil { readInput() }
      // If it was terminated while suspended, it no longer has the terminal.
      guard screen.session.hasTerminal else { break }
      let now = clock.now
      expireInput(at: now)
      workspace.say(screen.takeStyleObjection(), seconds: 8)
      resources.wakeup.clear()
      workspace.panes.sound.follow(roundTrip: screen.renderer.roundTrip)
      workspace.update(at: now)
      if options.terminal.usesMouse { screen.setTracksPointer(workspace.evaluation.inspection.probes) }
      if workspace.updateThumbnails(at: now) { screen.renderer.chromeDidChange() }
      let groupDeadline = resources.group.releaseIfReady()
      workspace.expireWords(at: now)
      updateFigures(at: now)
      if workspace.hasFailed { quit(1) }
      if !present(at: now) { quit(hangUpCode) }
      quitIfOver()
      if exitCode == nil { wait(groupDeadline) }
    }
    return finish()
  }

  private func updateFigures(at now: HostTime) {
    guard now - lastSecond >= Self.second else { return }
    // This may be long ago if nothing has moved since.
    workspace.updateFigures(after: Double(now - lastSecond) / 1e9)
    if sharesTerminal { screen.session.reclaimLine() }
    lastSecond = now
  }

  /// Ends the program if requested, once every pane has ended and its last frame is displayed.
  private func quitIfOver() {
    guard options.isUntimed || options.exitsAtEnd, workspace.hasEnded else { return }
    if screen.renderer.isExact && !workspace.chrome.isStale { quit() }
  }

  private func wait(_ groupDeadline: HostTime?) {
    let now = clock.now
    let renderer = screen.renderer
    var deadlines = [groupDeadline, renderer.deadline(after: now), screen.inputDeadline, workspace.deadline]
    if renderer.canTakeFrames(at: now) {
      deadlines += workspace.panes.visible.map { $0.nextFrameTime(after: now) }
      if renderer.hasMore && !screen.session.writer.hasPending { deadlines.append(now) }
    }
    if !renderer.isExact { deadlines += workspace.panes.visible.map { $0.display.restTime(after: now) } }
    if workspace.figuresChange || sharesTerminal { deadlines.append(lastSecond + Self.second) }
    Poll(screen.session, resources.wakeup, clock: clock)
      .wait(until: deadlines.compactMap { $0 }.min(), flush: renderer.flush)
  }

  // MARK: - Display

  /// Sends what the terminal can accept now. Returns false if the terminal is gone.
  private func present(at now: HostTime) -> Bool {
    let renderer = screen.renderer
    renderer.demand = workspace.frameDemand
    let allowance = renderer.beginUpdate(at: now)
    // Text about a frame is sent with it.
    let arrivals = workspace.takeFrames(allowance, at: now)
    workspace.fulfilPieceRequests()
    workspace.updateSubtitles(at: now)
    drawChrome(at: now)
    switch renderer.present(workspace.images(arrivals, at: now), allowance, chrome: screen.painter, at: now) {
    case .sent: for arrival in arrivals { arrival.didPresent() }
    case .nothingSent: break
    case .gone: return false
    }
    return presentDelivery(at: now)
  }

  /// After sending, records that frames of unknown size have been sent completely.
  private func presentDelivery(at now: HostTime) -> Bool {
    guard screen.renderer.hasSentAll, workspace.takeDelivery() else { return true }
    drawChrome(at: now)
    return screen.renderer.present(workspace.images(at: now), .closed, chrome: screen.painter, at: now) != .gone
  }

  private func drawChrome(at now: HostTime) {
    if let opening = screen.renderer.chromeOpening(after: now) { workspace.chrome.postpone(until: opening) }
    guard workspace.chrome.isDue(at: now) else { return }
    workspace.chrome.didDraw(at: now)
    screen.draw(workspace.model(link: screen.renderer.linkFigures(at: now)))
  }

  // MARK: - Input

  private func readInput() {
    while true {
      switch screen.read(&inputBuffer, at: clock.now) {
      case .empty: return
      case .gone: return quit(hangUpCode)
      case .events(let events): for event in events { handle(event) }
      }
    }
  }

  private func expireInput(at now: HostTime) {
    for event in screen.expireInput(at: now) { handle(event) }
    if screen.expireProbe(at: now) { workspace.screenDidChange(screen.metrics) }
  }

  /// Shows frames in the next way, and says which.
  private func showNextCells() {
    workspace.say(screen.showNextCells(at: clock.now))
    workspace.screenDidChange(screen.metrics)
  }

  private func handle(_ event: InputEvent) {
    if case .reply(let reply) = event {
      if screen.receive(reply, at: clock.now) { workspace.screenDidChange(screen.metrics) }
      return
    }
    guard screen.receive(event, at: clock.now) else { return }
    switch workspace.handle(event) {
    case nil: break
    case .quit: quit()
    case .redraw: screen.renderer.invalidate()
    case .nextCells: showNextCells()
    case .suspend: suspend()
    }
  }
}
