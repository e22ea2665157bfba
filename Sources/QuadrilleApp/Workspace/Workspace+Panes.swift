import Playback
import Terminal

/// Adding, closing and focusing panes.
extension Workspace {
  /// Opens a clip in a pane that is not added to the others yet.
  ///
  /// - Parameters:
  ///   - subtitles: Additional subtitle files for the first clip.
  ///   - movie: A movie to play instead of the list's clip.
  func makePane(_ list: ClipList, subtitles: [String] = [], movie: Asset? = nil) -> Pane {
    let player = resources.makePlayer(options)
    record.didOpen(list)
    let clips = PaneClips(list, player, needsSound: !options.view.showsPicture) { [resources, options] clip in
      movie == nil ? resources.makeStory(clip, options.languages) : nil
    } makeAsset: { [weak panes, weak movies, resources, options] clip in
      if let movie { return movie }
      // If several panes play one clip, its facts are read only once.
      let known = panes?.playable.first { $0.asset.isOpened(from: clip.location) && $0.path == clip.path && $0.asset.sequence == clip.sequence && $0 !== movies?.pane }
      return known?.asset ?? resources.makeAsset(clip, options.languages)
    }
    if !options.isUntimed {
      switch options.looping {
      case .once: break
      case .times(let count): clips.setRepetition(.list, maxRounds: count)
      case .forever: clips.setRepetition(.list)
      }
    }
    if options.beginning.isShuffled { clips.setShuffled(true) }
    let wake: @Sendable () -> Void = { [wakeup = resources.wakeup] in wakeup.signal() }
    return Pane(
      clips: clips, player: player, view: PaneView(gravity: options.view.gravity, magnification: options.view.magnification),
      subtitles: PaneSubtitles(options.subtitles, files: subtitles, wake: wake), soundFolder: resources.soundFolder,
      wake: wake
    ) { [options] opened, item in
      try PaneStory(opened, player, item: item, choices: options.beginning.choices, wake: wake)
    }
  }

  /// Adds a pane after the others and optionally focuses it; the caller starts it.
  func addPane(_ pane: Pane, takesFocus: Bool = true) {
    panes.append(pane, takesFocus: takesFocus)
    updateLayout()
  }

  func closeFocusedPane() {
    guard let focused = panes.focused else { return }
    if focused === movies.pane, movies.hand != nil {
      hideMovie()
      return say(key(.movie).map { "the edit is kept: \($0) shows it" })
    }
    // The movie file is being read; pieces can still be added to it.
    if focused === movies.pane { _ = movies.willHide() }
    close(focused)
  }

  /// Closes a pane.
  ///
  /// - Parameter successor: The pane to show in its place.
  func close(_ pane: Pane, insteadShowing successor: MovieControl.Displaced? = nil) {
    guard let index = panes.index(of: pane) else { return }
    record.didClose(model(of: pane, withFigures: true))
    if let successor {
      panes.replace(at: index, with: successor.pane)
      goOn(successor)
    } else {
      panes.remove(at: index)
    }
    pane.close()
    didTakeOut(pane)
    bringBackDisplaced()
    if panes.panes.count < 2 { screen.layout.isZoomed = false }
    updateLayout()
  }

  /// Removes all references to a pane that has been removed.
  func didTakeOut(_ pane: Pane) {
    forgetClip(of: pane)
    endComparisons(with: pane)
    panes.pointer.dragged = nil
    panels.list = nil
  }

  /// Removes all references to the clip that a pane has shown.
  func forgetClip(of pane: Pane) {
    movies.requests.removeAll { $0.pane === pane }
    forgetMeasurement(of: pane)
    alignment.remove(pane)
    if search?.pane === pane { endSearch() }
  }

  /// A pane to focus.
  enum FocusTarget {
    case next
    case previous
    case index(Int)
  }

  func focus(_ target: FocusTarget) {
    let count = max(1, panes.panes.count)
    let index = switch target {
    case .next: (panes.focusIndex + 1) % count
    case .previous: (panes.focusIndex + count - 1) % count
    case .index(let index): index
    }
    guard panes.focus(index) else { return }
    shareCache()
    if screen.layout.isZoomed || panes.panes.contains(where: { $0.geometry == nil }) { updateLayout() }
    chrome.invalidateAtOnce()
  }

  func toggleSteering() {
    panes.steering = panes.steering == .all ? .focused : .all
    say(panes.steering == .all ? "keys control all panes" : "keys control only the focused pane")
  }

  /// Takes the focused pane's next step in setting an A-B loop, in all controlled panes.
  func advanceLoop() {
    let targets = panes.targets
    guard let leader = targets.first(where: { $0 === panes.focused }) ?? targets.first else { return }
    let step = leader.nextLoopStep
    for pane in targets {
      let message = pane.setLoop(step)
      if pane === leader { say(message) }
    }
  }

  /// Goes to another clip in the lists of all controlled panes.
  func goToClip(by count: Int) {
    guard let focused = panes.focused else { return }
    let former = focused.clips.list
    for pane in panes.steered { _ = pane.clips.go(by: count) }
    guard former.hasSeveral else {
      return panes.steered.contains { $0.clips.list.hasSeveral } ? () : say("this pane has only one clip")
    }
    if former.index(by: count) == nil { return say(former.words(ofNone: count)) }
    say(focused.clips.list.words)
  }

  func toggleShuffled() {
    guard let focused = panes.focused else { return }
    guard focused.clips.list.hasSeveral else { return say("this pane has only one clip") }
    let shuffled = !focused.clips.list.isShuffled
    for pane in panes.steered { pane.clips.setShuffled(shuffled) }
    say(shuffled ? "shuffle on" : "shuffle off")
  }

  func cycleGravity() {
    guard let focused = panes.focused else { return }
    let next = focused.view.gravity.next
    for pane in panes.targets { pane.view.gravity = next }
    updateLayout()
    say("frame: \(next.commandLineName)")
  }

  func saveFrame() {
    guard let pane = panes.focused, pane.error == nil else { return }
    guard pane.showsClip, let timing = pane.display.frame?.timing else { return say("no frame yet") }
    guard pane.videoTrack != nil else { return say("cannot save a frame: this clip has no video") }
    guard pane.canGiveFrames else { return say("cannot save a frame: this clip can be read only once") }
    pane.save(timing, saves.frames)
  }

  /// Saves the visible parts of the frames of all linked panes, at their full resolution.
  func saveVisible() {
    guard let focused = panes.focused else { return }
    let reference = focused.view.comparison?.reference
    let linked = panes.linked(to: focused)
    let all = linked + [reference].compactMap { $0 }.filter { reference in !linked.contains { $0 === reference } }
    /// A hidden reference is shown by its pair.
    func timing(_ pane: Pane) -> FrameTiming? {
      pane === reference ? focused.view.comparison?.pair?.first.timing : pane.showsClip ? pane.display.frame?.timing : nil
    }
    let saved = all.filter { timing($0) != nil && $0.videoTrack != nil && $0.canGiveFrames }
    guard !saved.isEmpty else { return say("no frame to save") }
    if saved.count > 1 { say("saving the visible parts of \(saved.count) frames") }
    for pane in saved {
      guard let timing = timing(pane), let part = (focused.view.stage ?? pane.view.stage)?.visiblePart(focused.view.magnification) else { continue }
      pane.save(timing, part: part, saves.frames)
    }
  }

  /// Moves the focused pane alone, whatever is linked.
  func nudge(by count: Int) {
    guard let pane = panes.focused else { return }
    pane.willMove()
    if let words = alignment.nudge(pane, by: count) { say(words) }
  }

  /// Shows thumbnails while seeking.
  func showThumbnails(of pane: Pane, isDrag: Bool) {
    pane.didScrub(isDrag: isDrag, at: resources.clock.now) { [context = resources.context, wakeup = resources.wakeup] in
      ThumbnailStrip(asset: pane.asset, videoTrack: pane.videoTrack, duration: pane.length, context: context) { wakeup.signal() }
    }
  }
}
