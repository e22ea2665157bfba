import Terminal

/// A line that is being typed: pure, without a terminal.
struct Prompt: Equatable {
  enum Purpose: Equatable { case open, goTo }

  enum Outcome: Equatable {
    case editing
    case accepted(String)
    case cancelled
  }

  let purpose: Purpose
  private(set) var text = ""

  var label: TerminalText {
    switch purpose {
    case .open: "Open clip: "
    case .goTo: "Go to (seconds, m:s, h:m:s.ms or #frame): "
    }
  }

  private static let longest = 4096

  init(_ purpose: Purpose) { self.purpose = purpose }

  mutating func type(_ stroke: KeyStroke) -> Outcome {
    switch (stroke.key, stroke.modifiers) {
    case (.enter, _): return text.isEmpty ? .cancelled : .accepted(text)
    case (.escape, _), (.character("c"), .ctrl), (.character("g"), .ctrl): return .cancelled
    case (.backspace, []):
      if text.isEmpty { return .cancelled }
      text.removeLast()
    case (.character("u"), .ctrl): text = ""
    case (.character("w"), .ctrl):
      while text.last == " " || text.last == "/" { text.removeLast() }
      while let last = text.last, last != " ", last != "/" { text.removeLast() }
    case (.character(let scalar), []), (.character(let scalar), .shift):
      insert(String(scalar))
    default: break
    }
    return .editing
  }

  /// Takes pasted text: its first line.
  mutating func insert(_ pasted: String) {
    let line = pasted.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }
    for scalar in line where text.utf8.count < Self.longest && scalar.properties.generalCategory != .control {
      text.unicodeScalars.append(scalar)
    }
  }
}
