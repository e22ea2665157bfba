import Playback
import Terminal

/// A line that is being typed for a purpose: pure, without a terminal.
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
    /// The names that begin as typed are asked for.
    case complete(PathCompletion.Request)
  }

  let purpose: Purpose
  private(set) var editor: LineEditor
  /// Why what was typed before did not do; shown until a key is pressed.
  private(set) var objection: TerminalText?
  /// Names to choose from, while they are shown.
  private(set) var completion: PathCompletion?
  /// Lines that were typed before, the oldest first.
  private var history: [String] = []
  /// The line of `history` that is shown; nil while what is being typed is.
  private var browsed: Browsed?

  private struct Browsed: Equatable {
    var index: Int
    /// What had been typed before.
    var draft: String
  }

  var text: String { editor.text }
  /// Whether the line is the name of a file, which can be completed.
  private var namesFiles: Bool { purpose == .open || purpose == .write || purpose == .save }

  /// What stands before the line, the longest form first.
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

  /// - Parameter text: what stands in the line at first, to be corrected.
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

  /// Takes lines in that have been read meanwhile.
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

  /// What a key does about names to choose from; nil when that is nothing.
  private mutating func choose(_ stroke: KeyStroke) -> Outcome? {
    guard namesFiles else { return nil }
    switch (stroke.key, stroke.modifiers) {
    case (.tab, []), (.tab, .shift):
      guard let candidates = completion?.candidates, candidates.count > 1 else { return complete() }
      if let line = completion?.select(next: stroke.modifiers.isEmpty) { editor.replaceBeforeCursor(with: line) }
      return .editing
    case (.enter, []), (.character("/"), []):
      // A folder that was chosen has its slash: what lies in it comes next.
      return completion?.selectedCandidate?.isFolder == true ? complete() : nil
    default:
      return nil
    }
  }

  private mutating func complete() -> Outcome {
    completion = nil
    return .complete(PathCompletion.Request(typed: editor.beforeCursor))
  }

  /// Takes in what a folder holds, unless something else has been typed since it was asked for.
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

  /// Takes pasted text at the cursor: its first line, without control characters.
  mutating func insert(_ pasted: String) {
    let line = pasted.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }
    var clean = String.UnicodeScalarView()
    clean.append(contentsOf: line.filter { $0.properties.generalCategory != .control })
    (objection, completion) = (nil, nil)
    editor.insert(String(clean))
  }
}
