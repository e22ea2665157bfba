import Pixels
import Playback
import Terminal

/// The panes of a run and the commands on them, driven by the run loop. Screen thread only.
///
/// Independent of the terminal: it knows only the size of a screen and produces a `ScreenModel`.
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
  var evaluation: Evaluation
  var measuring: MeasuringControl { evaluation.measuring }
  /// Clips being opened that have no pane yet; their panes are added in the order of the requests.
  var openings: [ClipOpening] = []
  /// The search whose matches can be visited.
  var search: SubtitleSearch?
  var chrome = ChromeSchedule()
  var screen: Screen

  /// The screen, its layout, and the previous layout.
  struct Screen {
    fileprivate(set) var metrics: ScreenMetrics
    var layout: ScreenLayout
    /// Shape and size of each pane's frames.
    fileprivate var shapes: [FrameShape] = []
    fileprivate var hasStatusRow = true
    fileprivate var placeholder: TerminalText?
    fileprivate(set) var message: Notice?
  }

  struct FrameShape: Equatable {
    var aspect: Double
    var size: PixelSize

    init(_ pane: Pane) { (aspect, size) = (pane.aspect, pane.frameSize) }
  }

  /// Writes in progress, independent of their panes.
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
    panes = PaneSet(options.isLinked ? .all : .focused, sound: SoundControl(options.sound))
    alignment = AlignmentControl(panes, resources.group)
    transport = Transport(panes, alignment, resources.group, clock: resources.clock)
    prompts = PromptControl(historyFile: historyFile) { wakeup.signal() }
    saves = Saves(frames: PendingSaves { wakeup.signal() }, stories: StorySaving { wakeup.signal() })
    let assetOptions = resources.assetOptions(options.languages)
    movies = MovieControl(makeAsset: { .named($0, options: assetOptions) }, wake: { wakeup.signal() })
    evaluation = Evaluation(resources.makeMeasuring(vmafProgram: options.evaluation.vmafProgram))
    panels.showsFigures = options.view.showsInfo
    evaluation.awaitsAlignment = options.evaluation.alignsFrames
    evaluation.requestedComparison = options.view.comparison
    evaluation.unrestored = options.evaluation.session
    screen = Screen(metrics: metrics, layout: ScreenLayout(style: options.view.layout))
  }

  /// Opens and plays the initial clips.
  func openClips() {
    let order = options.clipOrder
    for index in order { addPane(makePane(options.clips[index], subtitles: options.subtitleFiles(ofClip: index))) }
    if options.evaluation.isBlind { beginBlindTest() }
    say(soundChoiceObjection, seconds: 8)
    focus(.index(0))
    for (pane, index) in zip(panes.panes, order) {
      if let start = options.start(ofClip: index) { pane.start(at: start) }
    }
    if options.view.comparison != nil, panes.panes.count > 1 {
      focus(.index(1))
      screen.layout.isZoomed = true
      updateLayout()
    }
    if let session = options.evaluation.session { arrange(session) }
    let offsets = options.beginning.offsets
    if !offsets.isEmpty { return alignment.request(offsets, isPartial: options.evaluation.session != nil) }
    beginPlaying()
  }

  // MARK: - Messages

  /// Shows a message for a while; nil shows nothing.
  func say(_ text: TerminalText?, seconds: Double = 4) {
    guard let text else { return }
    screen.message = Notice(text: text, seconds: seconds, at: resources.clock.now)
    chrome.invalidateAtOnce()
  }

  /// The previous message is outdated.
  func clearMessage() { screen.message = nil }

  /// The shortest key of a command, for messages.
  func key(_ command: Command) -> TerminalText? { options.keys.keys(for: command).first.map { "\($0)" } }

  // MARK: - Layout

  func screenDidChange(_ metrics: ScreenMetrics) {
    screen.metrics = metrics
    updateLayout()
  }

  /// Lays out the panes and requests frames that fill them.
  func updateLayout() {
    let all = panes.panes
    let metrics = screen.metrics
    screen.shapes = all.map(FrameShape.init)
    let result = screen.layout.result(
      in: .init(
        columns: metrics.columns, rows: metrics.rows, cellAspect: metrics.cellAspect, aspects: screen.shapes.map(\.aspect),
        focus: panes.focusIndex, filling: Set(all.indices.filter { all[$0].view.gravity != .resizeAspect })))
    screen.hasStatusRow = result.hasStatusRow
    screen.placeholder = result.placeholder
    for (pane, geometry) in zip(all, result.geometries) {
      pane.geometry = geometry
      pane.requestFrames(metrics)
      pane.observeBar()
    }
    panes.updateTitles(given: movieTitle)
    shareCache()
    chrome.invalidateAtOnce()
  }

  private func beginRequestedComparison() {
    guard let mode = evaluation.requestedComparison, panes.panes.allSatisfy({ $0.clip.isOpen || $0.error != nil }) else { return }
    evaluation.requestedComparison = nil
    compare(mode)
  }

  func shareCache() {
    if !options.isUntimed { panes.shareCache(options.resources.cacheBytes) }
  }

  // MARK: - Updates

  /// Handles everything that has happened since the last call.
  func update(at now: HostTime) {
    resources.context.bus.deliver()
    updateSound()
    updateFiles(at: now)
    for pane in panes.panes where pane.update(at: now) { chrome.invalidate() }
    _ = movies.displaced?.pane.update(at: now)
    updateOpenings(at: now)
    beginRequestedComparison()
    beginRequestedAlignment()
    restoreComparisons()
    updateMovies()
    updateStories()
    updateSearch()
    if prompts.update() { chrome.invalidateAtOnce() }
    for pane in panes.panes where pane.takeClipChange() { forgetClip(of: pane) }
    for pane in panes.panes { if let edge = pane.takePlayedOut() { alignment.didPlayOut(pane, edge) } }
    let hasStalled = panes.panes.map { $0.takeStall() }.contains(true)
    if hasStalled, panes.steering == .all, options.resources.stallHandling == .all {
      // One that has never opened may never.
      resources.group.wait(panes.playable.filter(\.clip.isOpen).map(\.player))
    }
    waitForCompared()
    if alignment.update() { chrome.invalidate() }
    updateMeasuring()
    if let messages = alignment.fulfilRequest() {
      for message in messages { say(message, seconds: 8) }
      beginPlaying()
    }
    for pane in panes.panes where pane.updateSaves(at: now) { chrome.invalidateAtOnce() }
    if panes.panes.map(FrameShape.init) != screen.shapes { updateLayout() }
  }

  /// Lets both clips of a comparison wait while one of them waits for frames, so that they stay together.
  private func waitForCompared() {
    for pane in panes.playable {
      guard let comparison = pane.view.comparison else { continue }
      let players = [comparison.reference.player, pane.player], statuses = players.map(\.timeControlStatus)
      if statuses.contains(.waiting(.buffering)), statuses.contains(.playing) { resources.group.wait(players) }
    }
  }

  /// Handles new thumbnails and hides expired ones. Returns true if the screen must be repainted.
  func updateThumbnails(at now: HostTime) -> Bool {
    let hasNew = panes.visible.map { $0.preview.update() }.contains(true)
    let hasGone = panes.panes.map { $0.preview.expire(at: now, isDragged: $0 === panes.pointer.dragged) }.contains(true)
    let hasLostMap = panes.panes.map { $0.expireMinimap(at: now) }.contains(true)
    return hasNew || hasGone || hasLostMap
  }

  /// Updates the subtitles of the displayed frames; they are sent together.
  func updateSubtitles(at now: HostTime) {
    let (blitter, depth) = (screen.metrics.blitter, screen.metrics.colorDepth)
    // Without a status row, messages and prompts cover the frame.
    let covered = !screen.hasStatusRow && (prompts.prompt != nil || words != nil) ? 1 : 0
    for pane in panes.visible where pane.updateSubtitles(blitter: blitter, depth: depth, coveredRows: covered, at: now) {
      chrome.invalidateAtOnce()
    }
  }

  /// Takes the due frames and displays them.
  func takeFrames(_ allowance: FlowWindow.Allowance, at now: HostTime) -> [FrameArrival] {
    guard case .open(let limit) = allowance else { return [] }
    // Frames without a byte limit are sent whole.
    let arrivals = panes.visible.compactMap { $0.takeFrame(at: now, mayBePartial: limit != nil) }
    if arrivals.contains(where: \.changesChrome) { chrome.invalidateAtOnce() }
    // Loudness changes with each of them.
    if !arrivals.isEmpty, panes.visible.contains(where: { $0.display.frame?.loudness != nil }) { chrome.invalidate() }
    return arrivals
  }

  /// The image under the chrome.
  func images(_ arrivals: [FrameArrival] = [], at now: HostTime) -> [PaneImage] {
    panes.visible.compactMap {
      $0.image(arrivals, isFocused: $0 === panes.focused, blitter: screen.metrics.blitter, at: now)
    }
  }

  /// Records that all displayed frames have been sent. Returns true if any was not known to fit.
  func takeDelivery() -> Bool {
    guard panes.visible.contains(where: { $0.display.delivery == .partial }) else { return false }
    for pane in panes.visible { pane.display.didDeliver() }
    chrome.invalidateAtOnce()
    return true
  }

  /// Removes expired messages.
  func expireWords(at now: HostTime) {
    if screen.message.expire(at: now) { chrome.invalidateAtOnce() }
    for pane in panes.panes where pane.notice.expire(at: now) { chrome.invalidateAtOnce() }
  }

  /// Updates statistics over some seconds, at least 1.
  func updateFigures(after seconds: Double) {
    if panels.showsFigures || panes.visible.contains(where: \.isLoading) { chrome.invalidate() }
    for pane in panes.panes where pane.updateDrops(after: seconds) { chrome.invalidate() }
  }

  /// True if statistics change while nothing else happens.
  var figuresChange: Bool {
    panels.showsFigures
      || panes.panes.contains { $0.isLoading || $0.drops.perSecond > 0 || $0.player.timeControlStatus == .waiting(.buffering) }
  }

  /// Host time of the next action without events; nil if there is none.
  var deadline: HostTime? {
    let times = [screen.message?.until, chrome.deadline, resources.context.bus.nextDelivery()]
      + panes.panes.flatMap { [$0.notice?.until, $0.preview.deadline, $0.view.minimapUntil] }
      + panes.visible.map { $0.nextSubtitleTime(after: resources.clock.now) }
    return times.compactMap { $0 }.min()
  }

  /// The frames that the visible panes want to show.
  var frameDemand: FrameDemand {
    let visible = panes.visible
    if visible.contains(where: { $0.player.isScrubbing }) { return .scrubbing }
    let frames = visible.map { $0.frameRate * abs($0.player.rate) }.max() ?? 0
    return frames > 0 ? .playing(frames) : .resting
  }

  /// True if there were clips and no list has a playable one.
  var hasFailed: Bool { !panes.panes.isEmpty && panes.panes.allSatisfy(\.hasFailed) }

  /// True if there were clips and all have ended.
  var hasEnded: Bool { !panes.panes.isEmpty && panes.panes.allSatisfy(\.clip.hasEnded) }

  // MARK: - Display

  /// The chrome to draw.
  func model(link: LinkFigures) -> ScreenModel {
    // Clips opened since may have titles.
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
    model.probe = probeModel
    model.link = link
    return model
  }

  /// The text beside all panes.
  private var words: TerminalText? { screen.message?.text ?? openings.first?.status ?? search?.words }

  func model(of pane: Pane, withFigures: Bool) -> PaneModel {
    let index = panes.index(of: pane) ?? 0
    var model = pane.model(
      number: index + 1, isFocused: pane === panes.focused, offset: alignment.offset(of: pane), facts: evaluation.inspection.facts,
      blitter: screen.metrics.blitter, withFigures: withFigures)
    model.playback.sound = soundMark(of: pane, index: index)
    model.inspected.measurement = measurementModel(of: pane)
    return model
  }

  private var helpHint: TerminalText? { key(.help).map { "\($0) keys" } }

  private var statusText: TerminalText {
    let steering: TerminalText? = panes.panes.count > 1 ? (panes.steering == .all ? "all panes" : "this pane only") : nil
    return [steering, alignment.words, evaluation.blindTest?.words, helpHint].compactMap { $0 }.joined(separator: "  ")
  }
}
