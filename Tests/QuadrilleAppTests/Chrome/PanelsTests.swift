import Terminal
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct PanelsTests {
  /// Pages after each of some keys, from the first of three; nil where the help is closed.
  private func pages(_ names: String..., pageCount: Int = 3) throws -> [Int?] {
    var panels = Panels(helpPage: 0)
    return try names.map { name in
      let stroke = try #require(KeyStroke(name))
      _ = panels.turnHelp(stroke, KeyMap.standard.command(for: stroke), pageCount: pageCount)
      return panels.helpPage
    }
  }

  @Test func pagesAreTurned() throws {
    #expect(try pages("?", "h", "?") == [1, 2, nil])
    #expect(try pages("pagedown", "down", "space", "up", "pageup", "left") == [1, 2, 2, 1, 0, 0])
    #expect(try pages("j", "j", "k", "k", "k") == [1, 2, 1, 0, 0])
    #expect(try pages("q") == [nil])
    #expect(try pages("escape") == [nil])
  }

  @Test func otherKeysCloseItAndDoWhatTheyDo() throws {
    for (name, isAll) in [("q", true), ("escape", true), ("ctrl-c", false), ("x", false), (".", false), ("?", true)] {
      var panels = Panels(helpPage: 0)
      let stroke = try #require(KeyStroke(name))
      let wasAll = panels.turnHelp(stroke, KeyMap.standard.command(for: stroke), pageCount: 1)
      #expect(wasAll == isAll && panels.helpPage == nil, "\(name)")
    }
    // Keys that scroll do nothing else, even where there is nothing to scroll.
    for name in ["j", "k", "up", "down", "pageup", "pagedown"] { #expect(try pages(name, pageCount: 1) == [0], "\(name)") }
    // The others seek where there are no pages to turn.
    var panels = Panels(helpPage: 0)
    let wasAll = panels.turnHelp(KeyStroke(.right), .seek(5), pageCount: 1)
    #expect(!wasAll && panels.helpPage == nil)
  }

  @Test func nothingHappensWhileItIsClosed() {
    var panels = Panels()
    let wasAll = panels.turnHelp(KeyStroke(.escape), nil, pageCount: 3)
    #expect(!wasAll && panels == Panels())
  }
}
