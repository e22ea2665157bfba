import CellGraphics
import Playback
import Terminal

/// Handling of input lines.
extension Workspace {
  func accept(_ text: String, for purpose: Prompt.Purpose) {
    switch purpose {
    case .open: open(text)
    case .goTo: goTo(text)
    case .find: find(text)
    case .write: writeMovie(text)
    case .save: saveStory(text)
    }
  }

  /// Handles a cancelled input line.
  func giveUp(_ purpose: Prompt.Purpose) {
    switch purpose {
    case .write: movies.giveUpWriting()
    case .save: saves.stories.giveUp()
    case .open, .goTo, .find: break
    }
  }

  // MARK: - Searching subtitles

  func askForWords() {
    guard let focused = panes.focused, focused.error == nil else { return }
    guard focused.subtitles.isLooking || focused.subtitles.canBeSearched else {
      return say("this clip has no text subtitles")
    }
    prompts.ask(.find)
  }

  private func find(_ text: String) {
    guard let pane = panes.focused else { return }
    prompts.remember(text, for: .find)
    if search?.pane !== pane { endSearch() }
    search = SubtitleSearch(text, in: pane) { [wakeup = resources.wakeup] in wakeup.signal() }
  }

  /// Goes to the first match when the result arrives.
  func updateSearch() {
    guard let search, search.update() else { return }
    chrome.invalidateAtOnce()
    goToFound(forward: true)
  }

  func goToFound(forward: Bool) {
    guard let search else { return }
    guard let place = search.place(forward: forward) else { return }
    transport.drag(search.pane, to: SubtitleDisplay.place(ofCueAt: place, in: search.pane.player.timing(at: place)))
    search.didGo(to: place)
  }

  func endSearch() {
    search?.pane.subtitles.searchDidEnd()
    search = nil
    chrome.invalidateAtOnce()
  }

  // MARK: - Seeking

  private func goTo(_ text: String) {
    guard let target = GoToTarget(text) else {
      return prompts.ask(
        .goTo, text: text, objection: "\"\(text)\" is not a time, #frame, +5, -2f or 50%")
    }
    prompts.remember(text, for: .goTo)
    if case .position(.frame(let number)) = target, let objection = objection(toFrame: number) { return say(objection) }
    if case .position(.time(let time)) = target { sayIfPastEnd(time) }
    alignment.willMove(panes.targets)
    transport.seek { $0.time(of: target) }
    if case .position(.frame(let number)) = target { awaitIndex(ofFrame: number) }
  }

  /// If a frame's number is not indexed yet, reports how far numbers are known, and has the panes go there once they are.
  private func awaitIndex(ofFrame number: Int) {
    let targets = panes.targets.filter { !$0.player.knows(frame: number) }
    // Aligned panes keep their distance.
    if !alignment.isKept(by: panes.targets) { for pane in targets { pane.willFind(frame: number) } }
    guard let pane = targets.first(where: { $0 === panes.focused }) ?? targets.first else { return }
    let known = pane.player.frameIndex?.timeline?.frameCount ?? 0
    let extent: TerminalText = known > 0 ? "only frames up to #\(known - 1) are indexed so far" : "the frames are not indexed yet"
    say("\(extent): the position of #\(number) is estimated until it is found")
  }

  /// Reports the end of the clip if a seek target is past it.
  private func sayIfPastEnd(_ time: MediaTime) {
    let targets = panes.targets
    guard let short = targets.first(where: { $0.player.duration.isNumeric && time > $0.player.duration }) else { return }
    say("\(spokenName(short)) ends at \(short.player.duration.placeText)")
  }

  /// The name of a controlled clip in messages.
  private func spokenName(_ pane: Pane) -> TerminalText { panes.targets.count > 1 ? pane.title : "the clip" }

  /// A message about a clip that certainly has no frame with that number, the focused one first; nil if there is none.
  private func objection(toFrame number: Int) -> TerminalText? {
    let (targets, focused) = (panes.targets, panes.focused)
    if let focused, let first = focused.player.firstFrame, number < first {
      return "\(spokenName(focused)) starts at #\(first): earlier frames are not shown"
    }
    guard let short = ([focused].compactMap { $0 } + targets).first(where: { $0.player.lacks(frame: number) }),
      let extent = short.frameExtent
    else { return nil }
    return "\(spokenName(short)) \(extent)"
  }

  // MARK: - Opening a clip

  func askForClip() {
    // Subtitles can still be added.
    prompts.ask(.open, objection: hasRoom ? nil : noRoom + "; only subtitles can be added")
  }

  /// The message if there is no room for a pane.
  private var noRoom: TerminalText {
    "four clips are already open\(key(.close).map { "; \($0) closes the focused one" } ?? "")"
  }

  private func open(_ text: String) {
    let readings = TypedPath.readings(text, home: TypedPath.home)
    if readings.count == 1, SubtitleFile.isNamed(readings[0]), let focused = panes.focused {
      prompts.remember(text, for: .open)
      record.didOpen(subtitles: readings[0])
      return focused.subtitles.add(readings[0])
    }
    guard hasRoom || readings.contains(where: SubtitleFile.isNamed) else { return say(noRoom) }
    let rate = options.imageRate(ofClip: nil)
    openings.append(ClipOpening(readings, typed: text, frameRate: rate) { [wakeup = resources.wakeup] in wakeup.signal() })
  }

  /// Returns true if there is room for another pane.
  private var hasRoom: Bool { panes.panes.count + openings.count < PlayOptions.maxPanes }

  /// A pane for a resolved list, not added to the others yet.
  private func makeWaitingPane(_ list: ClipList) -> Pane {
    let pane = makePane(list)
    // Approximately its final size; its own geometry follows when it is added.
    let metrics = screen.metrics
    let area = CellRect(x: 0, y: 0, width: metrics.columns, height: metrics.rows - 1)
    pane.geometry =
      panes.focused?.geometry
      ?? Layout.panes(aspects: [pane.aspect], area: area, cellAspect: metrics.cellAspect, style: .auto).first
    pane.requestFrames(metrics)
    return pane
  }

  /// Handles progress of clips being opened.
  func updateOpenings(at now: HostTime) {
    while let opening = openings.first {
      switch opening.update(at: now) {
      case .underway: return
      case .found(let list):
        guard panes.panes.count + openings.count <= PlayOptions.maxPanes else {
          openings.removeFirst()
          say(noRoom)
          continue
        }
        opening.open(makeWaitingPane(list))
      case .foundSubtitles(let path):
        openings.removeFirst()
        chrome.invalidateAtOnce()
        guard let focused = panes.focused else {
          say("\(path): subtitles need an open clip")
          continue
        }
        prompts.remember(opening.text, for: .open)
        record.didOpen(subtitles: path)
        focused.subtitles.add(path)
      case .ready(let pane):
        openings.removeFirst()
        prompts.remember(opening.text, for: .open)
        join(pane)
      case .failed(let pane, let error):
        openings.removeFirst()
        pane.close()
        chrome.invalidateAtOnce()
        let objection: TerminalText = "\(error.message(naming: pane.path))"
        if prompts.prompt == nil {
          prompts.ask(.open, text: opening.text, objection: objection)
        } else {
          say(objection)
        }
      }
    }
  }

  /// Adds a pane to the others.
  private func join(_ pane: Pane) {
    // The movie being edited may have taken the last place in the meantime.
    guard panes.panes.count < PlayOptions.maxPanes else {
      pane.close()
      return say(noRoom)
    }
    // If all panes are controlled together, it plays when they do.
    let plays = panes.steering == .all ? panes.focused.map { $0.player.rate != 0 } ?? true : true
    // Input in progress concerns the focused pane.
    addPane(pane, takesFocus: prompts.prompt == nil && panels.list == nil)
    if plays { pane.player.play() }
  }

  /// Cancels everything that is being opened.
  func callOffOpenings() {
    for opening in openings { opening.pane?.close() }
    openings = []
    chrome.invalidateAtOnce()
  }
}
