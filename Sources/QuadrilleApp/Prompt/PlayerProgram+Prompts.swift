import Pixels
import Playback
import Terminal

/// What is typed into lines, and what becomes of it.
extension PlayerProgram {
  func typeIntoPrompt(_ stroke: KeyStroke) {
    guard let purpose = prompt?.purpose, let outcome = prompt?.type(stroke) else { return }
    chromeChanged()
    switch outcome {
    case .editing: return
    case .complete(let request): lister.begin(request, home: TypedPath.home)
    case .cancelled: prompt = nil
    case .accepted(let text):
      prompt = nil
      switch purpose {
      case .open: open(text)
      case .goTo: goTo(text)
      }
    }
  }

  func ask(_ purpose: Prompt.Purpose) { prompt = Prompt(purpose, history: history.texts(for: purpose)) }

  /// Takes in what was read for the line that is being typed.
  func catchUpPrompt() {
    for answer in lister.take() {
      prompt?.take(answer.result, for: answer.request)
      chromeChanged()
    }
    if history.takeNews(), let purpose = prompt?.purpose { prompt?.setHistory(history.texts(for: purpose)) }
  }

  // MARK: - Going to a place

  private func goTo(_ text: String) {
    guard let target = GoToTarget(text) else {
      prompt = Prompt(
        .goTo, text: text, objection: "\"\(text)\" is neither a time nor a #frame, +5, -2f or 50%", history: history.texts(for: .goTo))
      return
    }
    history.add(PromptHistory.Line(purpose: .goTo, text: text))
    if case .position(.frame(let number)) = target, let objection = objection(toFrame: number) { return say(objection) }
    willMove(targets)
    seek { $0.time(of: target) }
  }

  /// A sentence about the clip that is certain not to have a frame of that number, the focused one first.
  private func objection(toFrame number: Int) -> TerminalText? {
    let panes = targets
    if let focused, let first = focused.player.firstFrame, number < first {
      return "\(panes.count > 1 ? focused.title : "the clip") begins at #\(first): what lies before is not shown"
    }
    guard let short = ([focused].compactMap { $0 } + panes).first(where: { $0.player.lacks(frame: number) }),
      let count = short.player.frameCount
    else { return nil }
    let clip: TerminalText = panes.count > 1 ? "\(short.title)" : "the clip"
    return "\(clip) has \(count) frame\(count == 1 ? "" : "s") (#0–#\(max(0, count - 1)))"
  }

  // MARK: - Opening a clip

  func askForClip() {
    guard panes.count < PlayOptions.mostClips else {
      let key = options.keys.keys(for: .close).first
      return say("there are four clips already\(key.map { "; \($0) closes the focused one" } ?? "")")
    }
    guard opening == nil else { return }
    ask(.open)
  }

  private func open(_ text: String) {
    let pane = makePane(TypedPath.expanded(text, home: TypedPath.home))
    // About what it will have; its pane's own size follows when it joins the others.
    let cellAspect = options.cellAspect ?? size.cellAspect ?? 0.5
    let area = PixelRect(x: 0, y: 0, width: size.columns, height: size.rows - 1)
    pane.geometry =
      focused?.geometry ?? Layout.panes(aspects: [pane.aspect], area: area, cellAspect: cellAspect, style: .auto).first
    pane.requestPictures(blitter: display.blitter, cellAspect: cellAspect)
    opening = ClipOpening(pane, typed: text)
  }

  /// Takes in what has come of a clip that is being opened.
  func catchUpOpening(at now: HostTime) {
    guard let opening else { return }
    switch opening.catchUp(at: now) {
    case .underWay: return
    case .ready:
      self.opening = nil
      history.add(PromptHistory.Line(purpose: .open, text: opening.text))
      // Among panes that keys steer together, it does what they do.
      let plays = isLinked ? focused.map { $0.player.rate != 0 } ?? true : true
      addPane(opening.pane)
      if plays { opening.pane.player.play() }
    case .failed(let error):
      closeOpening()
      let objection: TerminalText = "\(opening.pane.path): \(error.message)"
      if prompt == nil {
        prompt = Prompt(.open, text: opening.text, objection: objection, history: history.texts(for: .open))
      } else {
        say(objection)
      }
      chromeChanged()
    }
  }

  func callOffOpening() {
    closeOpening()
    chromeChanged()
  }

  private func closeOpening() {
    opening?.pane.close()
    opening = nil
  }
}
