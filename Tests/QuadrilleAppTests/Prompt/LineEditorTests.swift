import Terminal
import TestSupport
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct LineEditorTests {
  /// A line with the cursor where the bar is.
  private func line(_ marked: String) -> LineEditor {
    // A mark may follow the bar.
    let parts = marked.unicodeScalars.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
    var editor = LineEditor(parts[0] + parts[1])
    editor.moveToBeginning()
    while editor.beforeCursor.utf8.count < parts[0].utf8.count { editor.moveForward() }
    return editor
  }

  private func marked(_ editor: LineEditor) -> String { "\(editor.beforeCursor)|\(editor.afterCursor)" }

  private func after(_ marked: String, _ change: (inout LineEditor) -> Void) -> String {
    var editor = line(marked)
    change(&editor)
    return self.marked(editor)
  }

  @Test func insertsAtTheCursor() {
    #expect(after("12|3") { $0.insert("9") } == "129|3")
    #expect(after("|abc") { $0.insert("x y") } == "x y|abc")
  }

  @Test func movesByCharactersAsTheyAreSeen() {
    #expect(after("e\u{301}|x") { $0.moveBack() } == "|e\u{301}x")
    #expect(after("|👩‍👧x") { $0.moveForward() } == "👩‍👧|x")
    #expect(after("|x") { $0.moveBack() } == "|x")
    #expect(after("x|") { $0.moveForward() } == "x|")
    #expect(after("ab|c") { $0.moveToBeginning() } == "|abc")
    #expect(after("a|bc") { $0.moveToEnd() } == "abc|")
  }

  @Test func movesByWords() {
    #expect(after("/a b/clip-01.mp4|") { $0.moveWordBack() } == "/a b/clip-01.|mp4")
    #expect(after("/a b/clip-01.|mp4") { $0.moveWordBack() } == "/a b/clip-|01.mp4")
    #expect(after("/a| b/clip") { $0.moveWordBack() } == "/|a b/clip")
    #expect(after("//|") { $0.moveWordBack() } == "|//")
    #expect(after("|/a b/clip") { $0.moveWordForward() } == "/a| b/clip")
    #expect(after("/a| b/clip") { $0.moveWordForward() } == "/a b|/clip")
    #expect(after("a|//") { $0.moveWordForward() } == "a//|")
  }

  @Test func deletes() {
    #expect(after("ae\u{301}|b") { $0.deleteBackward() } == "a|b")
    #expect(after("a|e\u{301}b") { $0.deleteForward() } == "a|b")
    #expect(after("|b") { $0.deleteBackward() } == "|b")
    #expect(after("b|") { $0.deleteForward() } == "b|")
  }

  @Test func killsAndYanks() {
    var editor = line("one two| three")
    editor.killToEnd()
    #expect(marked(editor) == "one two|" && editor.killed == " three")
    editor.killToEnd()
    #expect(editor.killed == " three", "nothing is no reason to forget")
    editor.moveToBeginning()
    editor.yank()
    #expect(marked(editor) == " three|one two")
    editor.killToBeginning()
    #expect(marked(editor) == "|one two" && editor.killed == " three")
    editor.moveToEnd()
    editor.killWordBack()
    #expect(marked(editor) == "one |" && editor.killed == "two")
    editor.moveToBeginning()
    editor.killWordForward()
    #expect(marked(editor) == "| " && editor.killed == "one")
  }

  @Test func killsPartsOfPaths() {
    #expect(after("/a dir/file name|.mp4") { $0.killComponentBack() } == "/a dir/file |.mp4")
    #expect(after("/a dir/file |") { $0.killComponentBack() } == "/a dir/|")
    #expect(after("/a dir/|") { $0.killComponentBack() } == "/a |")
    #expect(after("/|") { $0.killComponentBack() } == "|")
  }

  /// The cursor is never inside a character, also where characters become one.
  @Test func charactersThatBecomeOne() {
    #expect(after("|\u{301}x") { $0.insert("e") } == "e\u{301}|x")
    #expect(after("e|z\u{301}") { $0.insert("\u{301}") } == "e\u{301}|z\u{301}")
    #expect(after("🇩|x🇪") { $0.deleteForward() } == "🇩🇪|")
  }

  @Test func holdsFourKibibytesAndNoByteMore() {
    var editor = LineEditor(String(repeating: "ü", count: 10_000))
    #expect(editor.text.utf8.count == 4096)
    editor = LineEditor("x" + String(repeating: "ü", count: 10_000))
    #expect(editor.text.utf8.count == 4095)
    editor.insert("ü")
    #expect(editor.text.utf8.count == 4095)
    editor.insert("yz")
    #expect(editor.text.utf8.count == 4096 && editor.text.hasSuffix("y"))
  }

  @Test func replacesWhatStandsBeforeTheCursor() {
    #expect(after("~/cl|.x") { $0.replaceBeforeCursor(with: "~/clip") } == "~/clip|.x")
    #expect(after("a|b") { $0.replaceBeforeCursor(with: String(repeating: "y", count: 4096)) } == "a|b")
  }

  @Test func textsOfOtherBytesAreOthers() {
    #expect(LineEditor("\u{E9}") != LineEditor("e\u{301}"))
    #expect(LineEditor("x") == LineEditor("x"))
  }

  @Test func keepsItsRulesWhateverComes() {
    var random = SeededGenerator(seed: 7)
    let pieces = ["a", " ", "/", "ü", "\u{301}", "界", "🇩", "🇪", "👩", "\u{200D}", "\u{10FE85}", "e\u{301}"]
    var editor = LineEditor()
    for _ in 0..<20_000 {
      switch Int.random(in: 0..<16, using: &random) {
      case 0: editor.moveBack()
      case 1: editor.moveForward()
      case 2: editor.moveWordBack()
      case 3: editor.moveWordForward()
      case 4: editor.moveToBeginning()
      case 5: editor.deleteBackward()
      case 6: editor.deleteForward()
      case 7: editor.killComponentBack()
      case 8: editor.killWordForward()
      case 9: editor.yank()
      default: editor.insert(pieces[Int.random(in: 0..<pieces.count, using: &random)])
      }
      if editor.text.utf8.count > 60 { editor.killToEnd() }
      if editor.text.utf8.count > 60 { editor.killToBeginning() }
      #expect(String.Index(editor.beforeCursor.endIndex, within: editor.text) != nil)
      #expect(Array(editor.beforeCursor) + Array(editor.afterCursor) == Array(editor.text))
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct LineViewTests {
  private func editor(_ text: String, back: Int = 0) -> LineEditor {
    var editor = LineEditor(text)
    for _ in 0..<back { editor.moveBack() }
    return editor
  }

  private func shown(_ text: String, back: Int = 0, room: Int) -> String {
    let view = LineView(editor(text, back: back), room: room)
    return "\(view.isCut.left ? "<" : "")\(view.before)[\(view.cursor)]\(view.after)\(view.isCut.right ? ">" : "")"
  }

  @Test func showsAllThatFits() {
    #expect(shown("", room: 5) == "[ ]")
    #expect(shown("abcd", room: 5) == "abcd[ ]")
    #expect(shown("abcd", back: 2, room: 5) == "ab[c]d")
    #expect(shown("abcde", back: 5, room: 5) == "[a]bcde")
  }

  @Test func scrollsSoThatTheCursorIsSeen() {
    #expect(shown("abcdefgh", room: 5) == "<efgh[ ]")
    #expect(shown("abcdefgh", back: 8, room: 5) == "[a]bcde>")
    #expect(shown("abcdefghijklmnop", back: 8, room: 9) == "<cdefgh[i]jk>")
  }

  @Test func wideCharactersAndMarks() {
    #expect(shown("界界界", room: 6) == "<界界[ ]")
    #expect(shown("界界界", back: 1, room: 6) == "界界[界]")
    #expect(shown("e\u{301}x", back: 2, room: 6) == "[é]x")
    #expect(shown("a\u{200B}b", room: 6) == "a\u{FFFD}b[ ]")
    #expect(shown("a\u{1B}b", room: 6) == "a␛b[ ]")
  }

  @Test func neverTakesMoreThanItsRoom() {
    let text = "界a\u{301}bü/ 👩‍👧x界y"
    for room in 2...30 {
      for back in 0...text.count {
        let view = LineView(editor(text, back: back), room: room)
        let width = (view.before + view.cursor + view.after).columns
        #expect(width <= room, "\(room), \(back)")
      }
    }
  }
}
