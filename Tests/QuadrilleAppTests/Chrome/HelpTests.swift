import Terminal
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct HelpTests {
  private let theme = ChromeTheme(depth: .trueColor, glyphSet: .unicode)

  private func text(_ keys: KeyMap = .standard) -> HelpText { HelpText(keys, theme: theme) }

  private func keys(_ name: String, _ command: Command, in keys: KeyMap = .standard) throws -> KeyMap {
    var keys = keys
    keys.bind(try #require(KeyStroke(name)), to: command)
    return keys
  }

  private func words(_ text: HelpText) -> [TerminalText] {
    text.groups.flatMap(\.entries).flatMap(\.parts).flatMap(\.keys)
  }

  @Test func tellsOfEveryBoundCommand() {
    let words = words(text())
    for (stroke, command) in KeyMap.standard.bindings {
      switch command.name {
      case .position: #expect(words.contains("0–9"))
      case .focus: #expect(words.contains("f1–f4") && words.contains("alt-1–alt-4"))
      default: #expect(words.contains("\(KeyMap.displayName(stroke))"), "\(stroke) → \(command)")
      }
    }
  }

  @Test func followsTheSettings() throws {
    var map = try keys("x", .quit, in: keys("?", .nothing, in: keys("h", .nothing)))
    var entries = text(map).groups.flatMap(\.entries)
    #expect(!entries.contains { $0.meaning == "these keys" })
    #expect(entries.first { $0.meaning == "quit" }?.parts[0].keys.contains("x") ?? false)
    // One key of a pair is gone: what is left stands for itself.
    map = try keys("left", .nothing)
    entries = text(map).groups.flatMap(\.entries)
    #expect(entries.contains { $0.meaning == "5 s forward" && $0.keys == "→" })
    // A tenth has another key.
    map = try keys("3", .zoom)
    #expect(!words(text(map)).contains("0–9"))
    #expect(words(text(map)).contains("4"))
    // What no line tells has one of its own.
    map = try keys("x", .seek(7.5))
    #expect(text(map).groups.contains { group in
      group.heading == "Your keys" && group.entries.contains { $0.meaning == "seek 7.5" && $0.keys == "x" }
    })
  }

  @Test func signsAreExplained() {
    for glyphs in [ChromeTheme(depth: .mono, glyphSet: .ascii), theme] {
      let signs = HelpText(.standard, theme: glyphs).groups.first { $0.heading == "Signs" }?.entries.map(\.keys)
      for state in [PaneModel.State.playing, .reversing, .paused, .waiting(.seeking), .ended, .failed("why")] {
        #expect(signs?.contains("\(glyphs.sign(state))") ?? false)
      }
    }
  }

  @Test(arguments: [(76, 21, 4), (116, 33, 2), (196, 53, 1), (60, 21, 6), (30, 10, 22), (1, 1, 1500)])
  func pages(columns: Int, rows: Int, most: Int) {
    #expect(HelpLayout(text(), columns: columns, rows: rows).pages.count <= most)
  }

  @Test func fitsEverySizeAndLosesNothing() {
    let text = text()
    let all = Set(words(text).flatMap(\.words))
    for columns in [20, 26, 36, 60, 76, 77, 90, 116, 150, 196, 300] {
      for rows in [1, 5, 10, 21, 33, 53, 90] {
        let layout = HelpLayout(text, columns: columns, rows: rows)
        #expect(layout.width <= columns && layout.height <= rows)
        var seen: [TerminalText] = []
        var meanings: [TerminalText] = []
        for line in layout.pages.joined().joined() {
          guard case .entry(let keys, let meaning) = line else { continue }
          // What goes back and what goes on is told apart by its place, or has a line of its own.
          let parts = keys.split(by: HelpText.Entry.divider).count
          #expect(parts == 1 || parts == meaning.split(by: HelpText.Entry.divider).count)
          seen += keys.words
          meanings.append(meaning)
        }
        #expect(columns < 26 || all.isSubset(of: seen), "\(columns)×\(rows)")
        #expect(meanings.contains("quit"))
        #expect(layout.pages.allSatisfy { page in page.allSatisfy { $0.count <= rows && $0.first != .blank } })
      }
    }
  }
}
