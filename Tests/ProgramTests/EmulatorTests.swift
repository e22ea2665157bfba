import TestSupport
import Testing

@testable import TerminalHarness

@Suite(.timeLimit(.minutes(10))) struct EmulatorTests {
  @Test func readsTextColoursAndAttributes() {
    let emulator = Emulator(columns: 20, rows: 4)
    emulator.feed("plain\r\n\u{1B}[1;38;2;1;2;3;48;5;200mB\u{1B}[0;7;4;31mr\u{1B}[0m▀界x")
    let screen = emulator.screen
    #expect(screen.text == ["plain", "Br▀界x", "", ""])
    let bold = screen[column: 0, row: 1]
    #expect(bold.isBold && bold.foreground == .rgb(1, 2, 3) && bold.background == .indexed(200))
    let reverse = screen[column: 1, row: 1]
    #expect(reverse.isReverse && reverse.underline == 1 && reverse.foreground == .indexed(1))
    #expect(reverse.background == .default && !reverse.isBold)
    #expect(screen[column: 2, row: 1].code == 0x2580)
    #expect(screen[column: 3, row: 1].width == 2 && screen[column: 3, row: 1].glyph == "界")
    #expect(screen[column: 4, row: 1].code == 0 && screen[column: 4, row: 1].glyph == "")
    #expect(screen[column: 9, row: 3].code == 32 && screen[column: 9, row: 3].foreground == .default)
    #expect(screen.cursor == (6, 1))
    #expect(screen.find("界x")?.column == 3 && screen.find("x")?.column == 5 && screen.find("nothing") == nil)
    #expect(screen.rgb(.indexed(231)) == RGB(255, 255, 255) && screen.rgb(.indexed(16)) == RGB(0, 0, 0))
  }

  /// A character may be cut anywhere: what is shown is the same as of the whole.
  @Test(arguments: TestSeeds.first(20))
  func charactersComeInPieces(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    for row in 1...18 {
      bytes += "\u{1B}[\(row);1H".utf8
      for _ in 1..<110 {
        if Int.random(in: 0..<3, using: &random) > 0 {
          bytes +=
            "\u{1B}[\(Int.random(in: 30...37, using: &random));\(Int.random(in: 40...47, using: &random))m".utf8
        }
        bytes += (["▀", "▄", "█", " ", "a", "é", "🂡"].randomElement(using: &random) ?? "").utf8
      }
    }
    let whole = Emulator(columns: 110, rows: 18)
    whole.feed(bytes)
    let pieces = Emulator(columns: 110, rows: 18)
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...90, using: &random))
      pieces.feed(piece)
      rest = rest.dropFirst(piece.count)
    }
    let (seen, meant) = (pieces.screen, whole.screen)
    for row in 0..<18 {
      for column in 0..<110 where seen[column: column, row: row] != meant[column: column, row: row] {
        Issue.record("(\(column), \(row)): \(seen[column: column, row: row]), not \(meant[column: column, row: row])")
      }
    }
  }

  @Test func readsHalves() {
    let emulator = Emulator(columns: 4, rows: 1)
    emulator.feed("\u{1B}[38;2;9;9;9;48;2;7;7;7m▀▄█\u{1B}[7m▀")
    let screen = emulator.screen
    let nine = RGB(9, 9, 9)
    let seven = RGB(7, 7, 7)
    let expected = [(nine, seven), (seven, nine), (nine, nine), (seven, nine)]
    for (column, halves) in expected.enumerated() {
      let seen = screen.halves(column: column, row: 0)
      #expect(seen?.upper == halves.0 && seen?.lower == halves.1)
    }
  }

  @Test func pixelsAreTheHalvesOfCells() {
    let emulator = Emulator(columns: 5, rows: 2)
    emulator.feed("\u{1B}[38;2;1;2;3;48;2;4;5;6m▀▄█ x\u{1B}[7m\r\n▀")
    let pixels = ScreenPixels(emulator.screen)
    #expect(pixels.width == 5 && pixels.height == 4)
    let ink: [UInt8] = [1, 2, 3]
    let ground: [UInt8] = [4, 5, 6]
    let upper: [[UInt8]] = [ink, ground, ink, ground, ground]
    let lower: [[UInt8]] = [ground, ink, ink, ground, ground]
    #expect(Array(pixels.bytes[0..<15]) == upper.flatMap(\.self))
    #expect(Array(pixels.bytes[15..<30]) == lower.flatMap(\.self))
    // Reverse video turns them round.
    #expect(pixels.part(x: 0, y: 2, width: 1, height: 2).bytes == ground + ink)
    #expect(pixels.part(x: 1, y: 0, width: 2, height: 1).bytes == ground + ink)
    let ppm = Array("P6\n1 1\n255\n".utf8) + ink
    #expect(Array(pixels.part(x: 0, y: 0, width: 1, height: 1).ppm) == ppm)
  }

  @Test func aCopyDoesNotChange() {
    let emulator = Emulator(columns: 5, rows: 1)
    emulator.feed("one")
    let before = emulator.screen
    emulator.feed("\rtwo")
    #expect(before.text == ["one"] && emulator.screen.text == ["two"])
  }

  @Test func followsModesInPiecesOfAnySize() {
    let output = Array(
      "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1002;1006h\u{1B}]2;a title\u{1B}\\x\u{1B}[5n\u{1B}[?7l".utf8)
    for size in 1...output.count {
      let emulator = Emulator(columns: 10, rows: 2)
      var rest = output[...]
      while !rest.isEmpty {
        emulator.feed(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      let screen = emulator.screen
      #expect(screen.isAlternateScreen && !screen.isCursorVisible && screen.mouseMode == .drag)
      #expect(screen.title == "a title" && screen.privateModes == [1049, 1002, 1006])
      #expect(emulator.statusQueries == 1 && emulator.takeReplies() == Array("\u{1B}[0n".utf8))
      emulator.feed("\u{1B}[?1002;1006l\u{1B}[?25;7h\u{1B}[?1049l")
      #expect(emulator.screen.privateModes == [7, 25] && emulator.screen.mouseMode == .off)
      #expect(!emulator.screen.isAlternateScreen && emulator.screen.isCursorVisible)
    }
  }

  @Test func keepsTheAlternateScreenThatWasLeft() {
    let output = Array("shell\u{1B}[?1049h\u{1B}[Hlast\u{1B}[?25h\u{1B}[?1049lback".utf8)
    for size in 1...output.count {
      let emulator = Emulator(columns: 10, rows: 2)
      for start in stride(from: 0, to: output.count, by: size) { emulator.feed(output[start...].prefix(size)) }
      #expect(emulator.alternateScreenAtEnd?.text[0] == "last" && emulator.screen.text[0] == "shellback")
    }
  }

  @Test func sequencesInsideStringsAndCutOffOnesAreIgnored() {
    let emulator = Emulator(columns: 10, rows: 2)
    emulator.feed("\u{1B}P[?1002h\u{1B}\\\u{1B}[?10\u{18}\u{1B}[?10\u{1B}[?2004h")
    #expect(emulator.screen.privateModes == [7, 25, 2004])
  }

  @Test func synchronizedUpdatesAreAnsweredWhenKnown() {
    let query = "\u{1B}[?2026$p"
    let plain = Emulator(columns: 10, rows: 2)
    plain.feed(query)
    #expect(String(decoding: plain.takeReplies(), as: UTF8.self).hasSuffix("?2026;0$y"))
    let modern = Emulator(columns: 10, rows: 2, knowsSynchronizedUpdates: true)
    modern.feed("\u{1B}[5nx" + query + "\u{1B}[?2026h")
    #expect(modern.isInSynchronizedUpdate)
    #expect(modern.takeReplies() == Array("\u{1B}[0n\u{1B}[?2026;2$y".utf8))
    modern.feed(query + "\u{1B}[?2026l")
    #expect(modern.takeReplies() == Array("\u{1B}[?2026;1$y".utf8) && !modern.isInSynchronizedUpdate)
  }

  @Test func withinASynchronizedUpdateTheScreenBeforeItIsSeen() {
    let emulator = Emulator(columns: 4, rows: 1, knowsSynchronizedUpdates: true)
    emulator.feed("ab\u{1B}[?2026h\rcd")
    #expect(emulator.visibleScreen.text == ["ab"] && emulator.screen.text == ["cd"])
    emulator.feed("e\u{1B}[?2026l")
    #expect(emulator.visibleScreen.text == ["cde"])
    emulator.feed("\u{1B}[?2026h\rxyz")
    #expect(emulator.visibleScreen.text == ["cde"])
  }

  @Test func withoutUTF8BytesAreCharacters() {
    let emulator = Emulator(columns: 6, rows: 1, utf8: false)
    emulator.feed("é")
    #expect(emulator.screen.cursor.column == 2)
    emulator.feed("\u{1B}[6n")
    #expect(!emulator.takeReplies().isEmpty)
  }

  @Test func keysAndMouseSpeakAsTheProgramAsked() {
    let emulator = Emulator(columns: 20, rows: 5)
    emulator.press(.left)
    emulator.press(.character("x"))
    emulator.press(.right, .shift)
    emulator.press(.function(2))
    emulator.mouse(.press(1), column: 3, row: 2)
    #expect(emulator.takeReplies() == Array("\u{1B}[Dx\u{1B}[1;2C\u{1B}OQ".utf8))
    emulator.feed("\u{1B}[?1h\u{1B}[?1002;1006h")
    emulator.press(.left)
    emulator.mouse(.press(1), column: 3, row: 2)
    emulator.mouse(.release(1), column: 3, row: 2)
    emulator.mouse(.wheelDown, column: 3, row: 2)
    #expect(emulator.takeReplies() == Array("\u{1B}OD\u{1B}[<0;4;3M\u{1B}[<0;4;3m\u{1B}[<65;4;3M".utf8))
  }

  @Test func resizing() {
    let emulator = Emulator(columns: 10, rows: 3)
    emulator.feed("\u{1B}[?1049h\u{1B}[Habc")
    for (columns, rows) in [(1, 1), (30, 8), (2, 1), (200, 56)] {
      emulator.resize(columns: columns, rows: rows)
      #expect(emulator.screen.columns == columns && emulator.screen.cells.count == columns * rows)
    }
  }

  @Test func dumpIsOneLineForEachCell() {
    let emulator = Emulator(columns: 2, rows: 1)
    emulator.feed("\u{1B}[1;38;2;255;128;0;48;2;0;0;16mA")
    let lines = emulator.screen.dump().split(separator: "\n")
    #expect(lines.count == 3 && lines[0] == #"{"cols":2,"rows":1}"#)
    #expect(lines[1] == #"[0,0,65,"ff8000","000010",1]"#)
    #expect(lines[2].hasPrefix("[0,1,32,"))
  }
}
