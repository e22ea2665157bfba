import Terminal

/// Results of writing files that the user named.
extension Workspace {
  /// Reports the result of writing a file.
  ///
  /// - Parameters:
  ///   - purpose: Purpose of the input line in which the name was typed.
  ///   - canAsk: Whether the name may be asked for again, if no other line is open.
  ///   - done: The message for a written file.
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

  /// Files that must not be overwritten: those of all panes but one, the subtitles, the settings file and the session.
  func filesInUse(besides pane: Pane? = nil) -> InputFiles {
    var files = InputFiles()
    files.add(options.subtitles.files + [options.files.settings, options.files.session].compactMap { $0 })
    for other in panes.panes + [movies.displaced?.pane].compactMap({ $0 }) where other !== pane { files.add(other.clips.list) }
    return files
  }
}
