import CellGraphics
import DecodePool
import Glibc
import Pixels
import Playback
import Terminal

/// The player on the terminal: panes, keys and the run loop. Everything here happens on one thread.
public final class PlayerProgram {
  let options: PlayOptions
  let clock = MonotonicClock()
  let wakeup: Wakeup
  let context: PlaybackContext
  var pool: DecodePool { context.pool }
  let decoderThreads: Int
  /// Where indexes of clips are kept for the next time.
  private let indexFolder: String?
  var bus: TimeObserverBus { context.bus }
  let group: PlayerGroup
  let session: TerminalSession
  let display: Display
  let saves: PendingSaves
  private let statsFile: OutputFile?
  private let screenDumpFile: OutputFile?
  /// What has been opened, and so must not be written.
  private var filesRead: [String]
  var chrome: ChromePainter
  var probe: TerminalProbe
  private var parser: InputParser

  var panes: [Pane] = []
  var focus = 0
  var isLinked: Bool
  var isZoomed = false
  var layoutStyle: LayoutStyle
  var gravity: Gravity
  /// Page of the keys that are shown, from 0.
  var helpPage: Int?
  var showsInfo: Bool
  /// Whether titles, bars and the status row are shown, or frames alone.
  var showsChrome = true
  var prompt: Prompt?
  let history: HistoryStore
  let lister: FolderLister
  /// The clip that is being opened besides those in `panes`.
  var opening: ClipOpening?
  var message: Notice?
  var barDrag: Pane?
  var alignment: Alignment?
  /// Distances asked for on the command line, until all clips are known.
  var pendingOffsets: [PaneOffset]?
  var size: TerminalSize
  /// Whether the lowest row of the screen is no pane's.
  private var hasStatusRow = true
  private var obstacle: TerminalText?
  private var aspects: [Double] = []
  private(set) var exitCode: Int32?
  private let started: HostTime
  /// Reports of panes that were closed.
  private var closedReports: [StatsReport.PaneReport] = []

  // The chrome is drawn at once after input, else a few times a second.
  private var chromeIsStale = true
  private var chromeIsUrgent = true
  private var chromeDrawnAt: HostTime = 0
  private static let chromeInterval: HostTime = 100_000_000
  private var lastSecond: HostTime = 0

  /// Takes the terminal over and opens the clips.
  ///
  /// - Throws: `TerminalError` or `ProgramError`; the terminal is then as it was.
  public init(_ options: PlayOptions, environment: [String: String]) throws {
    self.options = options
    started = clock.now
    filesRead = options.clips + [options.settingsFile].compactMap { $0 }
    statsFile = try Self.output(options.statsFile, sparing: filesRead)
    screenDumpFile = try Self.output(options.screenDumpFile, sparing: filesRead)
    let wakeup = try Wakeup()
    self.wakeup = wakeup
    let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let threads = ThreadBudget(total: options.threads ?? cores, panes: max(1, options.clips.count))
    context = PlaybackContext(threads: threads.workers, clock: clock) { wakeup.signal() }
    decoderThreads = threads.perDecoder
    indexFolder = Self.cacheFolder(environment).map { $0 + "/index" }
    group = PlayerGroup(clock: clock)
    history = HistoryStore(path: Self.stateFolder(environment).map { $0 + "/history" }) { wakeup.signal() }
    lister = FolderLister { wakeup.signal() }
    saves = PendingSaves { wakeup.signal() }
    isLinked = options.isLinked
    layoutStyle = options.layout
    gravity = options.gravity
    showsInfo = options.showsInfo

    session = try TerminalSession(environment: environment, wantsMouse: options.usesMouse)
    size = session.size
    let capabilities = TerminalCapabilities(
      environment: environment, terminfo: session.terminfo, requestedDepth: options.colors,
      codeset: TerminalCapabilities.environmentCodeset())
    probe = TerminalProbe(capabilities, at: UInt64(clock.now))
    parser = InputParser(keys: session.terminfo.keys)
    display = Display(
      session: session, capabilities: capabilities, size: size, usesFlowControl: !options.isUntimed)
    chrome = try Self.makeChrome(size, capabilities, options.keys)
    session.writer.enqueue(probe.query)
    parser.expectsCursorReport = probe.expectsCursorReport
    if let notice = capabilities.notices.first { say(notice) }
    tellOfCut(formerly: nil)

    for clip in options.clips { addPane(makePane(clip)) }
    startPlaying()
  }

  /// A file that is to be written at the end, once it is known that it can be.
  private static func output(_ path: String?, sparing files: [String]) throws -> OutputFile? {
    guard let path else { return nil }
    do {
      return try OutputFile(path, sparing: files)
    } catch let error as PlaybackError {
      throw ProgramError("\(path): \(error.message)")
    }
  }

  /// The program's folder among the user's caches.
  private static func cacheFolder(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/quadrille" }
    return environment["HOME"].map { $0 + "/.cache/quadrille" }
  }

  /// The program's folder for what it remembers from run to run.
  private static func stateFolder(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder + "/quadrille" }
    return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state/quadrille" : nil }
  }

  private static func makeChrome(
    _ size: TerminalSize, _ capabilities: TerminalCapabilities, _ keys: KeyMap
  ) throws -> ChromePainter {
    try ChromePainter(
      columns: size.columns, rows: size.rows,
      theme: ChromeTheme(depth: capabilities.colorDepth, glyphSet: capabilities.glyphSet), keys: keys)
  }

  // MARK: - Panes

  /// Opens a clip in a pane that is not among the others yet.
  func makePane(_ path: String) -> Pane {
    let player = Player(context: context, decoderThreads: decoderThreads)
    player.isUntimed = options.isUntimed
    player.actionAtItemEnd = options.loops && !options.isUntimed ? .loop : .pause
    player.defaultRate = options.speed
    // One clip in several panes is read once for what all of them need to know.
    let asset =
      panes.first { $0.path == path && $0.error == nil }?.asset
      ?? Asset(path: path, options: Asset.Options(indexFolder: indexFolder))
    filesRead.append(path)
    let pane = Pane(asset: asset, player: player, gravity: gravity)
    pane.output.setWaker { [wakeup] in wakeup.signal() }
    return pane
  }

  /// Puts a pane behind the others and focuses it; the caller starts it.
  func addPane(_ pane: Pane) {
    panes.append(pane)
    focus = panes.count - 1
    needsLayout()
  }

  private func startPlaying() {
    focusPane(0)
    for (index, pane) in panes.enumerated() {
      if let start = options.start(ofClip: index) { pane.go(to: start) }
    }
    if !options.offsets.isEmpty { return pendingOffsets = options.offsets }
    if !options.isPaused { group.play(panes.map(\.player)) }
  }

  func closePane(_ index: Int) {
    let pane = panes.remove(at: index)
    closedReports.append(StatsReport.PaneReport(pane))
    pane.close()
    removeFromAlignment(pane)
    barDrag = nil
    focus = min(focus, max(0, panes.count - 1))
    if panes.count < 2 { isZoomed = false }
    needsLayout()
  }

  /// The panes on the screen.
  var visiblePanes: [Pane] { panes.filter { $0.geometry != nil } }

  var focused: Pane? { panes.indices.contains(focus) ? panes[focus] : nil }

  func say(_ text: TerminalText, seconds: Double = 4) {
    message = Notice(text: text, until: clock.now + HostTime(seconds * 1e9))
    chromeChanged()
  }

  /// The chrome has to be drawn anew, at once.
  func chromeChanged() {
    chromeIsStale = true
    chromeIsUrgent = true
  }

  func quit(_ code: Int32 = 0) { exitCode = exitCode ?? code }

  // MARK: - Layout

  func needsLayout() {
    aspects = panes.map(\.aspect)
    let cellAspect = options.cellAspect ?? size.cellAspect ?? 0.5
    var shown = isZoomed ? focused.map { [$0] } ?? [] : panes
    var geometries = geometries(of: shown, cellAspect)
    if geometries.isEmpty, shown.count > 1, let focused {
      // Room for one only.
      shown = [focused]
      geometries = self.geometries(of: shown, cellAspect)
    }
    hasStatusRow = hasStatusRow(shown)
    obstacle =
      panes.isEmpty ? "No clip. o opens one, q quits." : geometries.isEmpty ? "window too small" : nil
    for pane in panes {
      pane.geometry = zip(shown, geometries).first { $0.0 === pane }?.1
      pane.requestPictures(blitter: display.blitter, cellAspect: cellAspect)
      if let row = pane.barRow { pane.observeBar(width: row.track.width) }
    }
    nameThePanes()
    shareCache()
    chromeChanged()
  }

  /// Where these panes go. Where there is but one clip, it has a single row of chrome.
  private func geometries(of shown: [Pane], _ cellAspect: Double) -> [PaneGeometry] {
    let statusRows = hasStatusRow(shown) && size.rows > 1 ? 1 : 0
    return Layout.panes(
      aspects: shown.map(\.aspect),
      area: PixelRect(x: 0, y: 0, width: size.columns, height: size.rows - statusRows), cellAspect: cellAspect,
      style: shown.count == 1 ? .auto : layoutStyle, chrome: !showsChrome ? .none : panes.count == 1 ? .bar : .full)
  }

  /// What it says is about several panes.
  private func hasStatusRow(_ shown: [Pane]) -> Bool { showsChrome && shown.count != 1 }

  private func nameThePanes() {
    for (pane, title) in zip(panes, PaneTitles.titles(of: panes.map(\.clip))) { pane.title = title }
  }

  /// Divides the memory for pictures among the panes: the focused one gets twice as much as each other.
  func shareCache() {
    guard !options.isUntimed else { return }
    let share = options.cacheBytes / (panes.count + 1)
    for (i, pane) in panes.enumerated() { pane.player.cacheBudget = i == focus ? 2 * share : share }
  }

  private func sizeDidChange(terminalMayBeAnother: Bool = false) {
    let former = size
    size = session.size
    tellOfCut(formerly: former)
    display.reset(size: size, terminalMayBeAnother: terminalMayBeAnother, at: clock.now)
    chrome.resize(columns: size.columns, rows: size.rows)
    needsLayout()
  }

  /// Says once that a window is too large.
  private func tellOfCut(formerly former: TerminalSize?) {
    guard size.isCut, former?.isCut != true else { return }
    say("the window is too large: \(size.columns)×\(size.rows) cells of it are used")
  }

  // MARK: - The loop

  /// Plays until it is told to quit (or everything has ended, where that was asked for).
  ///
  /// - Returns: the exit code: 0, or 1 when no clip could be played.
  public func run() -> Int32 {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while exitCode == nil {
      handleSignals()
      readInput(&buffer)
      let now = clock.now
      expireInput(now)
      wakeup.clear()
      bus.deliver()
      for pane in panes where pane.catchUp(at: now) { chromeIsStale = true }
      catchUpOpening(at: now)
      catchUpPrompt()
      for pane in panes { if let edge = pane.takePlayedOut() { didPlayOut(pane, edge) } }
      alignAsAsked()
      for pane in visiblePanes where pane.thumbnailsDidChange() { display.chromeDidChange() }
      for pane in panes where pane.catchUpSaves(at: now) { chromeChanged() }
      if panes.map(\.aspect) != aspects { needsLayout() }
      let groupDeadline = group.releaseIfReady()
      tidy(now)
      // Words about a frame go out with it.
      let frames = display.takeFrames(visiblePanes, at: now)
      if frames.changeChrome { chromeChanged() }
      drawChrome(now)
      if !display.present(frames, visiblePanes, chrome: chrome, at: now) || !presentWholeness(now) { quit(hangUpCode) }
      quitIfOver()
      if exitCode == nil { wait(groupDeadline) }
    }
    return finish()
  }

  /// What a shell says of a program that SIGHUP ended.
  private var hangUpCode: Int32 { 128 + SIGHUP }

  private func tidy(_ now: HostTime) {
    if message.expire(at: now) { chromeChanged() }
    for pane in panes where pane.notice.expire(at: now) { chromeChanged() }
    for pane in panes where pane.expireStrip(at: now, isHeld: pane === barDrag) { display.chromeDidChange() }
    if now - lastSecond >= 1_000_000_000 {
      // It may be long ago when nothing has moved meanwhile.
      let seconds = Double(now - lastSecond) / 1e9
      lastSecond = now
      if showsInfo { chromeIsStale = true }
      for pane in panes where pane.countSkipped(in: seconds) { chromeIsStale = true }
      display.pictureRate = visiblePanes.map { pane in
        (pane.facts?.preferredVideoTrack?.nominalFrameRate ?? 0) * max(pane.player.rate, 0.1)
      }.max() ?? 30
    }
    if !panes.isEmpty && panes.allSatisfy({ $0.error != nil }) { quit(1) }
  }

  /// Ends where that was asked for once every pane has ended and its last picture stands.
  private func quitIfOver() {
    guard options.isUntimed || options.exitsAtEnd, !panes.isEmpty, panes.allSatisfy(\.hasEnded) else { return }
    if display.isExact && !chromeIsStale { quit() }
  }

  /// Says of frames that were not known to fit that they are there, once they have been sent.
  ///
  /// - Returns: whether the terminal is still there.
  private func presentWholeness(_ now: HostTime) -> Bool {
    guard display.hasSentAll, visiblePanes.contains(where: { !$0.isWhole }) else { return true }
    for pane in visiblePanes { pane.isWhole = true }
    chromeChanged()
    drawChrome(now)
    return display.present(Display.Frames(), visiblePanes, chrome: chrome, at: now)
  }

  private func drawChrome(_ now: HostTime) {
    guard chromeIsStale, chromeIsUrgent || now - chromeDrawnAt >= Self.chromeInterval else { return }
    chromeIsStale = false
    chromeIsUrgent = false
    chromeDrawnAt = now
    // Clips that have been opened since may have titles.
    nameThePanes()
    var scene = ChromePainter.Scene()
    scene.obstacle = obstacle
    scene.panes = panes.enumerated().filter { $0.element.geometry != nil }
      .map { ($0.element, $0.offset + 1, $0.offset == focus) }
    scene.paneCount = panes.count
    scene.status = hasStatusRow ? statusText : nil
    scene.message = message?.text ?? opening?.status
    scene.hint = options.keys.keys(for: .help).first.map { "\($0) keys" } ?? ""
    scene.prompt = prompt
    scene.helpPage = helpPage
    scene.showsInfo = showsInfo
    scene.bytesPerSecond = display.bytesPerSecond(at: now)
    chrome.draw(scene)
    display.chromeDidChange()
  }

  private var statusText: TerminalText {
    var parts: [TerminalText] = []
    if panes.count > 1 { parts.append(isLinked ? "all panes" : "this pane only") }
    if let words = alignmentWords { parts.append(words) }
    if let key = options.keys.keys(for: .help).first { parts.append("\(key) keys") }
    return parts.joined(separator: "  ")
  }

  private func wait(_ groupDeadline: HostTime?) {
    let now = clock.now
    var deadline = HostTime.max
    func consider(_ time: HostTime?) { if let time { deadline = min(deadline, time) } }
    if display.canTakePictures(at: now) {
      for pane in visiblePanes { consider(pane.output.nextFrameTime(after: now)) }
      if !display.isExact && !session.writer.hasPending { consider(now) }
    }
    consider(bus.nextDelivery())
    consider(groupDeadline)
    consider(display.deadline)
    consider(parser.deadline.map(HostTime.init))
    consider(probe.deadline.map(HostTime.init))
    consider(message?.until)
    for pane in panes { consider(pane.notice?.until) }
    for pane in panes { consider(pane.stripUntil) }
    if chromeIsStale { consider(chromeIsUrgent ? now : chromeDrawnAt + Self.chromeInterval) }
    if showsInfo || panes.contains(where: { $0.skippedLately > 0 }) { consider(lastSecond + 1_000_000_000) }
    sleep(until: deadline, now: now)
  }

  private func sleep(until deadline: HostTime, now: HostTime) {
    var descriptors = [
      pollfd(fd: session.inputDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: session.signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let writer = descriptors.count
    if session.writer.hasPending {
      descriptors.append(pollfd(fd: session.writer.descriptor, events: Int16(POLLOUT), revents: 0))
    }
    var now = now
    while true {
      // Rounded up: waking early would only mean going round once more.
      let wait = deadline == .max ? -1 : Int32(clamping: (max(0, deadline - now) + 999_999) / 1_000_000)
      let ready = Glibc.poll(&descriptors, nfds_t(descriptors.count), wait)
      // A terminal takes an update in many small pieces, which are nobody else's business.
      guard ready == 1, writer < descriptors.count, descriptors[writer].revents == Int16(POLLOUT), display.flush(),
        session.writer.hasPending
      else { return }
      now = clock.now
      if now >= deadline { return }
    }
  }

  // MARK: - Input

  private func readInput(_ buffer: inout [UInt8]) {
    while true {
      let outcome = buffer.withUnsafeMutableBytes { session.read(into: $0) }
      switch outcome {
      case .empty: return
      case .gone: return quit(hangUpCode)
      case .bytes(let count):
        let events = buffer.withUnsafeBufferPointer {
          parser.feed(UnsafeBufferPointer(rebasing: $0[..<count]), at: UInt64(clock.now))
        }
        for event in events { handle(event) }
      }
    }
  }

  private func expireInput(_ now: HostTime) {
    for event in parser.expire(at: UInt64(now)) { handle(event) }
    probe.expire(at: UInt64(now))
    parser.expectsCursorReport = probe.expectsCursorReport
  }

  func handle(_ reply: TerminalReply) {
    let now = clock.now
    if case .operatingStatus = reply { return display.didAcknowledge(at: now) }
    let wasFinished = probe.isFinished
    let changed = probe.receive(reply, at: UInt64(now))
    parser.expectsCursorReport = probe.expectsCursorReport
    guard changed || (probe.isFinished && !wasFinished) else { return }
    let before = display.capabilities
    display.didProbe(probe.capabilities, roundTrip: wasFinished ? nil : probe.roundTrip, at: now)
    if before.glyphSet != probe.capabilities.glyphSet || before.colorDepth != probe.capabilities.colorDepth {
      if let chrome = try? Self.makeChrome(size, probe.capabilities, options.keys) { self.chrome = chrome }
      needsLayout()
    }
  }

  private func handleSignals() {
    for signal in session.signals.take() {
      switch signal {
      case .interrupt: quit(128 + SIGINT)
      case .terminate: quit(128 + SIGTERM)
      case .hangUp: quit(hangUpCode)
      case .suspend: suspend()
      case .continued: resume()
      case .windowChanged: sizeDidChange()
      }
    }
  }

  /// Stops the program as Ctrl-Z does; the clocks stand meanwhile.
  func suspend() {
    let running = panes.map(\.player).filter { $0.rate != 0 }
    let rates = running.map(\.rate)
    group.pause(running)
    settleTerminal()
    session.suspend()
    resume()
    let now = clock.now
    for (player, rate) in zip(running, rates) { player.setRate(rate, time: nil, atHostTime: now) }
  }

  private func resume() {
    do {
      try session.resume()
    } catch {
      return quit(hangUpCode)
    }
    sizeDidChange(terminalMayBeAnother: true)
  }

  // MARK: - The end

  private func leaveTerminal() {
    settleTerminal()
    session.restore()
  }

  /// Waits for answers that the terminal still owes: they must not reach whoever reads it next.
  private func settleTerminal() {
    guard display.awaitsAnswers || !probe.isFinished else { return }
    session.settle(owesAttributes: !probe.isFinished)
  }

  private func finish() -> Int32 {
    let failures = panes.compactMap { pane in pane.error.map { (pane.path, $0) } }
    let bytes = display.bytesWritten
    leaveTerminal()
    // A second for all that is under way.
    let deadline = monotonicNanoseconds() + 1_000_000_000
    let unsaved = saves.finish()
    history.finish(until: deadline)
    var code = exitCode ?? 0
    if code == 1 || (code == 0 && !failures.isEmpty) {
      for (path, error) in failures {
        printError("quadrille: \(path): \(error.message)")
      }
    }
    if let unsaved {
      printError("quadrille: \(unsaved)")
      if code == 0 { code = 1 }
    }
    let report = StatsReport(
      panes: panes.map(StatsReport.PaneReport.init) + closedReports, bytes: bytes,
      framesSent: display.framesSent, wallNanoseconds: clock.now - started)
    let isWritten =
      [write(statsFile) { try report.text() }, write(screenDumpFile) { ScreenDump(display.intendedScreen).text }]
    if code == 0, isWritten.contains(false) { code = 1 }
    return code
  }

  /// Writes a file that was asked for. Returns false when that does not work, which is then said.
  private func write(_ file: OutputFile?, _ text: () throws -> String) -> Bool {
    guard let file else { return true }
    do {
      try file.write(Array(text().utf8), sparing: filesRead)
      return true
    } catch {
      printError("quadrille: \(file.path): \(describing: error)")
      return false
    }
  }
}
