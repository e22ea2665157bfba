import Testing

@testable import QuadrilleApp
@testable import Terminal

@Suite(.timeLimit(.minutes(20))) struct PromptTests {
  private func typed(_ text: String, into prompt: inout Prompt) {
    for scalar in text.unicodeScalars {
      #expect(prompt.type(KeyStroke(.character(scalar))) == .editing)
    }
  }

  @Test func takesTextAndEnter() {
    var prompt = Prompt(.open)
    typed("a b/ü.mp4", into: &prompt)
    #expect(prompt.text == "a b/ü.mp4")
    #expect(prompt.type(KeyStroke(.enter)) == .accepted("a b/ü.mp4"))
  }

  @Test func enterOnNothingCancels() {
    var prompt = Prompt(.goTo)
    #expect(prompt.type(KeyStroke(.enter)) == .cancelled)
  }

  @Test func escapeAndItsLikesCancel() {
    for stroke in [KeyStroke(.escape), KeyStroke(.character("c"), .ctrl), KeyStroke(.character("g"), .ctrl)] {
      var prompt = Prompt(.open)
      typed("x", into: &prompt)
      #expect(prompt.type(stroke) == .cancelled)
    }
  }

  @Test func backspaceTakesWholeCharactersAndThenCancels() {
    var prompt = Prompt(.open)
    typed("ae\u{301}", into: &prompt)
    #expect(prompt.type(KeyStroke(.backspace)) == .editing && prompt.text == "a")
    #expect(prompt.type(KeyStroke(.backspace)) == .editing && prompt.text == "")
    #expect(prompt.type(KeyStroke(.backspace)) == .cancelled)
  }

  @Test func ctrlUAndCtrlWEdit() {
    var prompt = Prompt(.open)
    typed("/a dir/file name", into: &prompt)
    #expect(prompt.type(KeyStroke(.character("w"), .ctrl)) == .editing && prompt.text == "/a dir/file ")
    #expect(prompt.type(KeyStroke(.character("w"), .ctrl)) == .editing && prompt.text == "/a dir/")
    #expect(prompt.type(KeyStroke(.character("u"), .ctrl)) == .editing && prompt.text == "")
  }

  @Test func otherKeysChangeNothing() {
    var prompt = Prompt(.open)
    typed("x", into: &prompt)
    for stroke in [
      KeyStroke(.function(1)), KeyStroke(.insert), KeyStroke(.character("x"), .alt),
      KeyStroke(.character("q"), .ctrl),
    ] {
      #expect(prompt.type(stroke) == .editing && prompt.text == "x")
    }
  }

  @Test func pastesTheFirstLineWithoutControlCharacters() {
    var prompt = Prompt(.open)
    prompt.insert("/tmp/a\u{1B}[31m\tb.mp4\nrm -rf\n")
    #expect(prompt.text == "/tmp/a[31mb.mp4")
    prompt.insert("\r")
    #expect(prompt.text == "/tmp/a[31mb.mp4")
  }

  @Test func aLineHoldsFourKibibytes() {
    var prompt = Prompt(.open)
    prompt.insert(String(repeating: "ü", count: 10_000))
    #expect(prompt.text.utf8.count == 4096)
    // Half of a character is none.
    prompt = Prompt(.open, text: "a")
    prompt.insert(String(repeating: "ü", count: 10_000))
    #expect(prompt.text.utf8.count == 4095)
    #expect(prompt.type(KeyStroke(.character("x"))) == .editing && prompt.text.utf8.count == 4096)
    #expect(prompt.type(KeyStroke(.character("y"))) == .editing && prompt.text.last == "x")
  }

  @Test(arguments: [
    (["left", "left"], "12|34"), (["ctrl-b"], "123|4"), (["home"], "|1234"), (["ctrl-a", "right"], "1|234"),
    (["ctrl-a", "ctrl-f", "ctrl-f"], "12|34"), (["home", "end"], "1234|"), (["home", "ctrl-e"], "1234|"),
    (["home", "delete"], "|234"), (["ctrl-a", "ctrl-d"], "|234"), (["left", "backspace"], "12|4"),
    (["left", "ctrl-k"], "123|"), (["left", "ctrl-u"], "|4"), (["left", "ctrl-k", "home", "ctrl-y"], "4|123"),
    (["ctrl-left"], "|1234"), (["alt-b", "alt-f"], "1234|"), (["home", "ctrl-right"], "1234|"),
    (["left", "9"], "1239|4"),
  ])
  func keysEdit(names: [String], result: String) throws {
    var prompt = Prompt(.goTo)
    typed("1234", into: &prompt)
    for name in names { #expect(prompt.type(try #require(KeyStroke(name))) == .editing) }
    #expect("\(prompt.editor.beforeCursor)|\(prompt.editor.afterCursor)" == result)
  }

  @Test func pastesAtTheCursor() {
    var prompt = Prompt(.open)
    typed("ac", into: &prompt)
    _ = prompt.type(KeyStroke(.left))
    prompt.insert("b\nx")
    #expect(prompt.text == "abc" && prompt.editor.beforeCursor == "ab")
  }
}
