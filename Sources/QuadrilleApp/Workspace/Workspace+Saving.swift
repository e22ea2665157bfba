import Terminal

/// What is written into files that somebody names.
extension Workspace {
  /// Says what has come of a file.
  ///
  /// - Parameters:
  ///   - purpose: of the line in which its name was typed.
  ///   - canAsk: whether that can be asked for again, where no other line is being typed.
  ///   - done: what is said of one that was written.
  func tell<Content>(
    _ result: FileSaving<Content>.Result, _ purpose: Prompt.Purpose, canAsk: Bool = true, done: ([String]) -> TerminalText
  ) {
    let asks = canAsk && prompts.prompt == nil
    switch result.outcome {
    case .written(let remarks):
      prompts.remember(result.path, for: purpose)
      say(done(remarks), seconds: 8)
    case .exists where asks:
      prompts.ask(purpose, text: result.typed, objection: "\(result.path) already exists: enter overwrites it, esc cancels")
    case .exists: say("not written: \(result.path) already exists")
    case .failed(let error) where asks: prompts.ask(purpose, text: result.typed, objection: "\(error)")
    case .failed(let error): say("\(error)", seconds: 8)
    }
  }

  /// Files that must not be written: the clips of all panes but one, and the settings.
  func filesInUse(besides pane: Pane? = nil) -> [String] {
    let others = (panes.panes + [movies.displaced?.pane].compactMap { $0 }).filter { $0 !== pane }
    return others.flatMap { $0.clips.list.clips.map(\.path) } + [options.files.settings].compactMap { $0 }
  }
}
