import Terminal

/// The line that is being typed, with what was typed before and the names that it can go on with. Screen thread only.
final class PromptControl {
  private(set) var prompt: Prompt?
  private let history: HistoryStore
  private let lister: FolderLister

  /// - Parameters:
  ///   - historyFile: nil keeps nothing from run to run.
  ///   - wake: called from any thread when something has been read.
  init(historyFile: String?, wake: @escaping @Sendable () -> Void) {
    history = HistoryStore(path: historyFile, wake: wake)
    lister = FolderLister(wake: wake)
  }

  /// Begins a line.
  ///
  /// - Parameters:
  ///   - text: what stands in it at first, to be corrected.
  ///   - objection: why that did not do.
  func ask(_ purpose: Prompt.Purpose, text: String = "", objection: TerminalText? = nil) {
    prompt = Prompt(purpose, text: text, objection: objection, history: history.texts(for: purpose))
  }

  /// What has become of a line.
  enum Outcome {
    case accepted(String, for: Prompt.Purpose)
    case cancelled(Prompt.Purpose)
  }

  /// Takes a key.
  ///
  /// - Returns: what has become of the line; nil while it is being typed.
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

  /// Keeps a line that did.
  func remember(_ text: String, for purpose: Prompt.Purpose) { history.add(PromptHistory.Line(purpose: purpose, text: text)) }

  /// Takes in what has been read for the line. Returns whether it has to be drawn again.
  func update() -> Bool {
    let answers = lister.take()
    for answer in answers { prompt?.take(answer.result, for: answer.request) }
    if history.takeNews(), let purpose = prompt?.purpose { prompt?.setHistory(history.texts(for: purpose)) }
    return !answers.isEmpty
  }

  /// Waits until what was typed is kept, at most until a time of the monotonic clock in nanoseconds.
  func finish(until deadline: UInt64) { history.finish(until: deadline) }
}
