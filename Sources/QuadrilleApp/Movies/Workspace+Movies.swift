import Movies
import Playback
import Terminal

/// Making a movie from pieces.
extension Workspace {
  private var noMovie: TerminalText {
    let keys = [Command.markIn, .markOut, .addPiece].compactMap(key)
    return keys.count < 3 ? "no movie yet" : "no movie yet: \(keys[0]) and \(keys[1]) mark a piece, \(keys[2]) adds it"
  }

  /// Performs an action on the focused pane's piece, as soon as its frame is displayed.
  func request(_ action: PieceRequest.Action) {
    guard let focused = panes.focused, movies.requests.count < PieceRequest.most else { return }
    movies.requests.append(PieceRequest(pane: focused, action: action))
    fulfilPieceRequests()
    if !movies.requests.isEmpty { say("waiting for the frame") }
  }

  /// Performs the pending requests that are ready, in order.
  func fulfilPieceRequests() {
    while let request = movies.requests.first {
      switch request.pane.readiness(for: request.action) {
      case .waits: return
      case .never(let objection): say(objection)
      case .ready: fulfil(request)
      }
      movies.requests.removeFirst()
    }
  }

  private func fulfil(_ request: PieceRequest) {
    let pane = request.pane
    switch request.action {
    case .mark(let end): say(pane.mark(end), seconds: 8)
    case .add:
      let piece = pane.markedPiece()
      adoptOnlyMovie()
      movies.add(piece)
      let marks = pane.session.marks
      let length = marks.isEmpty ? "the whole clip" : marks.words(clip: pane.length)
      say("added \(pane.title): \(length)")
    }
  }

  /// If exactly one pane plays a movie file, makes that movie the current one.
  private func adoptOnlyMovie() {
    guard movies.hand == nil, !movies.isReading else { return }
    let files = panes.playable.filter { $0.asset.isComposition && $0.clips.story == nil && !$0.clips.list.hasSeveral }
    guard files.count == 1, let pane = files.first else { return }
    movies.adopt(pane)
  }

  func undoPiece() {
    guard movies.undo() else {
      return say(movies.hand == nil && !movies.isReading ? noMovie : "no added piece to remove")
    }
    say("removed the last piece; \(EditSession.words(movies.pieceCount)) left")
    if movies.isReading { return }
    if movies.pieceCount == 0 {
      movies.stopBuilding()
      hideMovie()
    } else if movies.pane != nil || movies.isBuilding {
      movies.build(.same)
    }
  }

  // MARK: - The movie's pane

  /// Shows the movie's pane, or hides it and restores the pane it replaced.
  func toggleMovie() {
    if movies.isReading { return say("still reading the movie") }
    guard movies.hand != nil, movies.pieceCount > 0 else { return say(noMovie) }
    if movies.pane == nil { movies.build(.same) } else { hideMovie() }
  }

  /// Closes the movie's pane; the edit is kept.
  func hideMovie() {
    guard let pane = movies.pane, panes.index(of: pane) != nil else { return }
    close(pane, insteadShowing: movies.willHide())
  }

  /// Restores the pane that the movie's pane replaced, if there is room for both.
  func bringBackDisplaced() {
    guard panes.panes.count < PlayOptions.maxPanes, let pane = movies.pane, let index = panes.index(of: pane),
      let displaced = movies.takeDisplaced()
    else { return }
    panes.insert(displaced.pane, at: index)
    goOn(displaced)
  }

  func goOn(_ displaced: MovieControl.Displaced) {
    if displaced.rate != 0 { displaced.pane.player.setRate(displaced.rate, time: nil, atHostTime: resources.clock.now) }
  }

  /// Handles results of background work on the movie.
  func updateMovies() {
    fulfilPieceRequests()
    for news in movies.update() {
      chrome.invalidateAtOnce()
      switch news {
      case .built(let made, let place): show(made, place)
      case .notBuilt(let error), .notRead(let error): say("\(error)", seconds: 8)
      case .saved(let result):
        // The line has a margin on each side.
        tell(result, .write) { .line("wrote \(result.path)", remarks: $0, columns: screen.metrics.columns - 2) }
      }
    }
    if !movies.isReading, let name = movies.awaitedName {
      movies.awaitedName = nil
      // Read errors have already been reported.
      if movies.hand != nil { writeMovie(name) }
    }
  }

  /// The title of a pane that shows the movie; nil for other panes. Untrusted text.
  func movieTitle(of pane: Pane) -> String? {
    pane === movies.pane ? movies.hand?.title(length: pane.player.duration) : nil
  }

  private func show(_ made: MovieBuild, _ place: MovieControl.Place) {
    guard let hand = movies.hand else { return }
    let asset = Asset(composition: made.composition, path: hand.path ?? EditSession.standardName)
    let time = place == .joint ? made.joint : movies.pane?.player.currentTime() ?? movies.lastTime
    if let pane = movies.pane {
      alignment.remove(pane)
      return pane.replace(with: asset, at: time)
    }
    let pane = makePane(ClipList(asset.path), movie: asset)
    pane.player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    let former = panes.focused
    if panes.panes.count < PlayOptions.maxPanes {
      movies.didShow(in: pane, insteadOf: nil)
      panes.append(pane, takesFocus: false)
    } else if let former {
      movies.didShow(in: pane, insteadOf: MovieControl.Displaced(pane: former, rate: former.player.rate))
      panes.replace(at: panes.focusIndex, with: pane)
      didTakeOut(former)
    }
    // If all panes are controlled together, it plays when they do.
    if panes.steering == .all, former?.player.rate ?? 0 != 0 { pane.player.play() }
    if let displaced = movies.displaced?.pane, displaced === former { displaced.rest() }
    updateLayout()
  }

  // MARK: - The movie's file

  func askForMovieName() {
    adoptOnlyMovie()
    guard movies.hand != nil || movies.isReading else { return say(noMovie) }
    movies.giveUpWriting()
    prompts.ask(.write, text: movies.hand?.path ?? movies.pane?.path ?? EditSession.standardName)
  }

  func writeMovie(_ text: String) {
    if movies.isReading {
      movies.awaitedName = text
      return say("still reading the movie; it is written after that")
    }
    guard let hand = movies.hand, !movies.isWriting else { return say("still writing the movie") }
    guard MovieFile.Form(path: text) != nil else {
      return prompts.ask(.write, text: text, objection: "the file name must end in .yaml, .yml, .edl or .otio")
    }
    movies.write(hand.document, to: text, sparing: filesInUse(besides: movies.pane))
  }
}
