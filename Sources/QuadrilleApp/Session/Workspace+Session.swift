import Playback

/// Saving a session, and continuing one.
extension Workspace {
  // MARK: - Continuing

  /// Arranges the panes, which have just been added, as in a session.
  func arrange(_ session: SessionDocument) {
    for (pane, saved) in zip(panes.panes, session.panes) {
      pane.view.gravity = saved.gravity
      pane.view.magnification = saved.magnification
      pane.view.look = saved.look
      if saved.repetition != .off, !options.isUntimed { pane.clips.setRepetition(saved.repetition) }
    }
    evaluation.reference = session.reference.map { panes.panes[$0] }
    focus(.index(session.focus))
    screen.layout.isZoomed = session.isAlone
    screen.layout.showsChrome = session.showsChrome
    updateLayout()
  }

  /// Plays the panes that are to play from the beginning.
  func beginPlaying() {
    if options.beginning.isPaused { return }
    let saved = options.evaluation.session?.panes ?? []
    let playing = saved.map { !$0.isPaused }
    // With --no-paused, all play.
    guard playing.contains(true), playing.contains(false) else { return transport.playAll() }
    for (pane, plays) in zip(panes.panes, playing) where plays { pane.player.play() }
  }

  /// Begins a session's comparisons once all clips are open.
  func restoreComparisons() {
    guard let session = evaluation.unrestored, panes.panes.allSatisfy({ $0.clip.isOpen || $0.error != nil }) else { return }
    evaluation.unrestored = nil
    // A pane may have been closed or opened in the meantime.
    guard panes.panes.count == session.panes.count else { return }
    for (pane, saved) in zip(panes.panes, session.panes) {
      guard let comparison = saved.comparison else { continue }
      let reference = panes.panes[comparison.reference]
      guard [pane, reference].allSatisfy({ $0.error == nil && $0.story == nil && $0.videoTrack != nil }) else { continue }
      begin(comparison.settings, in: pane, with: reference)
    }
  }

  // MARK: - Saving

  /// The session to continue later; nil if there is nothing to continue, or if the one to continue has not been restored.
  var savedSession: SessionDocument? {
    guard options.files.session != nil, evaluation.unrestored == nil, !hasFailed else { return nil }
    // A movie that exists only here cannot be opened later; the pane it has displaced can.
    let isUnwritten = movies.hand.map { $0.path == nil || !$0.isSaved } ?? false
    let shown = panes.panes.compactMap { isUnwritten && $0 === movies.pane ? movies.displaced?.pane : $0 }
    guard !shown.isEmpty else { return nil }
    func index(_ pane: Pane?) -> Int? { pane.flatMap { pane in shown.firstIndex { $0 === pane } } }
    var session = SessionDocument(panes: shown.map { pane in saved(pane, index) })
    session.focus = index(panes.focused) ?? 0
    session.reference = index(evaluation.reference)
    session.isAlone = screen.layout.isZoomed
    session.showsChrome = screen.layout.showsChrome
    session.layout = screen.layout.style
    session.isLinked = panes.steering == .all
    let speed = (panes.focused ?? shown[0]).player.snapshot.defaultRate
    session.speed = min(max(Player.rates.lowerBound, speed), Player.rates.upperBound)
    return session
  }

  private func saved(_ pane: Pane, _ index: (Pane) -> Int?) -> SessionDocument.Pane {
    let list = pane.clips.list
    var saved = SessionDocument.Pane(
      clips: list.order.map { index in
        let clip = list.clips[index]
        return .init(path: clip.path, title: clip.title, imageRate: clip.sequence?.frameRate)
      }, lists: list.files, current: list.place)
    saved.repetition = list.repetition
    saved.isPaused = pane.player.rate == 0
    if pane.error != nil {
      // It may be playable again later.
      saved.time = options.evaluation.session?.panes.first { $0.clips == saved.clips && $0.current == saved.current }?.time
    } else if pane.clips.story == nil {
      let place = pane.place
      saved.time = place.isNumeric ? max(.zero, place) : nil
    }
    saved.offset = alignment.keptOffset(of: pane)
    saved.gravity = pane.view.gravity
    saved.magnification = pane.view.magnification
    saved.look = pane.view.look
    saved.comparison = pane.view.comparison.flatMap { comparison in
      index(comparison.reference).map { .init(reference: $0, settings: comparison.settings) }
    }
    return saved
  }
}
