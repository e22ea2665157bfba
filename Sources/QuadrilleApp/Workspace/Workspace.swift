import Playback
import Terminal

/// The panes of a run and all that keys do with them: what the run loop drives. Screen thread only.
///
/// It knows no terminal, only the size of a screen; what it shows is a `ScreenModel`.
final class Workspace {
  let options: PlayOptions
  let resources: PlaybackResources
  let panes: PaneSet
  let alignment: AlignmentControl
  let transport: Transport
  let prompts: PromptControl
  var saves: Saves
  let movies: MovieControl
  let record: RunRecord
  var panels = Panels()
  /// Clips that are being opened besides those that have panes: they join them in the order in which they were asked for.
  var openings: [ClipOpening] = []
  /// The search for words whose places can be gone to.
  var search: SubtitleSearch?
  private(set) var message: Notice?
  var chrome = ChromeSchedule()
  var screen: Screen

  /// The screen, how it is to be divided, and how it was.
  struct Screen {
    fileprivate(set) var metrics: ScreenMetrics
    var layout: ScreenLayout
    fileprivate var aspects: [Double] = []
    fileprivate var hasStatusRow = true
    fileprivate var placeholder: TerminalText?
  }

  /// What is being written, whatever becomes of the panes that it is of.
  struct Saves {
    let frames: PendingSaves
    var stories: StorySaving
  }

  init(
    _ options: PlayOptions, _ resources: PlaybackResources, _ record: RunRecord, historyFile: String?,
    metrics: ScreenMetrics
  ) {
    self.options = options
    self.resources = resources
    self.record = record
    let wakeup = resources.wakeup
    panes = PaneSet(options.isLinked ? .all : .focused)
    alignment = AlignmentControl(panes, resources.group)
    transport = Transport(panes, alignment, resources.group, clock: resources.clock)
    prompts = PromptControl(historyFile: historyFile) { wakeup.signal() }
    saves = Saves(frames: PendingSaves { wakeup.signal() }, stories: StorySaving { wakeup.signal() })
    let assetOptions = resources.assetOptions(options.languages)
    movies = MovieControl(makeAsset: { Asset(path: $0, options: assetOptions) }, wake: { wakeup.signal() })
    panels.showsFigures = options.view.showsInfo
    screen = Screen(metrics: metrics, layout: ScreenLayout(style: options.view.layout))
  }

  /// Opens the clips that the run begins with, and plays them.
  func openClips() {
    for (index, clip) in options.clips.enumerated() {
      addPane(makePane(clip, subtitles: options.subtitleFiles(ofClip: index)))
    }
    focus(.index(0))
    for (index, pane) in panes.panes.enumerated() {
      if let start = options.start(ofClip: index) { pane.start(at: start) }
    }
    if !options.beginning.offsets.isEmpty { return alignment.request(options.beginning.offsets) }
    if !options.beginning.isPaused { transport.playAll() }
  }

  // MARK: - Words

  /// Says something for a while; nothing when there is nothing to say.
  func say(_ text: TerminalText?, seconds: Double = 4) {
    guard let text else { return }
    message = Notice(text: text, seconds: seconds, at: resources.clock.now)
    chrome.invalidateAtOnce()
  }

  /// What was said was about something before.
  func clearMessage() { message = nil }

  /// The shortest key of a command, for people.
  func key(_ command: Command) -> TerminalText? { options.keys.keys(for: command).first.map { "\($0)" } }

  // MARK: - Layout

  func screenDidChange(_ metrics: ScreenMetrics) {
    screen.metrics = metrics
    updateLayout()
  }

  /// Lays the panes out and asks for frames that fill them.
  func updateLayout() {
    let all = panes.panes
    let metrics = screen.metrics
    screen.aspects = all.map(\.aspect)
    let result = screen.layout.result(
      in: .init(
        columns: metrics.columns, rows: metrics.rows, cellAspect: metrics.cellAspect, aspects: screen.aspects,
        focus: panes.focusIndex))
    screen.hasStatusRow = result.hasStatusRow
    screen.placeholder = result.placeholder
    for (pane, geometry) in zip(all, result.geometries) {
      pane.geometry = geometry
      pane.requestFrames(blitter: metrics.blitter, cellAspect: metrics.cellAspect)
      pane.observeBar()
    }
    panes.updateTitles(given: movieTitle)
    shareCache()
    chrome.invalidateAtOnce()
  }

  func shareCache() {
    if !options.isUntimed { panes.shareCache(options.resources.cacheBytes) }
  }

  // MARK: - What has come of things under way

  /// Takes in everything that has happened since the last call.
  func update(at now: HostTime) {
    resources.context.bus.deliver()
    for pane in panes.panes where pane.update(at: now) { chrome.invalidate() }
    _ = movies.displaced?.pane.update(at: now)
    updateOpenings(at: now)
    updateMovies()
    updateStories()
    updateSearch()
    if prompts.update() { chrome.invalidateAtOnce() }
    for pane in panes.panes where pane.takeClipChange() { forgetClip(of: pane) }
    for pane in panes.panes { if let edge = pane.takePlayedOut() { alignment.didPlayOut(pane, edge) } }
    if alignment.update() { chrome.invalidate() }
    if let messages = alignment.fulfilRequest() {
      for message in messages { say(message, seconds: 8) }
      if !options.beginning.isPaused { transport.playAll() }
    }
    for pane in panes.panes where pane.updateSaves(at: now) { chrome.invalidateAtOnce() }
    if panes.panes.map(\.aspect) != screen.aspects { updateLayout() }
  }

  /// Takes in thumbnails and lets those go whose time is over. Returns whether the screen has to be painted again.
  func updateThumbnails(at now: HostTime) -> Bool {
    let hasNew = panes.visible.map { $0.preview.update() }.contains(true)
    let hasGone = panes.panes.map { $0.preview.expire(at: now, isDragged: $0 === panes.dragged) }.contains(true)
    return hasNew || hasGone
  }

  /// Looks which subtitles belong to the frames on the screen; they go out with them.
  func updateSubtitles(at now: HostTime) {
    let (blitter, depth) = (screen.metrics.blitter, screen.metrics.colorDepth)
    // What is said or asked lies over the frame where there is no status row.
    let covered = !screen.hasStatusRow && (prompts.prompt != nil || words != nil) ? 1 : 0
    for pane in panes.visible where pane.updateSubtitles(blitter: blitter, depth: depth, coveredRows: covered, at: now) {
      chrome.invalidateAtOnce()
    }
  }

  /// Takes the frames that are due and puts them on display.
  func takeFrames(_ allowance: FlowWindow.Allowance, at now: HostTime) -> [FrameArrival] {
    guard case .open(let limit) = allowance else { return [] }
    // What does not have to fit into some bytes is sent whole.
    let arrivals = panes.visible.compactMap { $0.takeFrame(at: now, mayBePartial: limit != nil) }
    if arrivals.contains(where: \.changesChrome) { chrome.invalidateAtOnce() }
    return arrivals
  }

  /// What lies under the chrome now.
  func images(_ arrivals: [FrameArrival] = [], at now: HostTime) -> [PaneImage] {
    panes.visible.compactMap {
      $0.image(arrivals, isFocused: $0 === panes.focused, blitter: screen.metrics.blitter, at: now)
    }
  }

  /// All of the displayed frames has been sent. Returns whether any was not known to fit.
  func takeDelivery() -> Bool {
    guard panes.visible.contains(where: { $0.display.delivery == .partial }) else { return false }
    for pane in panes.visible { pane.display.didDeliver() }
    chrome.invalidateAtOnce()
    return true
  }

  /// Lets words go whose time is over.
  func expireWords(at now: HostTime) {
    if message.expire(at: now) { chrome.invalidateAtOnce() }
    for pane in panes.panes where pane.notice.expire(at: now) { chrome.invalidateAtOnce() }
  }

  /// Counts what happened in some seconds, at least 1.
  func updateFigures(after seconds: Double) {
    if panels.showsFigures { chrome.invalidate() }
    for pane in panes.panes where pane.updateDrops(after: seconds) { chrome.invalidate() }
  }

  /// Whether figures change while nothing else happens.
  var figuresChange: Bool { panels.showsFigures || panes.panes.contains { $0.drops.perSecond > 0 } }

  /// When something is to be done even if nothing happens, as host time; nil when never.
  var deadline: HostTime? {
    let times = [message?.until, chrome.deadline, resources.context.bus.nextDelivery()]
      + panes.panes.flatMap { [$0.notice?.until, $0.preview.deadline] }
      + panes.visible.map { $0.nextSubtitleTime(after: resources.clock.now) }
    return times.compactMap { $0 }.min()
  }

  /// The frames that the panes on the screen want to show.
  var frameDemand: FrameDemand {
    let visible = panes.visible
    if visible.contains(where: { $0.player.isScrubbing }) { return .scrubbing }
    let frames = visible.map { $0.frameRate * abs($0.player.rate) }.max() ?? 0
    return frames > 0 ? .playing(frames) : .resting
  }

  /// Whether there were clips and none of any list can be played.
  var hasFailed: Bool { !panes.panes.isEmpty && panes.panes.allSatisfy(\.hasFailed) }

  /// Whether there were clips and all have ended.
  var hasEnded: Bool { !panes.panes.isEmpty && panes.panes.allSatisfy(\.clip.hasEnded) }

  // MARK: - What is shown

  /// What is to be drawn around the frames now.
  func model(link: LinkFigures) -> ScreenModel {
    // Clips that have been opened since may have titles.
    panes.updateTitles(given: movieTitle)
    var model = ScreenModel()
    model.placeholder = screen.placeholder
    model.paneCount = panes.panes.count
    model.panes = panes.panes.filter { $0.geometry != nil }.map { self.model(of: $0, withFigures: panels.showsFigures) }
    model.status = screen.hasStatusRow ? statusText : nil
    model.message = words
    model.hint = helpHint ?? ""
    model.prompt = prompts.prompt
    model.panels = panels
    model.list = listPanel
    model.link = link
    return model
  }

  /// What is said beside all panes.
  private var words: TerminalText? { message?.text ?? openings.first?.status ?? search?.words }

  func model(of pane: Pane, withFigures: Bool) -> PaneModel {
    pane.model(
      number: (panes.index(of: pane) ?? 0) + 1, isFocused: pane === panes.focused, offset: alignment.offset(of: pane),
      blitter: screen.metrics.blitter, withFigures: withFigures)
  }

  private var helpHint: TerminalText? { key(.help).map { "\($0) keys" } }

  private var statusText: TerminalText {
    let steering: TerminalText? = panes.panes.count > 1 ? (panes.steering == .all ? "all panes" : "this pane only") : nil
    return [steering, alignment.words, helpHint].compactMap { $0 }.joined(separator: "  ")
  }
}
