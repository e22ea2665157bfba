import Terminal

/// A line that is being typed for a purpose: pure, without a terminal.
struct Prompt: Equatable {
  enum Purpose: Equatable { case open, goTo }

  enum Outcome: Equatable {
    case editing
    case accepted(String)
    case cancelled
  }

  let purpose: Purpose
  private(set) var editor: LineEditor
  /// Why what was typed before did not do; shown until a key is pressed.
  private(set) var objection: TerminalText?

  var text: String { editor.text }

  /// What stands before the line, the longest form first.
  var labels: [TerminalText] {
    switch purpose {
    case .open: ["Open clip: ", "> "]
    case .goTo:
      [
        "Go to (1:02.5 or #250; from here +5, -2.5, +10f, -2f; 50%): ", "Go to (1:02.5 #250 +5 -2f 50%): ", "Go to: ", "> ",
      ]
    }
  }

  /// - Parameter text: what stands in the line at first, to be corrected.
  init(_ purpose: Purpose, text: String = "", objection: TerminalText? = nil) {
    self.purpose = purpose
    self.objection = objection
    editor = LineEditor(text)
  }

  mutating func type(_ stroke: KeyStroke) -> Outcome {
    objection = nil
    switch (stroke.key, stroke.modifiers) {
    case (.enter, _): return text.isEmpty ? .cancelled : .accepted(text)
    case (.escape, _), (.character("c"), .ctrl), (.character("g"), .ctrl): return .cancelled
    case (.backspace, []) where text.isEmpty: return .cancelled
    default: edit(stroke)
    }
    return .editing
  }

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
    objection = nil
    editor.insert(String(clean))
  }
}
