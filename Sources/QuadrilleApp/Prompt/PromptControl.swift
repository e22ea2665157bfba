import Terminal

/// The active prompt with its history and completions. Screen thread only.
final class PromptControl {
  private(set) var prompt: Prompt?
  private let history: HistoryStore
  private let lister: FolderLister

  /// - Parameters:
  ///   - historyFile: nil to keep no history between runs.
  ///   - wake: Called from any thread when something has been read.
  init(historyFile: String?, wake: @escaping @Sendable () -> Void) {
    history = HistoryStore(path: historyFile, wake: wake)
    lister = FolderLister(wake: wake)
  }

  /// Opens a prompt.
  ///
  /// - Parameters:
  ///   - text: Initial contents, for correction.
  ///   - objection: The reason they were rejected.
  func ask(_ purpose: Prompt.Purpose, text: String = "", objection: TerminalText? = nil) {
    prompt = Prompt(purpose, text: text, objection: objection, history: history.texts(for: purpose))
  }

  /// The result of a prompt.
  enum Outcome {
    case accepted(String, for: Prompt.Purpose)
    case cancelled(Prompt.Purpose)
  }

  /// Handles a key.
  ///
  /// - Returns: The result; nil while the prompt stays open.
  func type(_ stroke: KeyStroke) -> Outcome? {
    guard let purpose = prompt?.purpose, let outcome = prompt?.type(stroke) else { return nil }
    switch outcome {
    case .editing: return nil
    case .complete(let request):
      lister.begin(request, home: TypedPath.home)
      return nil
    case .cancelled:
      prompt = nil
      return .cancelled(purpose)
    case .accepted(let text):
      prompt = nil
      return .accepted(text, for: purpose)
    }
  }

  func paste(_ text: String) { prompt?.insert(text) }

  /// Adds an accepted line to the history.
  func remember(_ text: String, for purpose: Prompt.Purpose) { history.add(PromptHistory.Line(purpose: purpose, text: text)) }

  /// Handles data read for the prompt. Returns true if it must be redrawn.
  func update() -> Bool {
    let answers = lister.take()
    for answer in answers { prompt?.take(answer.result, for: answer.request) }
    if history.takeNews(), let purpose = prompt?.purpose { prompt?.setHistory(history.texts(for: purpose)) }
    return !answers.isEmpty
  }

  /// Waits for the history to be written until a deadline in nanoseconds of the monotonic clock.
  func finish(until deadline: UInt64) { history.finish(until: deadline) }
}
