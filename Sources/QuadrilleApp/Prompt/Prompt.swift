import Playback
import Terminal

/// An input line with a purpose: a pure value, without a terminal.
struct Prompt: Equatable, Sendable {
  enum Purpose: String, CaseIterable, Equatable, Sendable {
    case open
    case goTo = "goto"
    case find
    case write
    case save
  }

  enum Outcome: Equatable {
    case editing
    case accepted(String)
    case cancelled
    /// Asks for the names that start with the typed text.
    case complete(PathCompletion.Request)
  }

  let purpose: Purpose
  private(set) var editor: LineEditor
  /// The reason the previous input was rejected; shown until a key is pressed.
  private(set) var objection: TerminalText?
  /// Names to choose from, while shown.
  private(set) var completion: PathCompletion?
  /// Previous input lines, oldest first.
  private var history: [String] = []
  /// Index of the shown line in `history`; nil while the new line is shown.
  private var browsed: Browsed?

  private struct Browsed: Equatable {
    var index: Int
    /// The new line, kept while history is shown.
    var draft: String
  }

  var text: String { editor.text }
  /// True if the line is a file name that can be completed.
  private var namesFiles: Bool { purpose == .open || purpose == .write || purpose == .save }

  /// The label before the line, longest form first.
  var labels: [TerminalText] {
    switch purpose {
    case .open: ["Open clip: ", "> "]
    case .write: ["Write movie: ", "> "]
    case .save: ["Save story: ", "> "]
    case .find: ["Find in subtitles: ", "Find: ", "> "]
    case .goTo:
      [
        "Go to (1:02.5 or #250; from here +5, -2.5, +10f, -2f; 50%): ", "Go to (1:02.5 #250 +5 -2f 50%): ", "Go to: ", "> ",
      ]
    }
  }

  /// - Parameter text: Initial contents, for correction.
  init(_ purpose: Purpose, text: String = "", objection: TerminalText? = nil, history: [String] = []) {
    self.purpose = purpose
    self.history = history
    self.objection = objection
    editor = LineEditor(text)
  }

  mutating func type(_ stroke: KeyStroke) -> Outcome {
    objection = nil
    if let outcome = choose(stroke) { return outcome }
    completion = nil
    switch (stroke.key, stroke.modifiers) {
    case (.enter, _): return text.isEmpty ? .cancelled : .accepted(text)
    case (.escape, _), (.character("c"), .ctrl), (.character("g"), .ctrl): return .cancelled
    case (.backspace, []) where text.isEmpty: return .cancelled
    case (.up, []), (.character("p"), .ctrl): browse(-1)
    case (.down, []), (.character("n"), .ctrl): browse(1)
    default: edit(stroke)
    }
    return .editing
  }

  // MARK: History

  /// Adds lines that have been read from the history file in the meantime.
  mutating func setHistory(_ lines: [String]) {
    if browsed == nil { history = lines }
  }

  private mutating func browse(_ step: Int) {
    let index = (browsed?.index ?? history.count) + step
    guard index >= 0, index < history.count || browsed != nil else { return }
    let draft = browsed?.draft ?? text
    if index < history.count {
      browsed = Browsed(index: index, draft: draft)
      editor.replace(with: history[index])
    } else {
      browsed = nil
      editor.replace(with: draft)
    }
  }

  // MARK: Completion

  /// The effect of a key on the names to choose from; nil if it has none.
  private mutating func choose(_ stroke: KeyStroke) -> Outcome? {
    guard namesFiles else { return nil }
    switch (stroke.key, stroke.modifiers) {
    case (.tab, []), (.tab, .shift):
      guard let candidates = completion?.candidates, candidates.count > 1 else { return complete() }
      if let line = completion?.select(next: stroke.modifiers.isEmpty) { editor.replaceBeforeCursor(with: line) }
      return .editing
    case (.enter, []), (.character("/"), []):
      // A chosen folder ends with a slash: complete inside it next.
      return completion?.selectedCandidate?.isFolder == true ? complete() : nil
    default:
      return nil
    }
  }

  private mutating func complete() -> Outcome {
    completion = nil
    return .complete(PathCompletion.Request(typed: editor.beforeCursor))
  }

  /// Handles a folder listing, unless the line has changed since it was requested.
  mutating func take(_ listing: Result<FolderListing, PlaybackError>, for request: PathCompletion.Request) {
    guard namesFiles, completion == nil, PathCompletion.Request(typed: editor.beforeCursor) == request else { return }
    switch listing {
    case .failure(let error):
      objection = "\(request.folder.isEmpty ? "." : request.folder): \(error.message)"
    case .success(let listing):
      let found = PathCompletion(request, listing)
      if let line = found.commonText { editor.replaceBeforeCursor(with: line) }
      if found.candidates.isEmpty { objection = "no file name starts with \"\(request.prefix)\"" }
      if found.candidates.count > 1 { completion = found }
    }
  }

  // MARK: Editing

  private mutating func edit(_ stroke: KeyStroke) {
    switch (stroke.key, stroke.modifiers) {
    case (.left, []), (.character("b"), .ctrl): editor.moveBack()
    case (.right, []), (.character("f"), .ctrl): editor.moveForward()
    case (.left, .ctrl), (.left, .alt), (.character("b"), .alt): editor.moveWordBack()
    case (.right, .ctrl), (.right, .alt), (.character("f"), .alt): editor.moveWordForward()
    case (.home, []), (.character("a"), .ctrl): editor.moveToBeginning()
    case (.end, []), (.character("e"), .ctrl): editor.moveToEnd()
    case (.backspace, []): editor.deleteBackward()
    case (.delete, []), (.character("d"), .ctrl): editor.deleteForward()
    case (.character("k"), .ctrl): editor.killToEnd()
    case (.character("u"), .ctrl): editor.killToBeginning()
    case (.character("w"), .ctrl): editor.killComponentBack()
    case (.backspace, .alt): editor.killWordBack()
    case (.character("d"), .alt): editor.killWordForward()
    case (.character("y"), .ctrl): editor.yank()
    case (.character(let scalar), []), (.character(let scalar), .shift): insert(String(scalar))
    default: break
    }
  }

  /// Inserts pasted text at the cursor: its first line, without control characters.
  mutating func insert(_ pasted: String) {
    let line = pasted.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }
    var clean = String.UnicodeScalarView()
    clean.append(contentsOf: line.filter { $0.properties.generalCategory != .control })
    (objection, completion) = (nil, nil)
    editor.insert(String(clean))
  }
}
