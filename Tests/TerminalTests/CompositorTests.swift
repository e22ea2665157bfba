import CellGraphics
import Testing

@testable import Terminal

private func text(_ grid: CellGrid, row: Int) -> String {
  var view = String.UnicodeScalarView()
  for column in 0..<grid.columns {
    let glyph = grid[column: column, row: row].glyph
    if glyph != 0, let scalar = Unicode.Scalar(glyph) { view.append(scalar) }
  }
  return String(view)
}

private let frame = Cell(
  glyph: 0x2580, foreground: .rgb(1, 2, 3), background: .rgb(4, 5, 6), isImage: true)

private func grid(_ columns: Int, _ rows: Int) -> CellGrid {
  CellGrid(columns: columns, rows: rows, filledWith: frame)
}

@Suite(.timeLimit(.minutes(20))) struct CompositorTests {
  @Test func textColoursAndHoles() throws {
    let compositor = try NcursesCompositor(columns: 20, rows: 5)
    let style = ChromeStyle(
      foreground: .rgb(250, 3, 77), background: .indexed(17), attributes: [.bold, .underline])
    let window = compositor.layer(CellRect(x: 0, y: 0, width: 20, height: 5))
    window.erase(style)
    window.hole(CellRect(x: 2, y: 1, width: 10, height: 3))
    #expect(window.put("Grüße 漢字!", row: 0, column: 1, style: style) == 11)
    var grid = grid(20, 5)
    compositor.compose([window], into: &grid)
    #expect(text(grid, row: 0) == " Grüße 漢字!        ")
    #expect(grid[column: 7, row: 0].glyph == 0x6F22)
    #expect(grid[column: 8, row: 0].glyph == 0)
    #expect(grid[column: 9, row: 0].glyph == 0x5B57)
    #expect(grid[column: 11, row: 0].glyph == 0x21)
    for row in 0..<5 {
      for column in 0..<20 {
        let cell = grid[column: column, row: row]
        if (2..<12).contains(column) && (1..<4).contains(row) {
          #expect(cell == frame)
        } else {
          #expect(!cell.isImage)
          #expect(cell.foreground == style.foreground && cell.background == style.background)
          #expect(cell.attributes == style.attributes)
        }
      }
    }
  }

  @Test func windowsLieInOrderAndMayStickOut() throws {
    let compositor = try NcursesCompositor(columns: 10, rows: 3)
    let low = compositor.layer(CellRect(x: -2, y: 0, width: 8, height: 2))
    low.erase()
    low.put("abcdefgh", row: 0, column: 0)
    let high = compositor.layer(CellRect(x: 4, y: -1, width: 9, height: 3))
    high.erase()
    high.put("0123456789", row: 1, column: 0, maxColumns: 9)
    var result = grid(10, 3)
    compositor.compose([low, high], into: &result)
    #expect(text(result, row: 0) == "cdef012345")
    #expect(text(result, row: 2) == String(repeating: "▀", count: 10))
    result = grid(10, 3)
    compositor.compose([high, low], into: &result)
    #expect(text(result, row: 0) == "cdefgh2345")
    // Without the upper window nothing is left of it.
    result = grid(10, 3)
    compositor.compose([low], into: &result)
    #expect(text(result, row: 0) == "cdefgh▀▀▀▀")
    low.move(to: CellRect(x: 1, y: 1, width: 8, height: 2))
    result = grid(10, 3)
    compositor.compose([low], into: &result)
    #expect(text(result, row: 0) == "▀▀▀▀▀▀▀▀▀▀")
    #expect(text(result, row: 1) == "▀abcdefgh▀")
  }

  @Test func unchangedChromeIsWrittenAgain() throws {
    let compositor = try NcursesCompositor(columns: 4, rows: 1)
    let window = compositor.layer(CellRect(x: 0, y: 0, width: 4, height: 1))
    window.put("wxyz", row: 0, column: 0)
    for _ in 0..<2 {
      var result = grid(4, 1)
      compositor.compose([window], into: &result)
      #expect(text(result, row: 0) == "wxyz")
    }
    window.put("W", row: 0, column: 0)
    var result = grid(4, 1)
    compositor.compose([window], into: &result)
    #expect(text(result, row: 0) == "Wxyz")
  }

  @Test func overwritingHalfOfAWideGlyphLeavesNoHalf() throws {
    let compositor = try NcursesCompositor(columns: 8, rows: 1)
    let window = compositor.layer(CellRect(x: 0, y: 0, width: 8, height: 1))
    for column in 0..<5 {
      window.erase()
      window.put("漢字漢", row: 0, column: 0)
      window.put("x", row: 0, column: column)
      var result = grid(8, 1)
      compositor.compose([window], into: &result)
      assertWholeGlyphs(result)
      #expect(result[column: column, row: 0].glyph == 0x78)
    }
  }

  @Test func aWindowsEdgeCutsWideGlyphsWhole() throws {
    let compositor = try NcursesCompositor(columns: 9, rows: 1)
    let low = compositor.layer(CellRect(x: 0, y: 0, width: 9, height: 1))
    low.put("漢字漢字", row: 0, column: 0)
    let high = compositor.layer(CellRect(x: 0, y: 0, width: 2, height: 1))
    for x in -1..<9 {
      high.move(to: CellRect(x: x, y: 0, width: 2, height: 1))
      high.put("字", row: 0, column: 0)
      var result = grid(9, 1)
      compositor.compose([low, high], into: &result)
      assertWholeGlyphs(result)
    }
  }

  /// Every wide glyph is followed by its right half, and every right half follows one.
  private func assertWholeGlyphs(_ grid: CellGrid) {
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let glyph = grid[column: column, row: row].glyph
        let next = column + 1 < grid.columns ? grid[column: column + 1, row: row].glyph : nil
        if glyph >= 0x4E00 { #expect(next == 0, "left half at \(column) of '\(text(grid, row: row))'") }
        if glyph == 0 {
          #expect(column > 0 && grid[column: column - 1, row: row].glyph >= 0x4E00, "right half at \(column)")
        }
      }
    }
  }

  @Test func truncationAndUntrustedText() throws {
    let compositor = try NcursesCompositor(columns: 12, rows: 1)
    let window = compositor.layer(CellRect(x: 0, y: 0, width: 12, height: 1))
    window.erase()
    #expect(window.put("a long title", row: 0, column: 2, maxColumns: 6) == 6)
    #expect(window.put("\u{1B}[2J", row: 0, column: 8) == 4)
    #expect(window.put("x", row: 1, column: 0) == 0)
    #expect(window.put("x", row: 0, column: 12) == 0)
    var result = grid(12, 1)
    compositor.compose([window], into: &result)
    #expect(text(result, row: 0) == "  a lon…␛[2J")
  }

  @Test func readyMadeCells() throws {
    let compositor = try NcursesCompositor(columns: 6, rows: 1)
    let window = compositor.layer(CellRect(x: 0, y: 0, width: 6, height: 1))
    window.erase()
    let bar = "█▌░".unicodeScalars.enumerated().map { i, scalar in
      Cell(
        glyph: scalar.value, foreground: .rgb(UInt8(i), 9, 9), background: .indexed(UInt8(i)),
        attributes: .dim)
    }
    let wide = [Cell(glyph: 0x6F22), Cell(glyph: 0)]
    #expect(window.put(cells: bar + wide + bar, row: 0, column: 0) == 6)
    var result = grid(6, 1)
    compositor.compose([window], into: &result)
    for (i, cell) in bar.enumerated() { #expect(result[column: i, row: 0] == cell) }
    #expect(text(result, row: 0) == "█▌░漢█")
    #expect(window.put(cells: bar, row: 0, column: -1) == 2)
    compositor.compose([window], into: &result)
    #expect(result[column: 0, row: 0] == bar[1])
  }

  @Test func boxWithTitle() throws {
    let compositor = try NcursesCompositor(columns: 14, rows: 3)
    let window = compositor.layer(CellRect(x: 0, y: 0, width: 14, height: 3))
    window.erase()
    window.box(title: "Keys of the player")
    var result = grid(14, 3)
    compositor.compose([window], into: &result)
    #expect(text(result, row: 0) == "┌─ Keys of… ─┐")
    #expect(text(result, row: 1) == "│            │")
    #expect(text(result, row: 2) == "└────────────┘")
  }

  @Test func sizesChange() throws {
    let compositor = try NcursesCompositor(columns: 30, rows: 10)
    let window = compositor.layer(CellRect(x: 0, y: 9, width: 30, height: 1))
    window.put("status", row: 0, column: 0)
    for (columns, rows) in [(1, 1), (200, 56), (3, 2), (300, 100), (30, 10)] {
      compositor.resize(columns: columns, rows: rows)
      window.move(to: CellRect(x: 0, y: rows - 1, width: columns, height: 1))
      window.erase()
      window.put("status", row: 0, column: 0)
      var result = grid(columns, rows)
      compositor.compose([window], into: &result)
      let wanted = columns >= 6 ? "status" : TerminalText("status").truncated(to: columns).description
      #expect(text(result, row: rows - 1).hasPrefix(wanted))
      if rows > 1 { #expect(result[column: 0, row: rows - 2] == frame) }
      // A grid that has not been resized yet is no danger.
      var other = grid(7, 3)
      compositor.compose([window], into: &other)
    }
  }

  @Test func moreStylesThanTheTableHolds() throws {
    let compositor = try NcursesCompositor(columns: 4, rows: 1, styles: StyleTable(capacity: 12))
    let window = compositor.layer(CellRect(x: 0, y: 0, width: 4, height: 1))
    for i in UInt8(0)..<100 {
      let cells = (UInt8(0)..<4).map { Cell(glyph: 0x41, foreground: .rgb(i, $0, 0)) }
      window.put(cells: cells, row: 0, column: 0)
      var result = grid(4, 1)
      compositor.compose([window], into: &result)
      for column in 0..<4 { #expect(result[column: column, row: 0] == cells[column]) }
    }
  }

  @Test func severalCompositorsDoNotMeet() throws {
    let a = try NcursesCompositor(columns: 3, rows: 1)
    let b = try NcursesCompositor(columns: 5, rows: 2)
    let (first, second) = (
      a.layer(CellRect(x: 0, y: 0, width: 3, height: 1)), b.layer(CellRect(x: 0, y: 0, width: 5, height: 2))
    )
    first.put("abc", row: 0, column: 0)
    second.put("defgh", row: 1, column: 0)
    var (x, y) = (grid(3, 1), grid(5, 2))
    a.compose([first], into: &x)
    b.compose([second], into: &y)
    #expect(text(x, row: 0) == "abc")
    #expect(text(y, row: 1) == "defgh")
  }
}

@Suite(.timeLimit(.minutes(20))) struct TerminalTextTests {
  @Test(arguments: [
    ("plain", "plain", 5), ("", "", 0), ("a\tb\nc\r\nd", "a b c d", 7), ("\u{1B}]0;x\u{7}", "␛]0;x␇", 6),
    ("u\u{308}ber", "über", 4), ("e\u{301}\u{323}", "é\u{323}", 1), ("ก\u{E35}\u{E48}ข", "ก\u{E35}\u{E48}ข", 2), ("हिन\u{94D}दी", "हिन\u{94D}दी", 5),
    ("ש\u{5C1}\u{5B8}\u{5BC}", "ש\u{5C1}\u{5B8}", 1), ("x\u{20DD}", "x", 1), ("\u{202E}gpj.exe", "gpj.exe", 7),
    ("a\u{200B}\u{200D}\u{FEFF}b", "ab", 2), ("漢字", "漢字", 4), ("\u{1112}\u{1161}\u{11AB}", "한", 2),
    ("👩\u{200D}👩\u{200D}👧", "👩", 2), ("🇩🇪 x", "DE x", 4), ("\u{301}x", "x", 1), ("\u{9B}2J", "\u{FFFD}2J", 3), ("\u{7F}", "␡", 1),
    ("\u{E000}", "\u{FFFD}", 1), ("\u{2028}", " ", 1), ("\u{3000}", "\u{3000}", 2), ("\u{AD}x", "x", 1),
    ("か\u{3099}", "が", 2), ("\u{2066}a\u{2069}", "a", 1), ("\u{115F}\u{3164}", "", 0), ("é", "é", 1),
    ("\u{E0041}", "", 0), ("\u{A0}", " ", 1), ("▏█▀│", "▏█▀│", 4),
  ])
  func sanitizing(raw: String, safe: String, width: Int) {
    let text = TerminalText(raw)
    let result = text.description
    #expect(Array(result.unicodeScalars) == Array(safe.unicodeScalars))
    #expect(text.columns == width)
    #expect(TerminalText(result) == text && "\(raw)" == text && "\(text)" == text)
  }

  @Test func truncating() {
    #expect(TerminalText("hello").truncated(to: 5) == "hello")
    #expect(TerminalText("hello!").truncated(to: 5) == "hell…")
    #expect(TerminalText("漢字漢").truncated(to: 5) == "漢字…")
    #expect(TerminalText("漢字漢").truncated(to: 4) == "漢…")
    #expect(TerminalText("漢").truncated(to: 1) == "…")
    #expect(TerminalText("x").truncated(to: 0) == "")
    #expect(TerminalText("x").truncated(to: -3) == "")
  }

  @Test func onlySomeOfALongTextIsKept() {
    let long = String(repeating: "x", count: 1_200_000)
    let kept = TerminalText(long)
    #expect(kept.columns == TerminalText.longest && kept.description.hasSuffix("xx…"))
    #expect("\(long)" == kept && "<\(long)>" == "<" + kept + ">")
    // One character, and none that shows.
    #expect(TerminalText("e" + String(repeating: "\u{301}", count: 1_200_000)).columns <= 2)
    #expect(TerminalText(String(repeating: "\u{200B}", count: 1_200_000)).columns <= 1)
    #expect(TerminalText(String(repeating: "x", count: TerminalText.longest)).description.hasSuffix("xx"))
    let clock = ContinuousClock()
    let taken = clock.measure { for _ in 0..<100 { _ = TerminalText(long) } }
    #expect(taken < .seconds(10))
  }

  @Test func parts() {
    let text: TerminalText = "one  two 漢字"
    #expect(text.words == ["one", "two", "漢字"] && text.columns == 13)
    #expect(text.suffix(columns: 3) == "字" && text.suffix(columns: 4) == "漢字" && text.suffix(columns: 0) == "")
    #expect(TerminalText("漢字").pieces(columns: 1) == ["漢", "字"] && TerminalText("abc").pieces(columns: 2) == ["ab", "c"])
    #expect((["a", "b"] as [TerminalText]).joined(separator: ", ") == "a, b" && TerminalText(" \t").isBlank)
    #expect("a\u{1B}\nb\r\nc".terminalLines == ["a␛", "b", "c"])
    #expect("\(1)\(2.5)\("\u{1B}" as Character)" as TerminalText == "12.5␛")
  }

  @Test func everyScalarIsHarmless() {
    for value in UInt32(0)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for result in TerminalText("\(scalar)").description.unicodeScalars {
        let category = result.properties.generalCategory
        if [.control, .format, .lineSeparator, .paragraphSeparator].contains(category) {
          Issue.record("U+\(String(value, radix: 16)) came through as \(category)")
        }
      }
    }
  }
}
