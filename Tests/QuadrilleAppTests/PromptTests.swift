import Testing

@testable import QuadrilleApp
@testable import Terminal

@Suite struct PromptTests {
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
      KeyStroke(.left), KeyStroke(.function(1)), KeyStroke(.tab), KeyStroke(.character("x"), .alt),
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

  @Test func hasALongestLine() {
    var prompt = Prompt(.open)
    prompt.insert(String(repeating: "ü", count: 10_000))
    #expect(prompt.text.utf8.count <= 4097)
  }
}
