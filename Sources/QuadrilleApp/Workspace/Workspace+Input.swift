import CellGraphics
import Playback
import Terminal

/// Keyboard and mouse input.
extension Workspace {
  /// Handles an event; terminal replies are not for panes.
  ///
  /// - Returns: The effect for the run loop, if any.
  func handle(_ event: InputEvent) -> ProgramEffect? {
    switch event {
    case .reply, .focus: return nil
    case .mouse(let mouse): return handle(mouse)
    case .paste(let text):
      guard prompts.prompt != nil else { return nil }
      prompts.paste(text)
      chrome.invalidateAtOnce()
      return nil
    case .key(let key, let modifiers): return handle(KeyStroke(key, modifiers))
    }
  }

  private func handle(_ stroke: KeyStroke) -> ProgramEffect? {
    if prompts.prompt != nil {
      chrome.invalidateAtOnce()
      switch prompts.type(stroke) {
      case nil: break
      case .accepted(let text, let purpose): accept(text, for: purpose)
      case .cancelled(let purpose): giveUp(purpose)
      }
      return nil
    }
    if stroke.key == .escape, !openings.isEmpty {
      callOffOpenings()
      return nil
    }
    let command = options.keys.command(for: stroke)
    if panels.helpPage != nil {
      chrome.invalidateAtOnce()
      if panels.turnHelp(stroke, command, pageCount: screen.metrics.helpPageCount) { return nil }
    }
    if panels.list != nil {
      chrome.invalidateAtOnce()
      if steerList(stroke, command) { return nil }
    }
    if search != nil {
      chrome.invalidateAtOnce()
      if steerSearch(stroke) { return nil }
    }
    if steerScores(stroke) { return nil }
    if steerStory(stroke) || steerMagnified(stroke) || steerComparison(stroke) { return nil }
    if stroke.key == .escape, panels.showsFigures {
      panels.showsFigures = false
      chrome.invalidateAtOnce()
      return nil
    }
    if stroke.key == .escape, let pane = panes.focused, pane.view.comparison != nil {
      endComparison(of: pane)
      return nil
    }
    return command.flatMap(perform)
  }

  /// Handles a key while search matches can be visited. Returns true if it was for the search.
  private func steerSearch(_ stroke: KeyStroke) -> Bool {
    switch (stroke.key, stroke.modifiers) {
    case (.character("n"), []): goToFound(forward: true)
    case (.character("N"), _): goToFound(forward: false)
    case (.escape, _): endSearch()
    default: return false
    }
    clearMessage()
    return true
  }

  /// Performs a command.
  ///
  /// - Returns: The effect for the run loop, if any.
  func perform(_ command: Command) -> ProgramEffect? {
    guard let handler = CommandTable.handler(command.name) else { return nil }
    // The screen then stays as it is.
    if command == .quit { return .quit }
    chrome.invalidateAtOnce()
    clearMessage()
    if let objection = objection(to: command) {
      say(objection)
      return nil
    }
    if handler.movesClips { alignment.willMove(panes.targets) }
    return handler.perform(self, command.argument)
  }

  // MARK: - Mouse

  private func handle(_ mouse: MouseEvent) -> ProgramEffect? {
    if evaluation.inspection.probes {
      evaluation.inspection.pointer = .init(column: mouse.column, row: mouse.row)
      chrome.invalidateAtOnce()
    }
    if panels.list != nil, steerList(mouse) { return nil }
    if case .release = mouse.kind {
      panes.pointer.dragged = nil
      (panes.pointer.grip, panes.pointer.edge) = (nil, nil)
      return nil
    }
    if case .drag(.right) = mouse.kind, let grip = panes.pointer.grip {
      drag(grip, column: mouse.column, row: mouse.row)
      return nil
    }
    if case .drag = mouse.kind, let pane = panes.pointer.dragged {
      showThumbnails(of: pane, isDrag: true)
      seekBar(of: pane, column: mouse.column)
      return nil
    }
    if case .drag(.left) = mouse.kind, let pane = panes.pointer.edge {
      _ = dragEdge(of: pane, column: mouse.column, row: mouse.row)
      return nil
    }
    let hit = panes.visible.first { $0.geometry?.rect.contains(x: mouse.column, y: mouse.row) ?? false }
    guard let pane = hit, let index = panes.index(of: pane) else { return nil }
    switch mouse.kind {
    case .press(.left):
      focus(.index(index))
      if chooseInStory(pane, column: mouse.column, row: mouse.row) { return nil }
      if let track = pane.bar?.row.track, track.contains(x: mouse.column, y: mouse.row) {
        panes.pointer.dragged = pane
        showThumbnails(of: pane, isDrag: false)
        seekBar(of: pane, column: mouse.column)
      } else if dragEdge(of: pane, column: mouse.column, row: mouse.row) {
        panes.pointer.edge = pane
      } else if panes.pointer.takeDoubleClick(mouse, at: resources.clock.now) {
        _ = center(pane, column: mouse.column, row: mouse.row)
      }
      return nil
    case .press(.right):
      focus(.index(index))
      panes.pointer.grip = pane.point(column: mouse.column, row: mouse.row, blitter: screen.metrics.blitter)
        .map { Grip(pane: pane, point: $0.frame) }
      return nil
    case .wheelUp where mouse.modifiers.contains(.ctrl), .wheelDown where mouse.modifiers.contains(.ctrl):
      focus(.index(index))
      magnify(pane, by: mouse.kind == .wheelUp ? 1 : -1, column: mouse.column, row: mouse.row)
      return nil
    case .wheelUp, .wheelDown:
      focus(.index(index))
      return perform(.seek(mouse.kind == .wheelUp ? 1 : -1))
    default:
      return nil
    }
  }

  private func seekBar(of pane: Pane, column: Int) {
    guard let track = pane.bar?.row.track, pane.length.isNumeric else { return }
    chrome.invalidateAtOnce()
    let fraction = ProgressBar(width: track.width, played: 0).position(ofColumn: column - track.x)
    transport.drag(pane, to: pane.length * fraction)
  }
}
