import TestSupport
import Testing

@testable import Terminal

private func parse(_ text: String, keys: [[UInt8]: KeyStroke] = [:], cursor: Bool = false) -> [InputEvent] {
  var parser = InputParser(keys: keys)
  parser.expectsCursorReport = cursor
  return parser.feed(Array(text.utf8), at: 0)
}

/// The names of the keys that come from the text; other events by their case.
private func names(_ text: String, keys: [[UInt8]: KeyStroke] = [:]) -> [String] {
  parse(text, keys: keys).map { $0.keyStroke?.description ?? "\($0)" }
}

@Suite(.timeLimit(.minutes(20))) struct InputParserTests {
  /// The rest of an answer that comes through tmux after its prefix key was pressed.
  @Test func whatIsLeftOfAnAnswerIsNoKeys() {
    var parser = InputParser()
    parser.expectsTornStatus = true
    #expect(parser.feed(Array("0nc".utf8), at: 0) == [.reply(.tornOperatingStatus), .key(.character("c"), [])])
    #expect(parser.feed(Array("0".utf8), at: 0).isEmpty)
    #expect(parser.feed(Array("n".utf8), at: 1000) == [.reply(.tornOperatingStatus)])
    #expect(parser.feed(Array("\u{1B}[0n".utf8), at: 0) == [.reply(.operatingStatus)])
    // Keys that a slow link has merged.
    #expect(parser.feed(Array("v10n".utf8), at: 0) == "v10n".unicodeScalars.map { InputEvent.key(.character($0), []) })
    // Who types it is not that fast.
    #expect(parser.feed(Array("0".utf8), at: 0).isEmpty)
    let deadline = parser.deadline ?? .max
    #expect(deadline <= 50_000_000 && parser.expire(at: deadline) == [.key(.character("0"), [])])
    #expect(parser.feed(Array("n00x".utf8), at: deadline) == "n00x".unicodeScalars.map { InputEvent.key(.character($0), []) })
    parser.expectsTornStatus = false
    #expect(parser.feed(Array("0n".utf8), at: 0) == [.key(.character("0"), []), .key(.character("n"), [])])
  }

  @Test(arguments: [
    ("a", "a"), ("L", "L"), (" ", "space"), ("\r", "enter"), ("\n", "enter"), ("\t", "tab"),
    ("\u{7F}", "backspace"),
    ("\u{8}", "backspace"), ("\u{3}", "ctrl-c"), ("\u{1A}", "ctrl-z"), ("\0", "ctrl-space"),
    ("\u{1C}", "ctrl-\\"),
    ("é", "é"), ("漢", "漢"), ("😀", "😀"), ("\u{1B}a", "alt-a"), ("\u{1B}1", "alt-1"), ("\u{1B}é", "alt-é"),
    ("\u{1B}\u{1}", "ctrl-alt-a"), ("\u{1B}\r", "alt-enter"),
    ("\u{1B}[A", "up"), ("\u{1B}OA", "up"), ("\u{1B}[1;2A", "shift-up"), ("\u{1B}[1;3D", "alt-left"),
    ("\u{1B}[1;5C", "ctrl-right"), ("\u{1B}[1;8B", "ctrl-alt-shift-down"), ("\u{1B}[1;9A", "alt-up"),
    ("\u{1B}\u{1B}[A", "alt-up"), ("\u{1B}\u{1B}OA", "alt-up"), ("\u{1B}O5A", "ctrl-up"),
    ("\u{1B}[E", "begin"),
    ("\u{1B}[H", "home"), ("\u{1B}[F", "end"), ("\u{1B}OH", "home"), ("\u{1B}[1~", "home"),
    ("\u{1B}[4~", "end"),
    ("\u{1B}[7~", "home"), ("\u{1B}[8~", "end"), ("\u{1B}[2~", "insert"), ("\u{1B}[3~", "delete"),
    ("\u{1B}[5~", "pageup"), ("\u{1B}[6~", "pagedown"), ("\u{1B}[5;5~", "ctrl-pageup"),
    ("\u{1B}[Z", "shift-tab"),
    ("\u{1B}OP", "f1"), ("\u{1B}OS", "f4"), ("\u{1B}[11~", "f1"), ("\u{1B}[15~", "f5"), ("\u{1B}[24~", "f12"),
    ("\u{1B}[1;2P", "shift-f1"), ("\u{1B}[1;2R", "shift-f3"), ("\u{1B}[R", "f3"), ("\u{1B}[15;3~", "alt-f5"),
    ("\u{1B}[25~", "shift-f1"), ("\u{1B}[[A", "f1"), ("\u{1B}[[E", "f5"), ("\u{1B}OM", "enter"),
    ("\u{1B}Op", "0"),
    ("\u{1B}[3^", "ctrl-delete"), ("\u{1B}[a", "shift-up"), ("\u{1B}Od", "ctrl-left"),
    ("\u{1B}[27;5;9~", "ctrl-tab"), ("\u{1B}[97;5u", "ctrl-a"), ("\u{1B}[97;2u", "A"),
    ("\u{1B}[1;1:1A", "up"),
    ("\u{1B}[27u", "esc"),
  ])
  func keys(sent: String, name: String) {
    #expect(names(sent) == [name])
  }

  @Test(arguments: [
    "\u{1B}[?25;1$z", "\u{1B}[99~", "\u{1B}[1;2;3;4x", "\u{1B}]11;rgb:0000/1111/2222\u{1B}\\",
    "\u{1B}]4;1;x\u{7}",
    "\u{1B}P1$r0q\u{1B}\\", "\u{1B}P0$r\u{1B}\\", "\u{1B}_Gi=x;OK\u{1B}\\", "\u{1B}_Xi=1;OK\u{1B}\\", "\u{1B}[8;24;80t", "\u{1B}[6;20t", "\u{1B}[?2;1;0S", "\u{1B}[0;0;0;5_", "\u{1B}[?1;2R",
    "\u{1B}[M !!", "\u{1B}[M#09", "\u{1B}[3;1R", "\u{1B}[<200;1;1M", "\u{1B}[<0;1M", "\u{1B}[1;1:3A",
    "\u{1B}[[9",
    "\u{1B}[>41;354;0$x", "\u{1B}[5;\u{18}", "\u{1B}[=1;2c", "\u{1B}\\",
    "\u{1B}[" + String(repeating: "5;", count: 200) + "5n",
    "\u{1B}]" + String(repeating: "7", count: 5000) + "\u{7}",
  ])
  func unknownIsSwallowedWhole(sent: String) {
    #expect(names(sent + "q") == ["q"])
  }

  @Test func terminfoSaysWhatItsStringsMean() throws {
    let rxvt = TerminfoEntry(
      name: "x",
      strings: [
        "kHOM": Array("\u{1B}[7$".utf8), "kf10": Array("\u{1B}Ox".utf8), "kcbt": Array("\u{1B}\t".utf8),
        "kmous": Array("\u{1B}[M".utf8), "kbs": [0x7F], "kLFT3": Array("\u{1B}[1;3D".utf8),
        "kf13": Array("\u{1B}[25~".utf8), "kf1": Array("\u{1B}[M".utf8),
      ])
    #expect(names("\u{1B}[7$x", keys: rxvt.keys) == ["shift-home", "x"])
    #expect(names("\u{1B}Ox", keys: rxvt.keys) == ["f10"])
    #expect(names("\u{1B}\t", keys: rxvt.keys) == ["shift-tab"])
    #expect(names("\u{1B}[1;3D\u{1B}[25~", keys: rxvt.keys) == ["alt-left", "shift-f1"])
    #expect(names("\u{1B}[M !!1", keys: rxvt.keys) == ["1"])
  }

  @Test func mouse() {
    #expect(parse("\u{1B}[<0;1;1M") == [.mouse(MouseEvent(.press(.left), column: 0, row: 0))])
    #expect(parse("\u{1B}[<2;300;40m") == [.mouse(MouseEvent(.release(.right), column: 299, row: 39))])
    #expect(parse("\u{1B}[<32;5;6M") == [.mouse(MouseEvent(.drag(.left), column: 4, row: 5))])
    #expect(parse("\u{1B}[<35;5;6M") == [.mouse(MouseEvent(.move, column: 4, row: 5))])
    #expect(parse("\u{1B}[<64;5;6M") == [.mouse(MouseEvent(.wheelUp, column: 4, row: 5))])
    #expect(
      parse("\u{1B}[<85;5;6M")
        == [.mouse(MouseEvent(.wheelDown, column: 4, row: 5, modifiers: [.shift, .ctrl]))])
  }

  @Test func repliesAndFocus() {
    #expect(parse("\u{1B}[0n") == [.reply(.operatingStatus)])
    #expect(parse("\u{1B}[1;2R", cursor: true) == [.reply(.cursorPosition(row: 1, column: 2))])
    #expect(parse("\u{1B}[?62;22c") == [.reply(.primaryAttributes([62, 22]))])
    #expect(parse("\u{1B}[>84;0;0c") == [.reply(.secondaryAttributes([84, 0, 0]))])
    #expect(parse("\u{1B}[?2026;2$y") == [.reply(.privateMode(2026, .reset))])
    #expect(parse("\u{1B}P>|XTerm(390)\u{1B}\\") == [.reply(.version("XTerm(390)"))])
    #expect(parse("\u{1B}P1$r0;48:2::17:34:52m\u{1B}\\") == [.reply(.graphicRendition([0, 48, 2, 17, 34, 52]))])
    #expect(parse("\u{1B}P1$r48;2;17;34;52m\u{1B}\\") == [.reply(.graphicRendition([48, 2, 17, 34, 52]))])
    #expect(parse("\u{1B}P0$r\u{1B}\\") == [], "it does not know the query")
    #expect(
      parse("\u{1B}]4;59;rgb:5f5f/8787/ffff\u{7}\u{1B}]4;242;rgb:6c/0/ff\u{1B}\\") == [
        .reply(.paletteColor(59, red: 95, green: 135, blue: 255)), .reply(.paletteColor(242, red: 108, green: 0, blue: 255)),
      ])
    #expect(parse("\u{1B}]4;59;rgb:5f5f/8787\u{7}\u{1B}]10;rgb:0/0/0\u{7}\u{1B}]4;1;red\u{7}") == [])
    #expect(parse("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
  }

  @Test func pasteIsOneEvent() {
    #expect(
      parse("\u{1B}[200~q1\u{1B}[2\u{1B}[201~q") == [
        .paste("q1\u{1B}[2"), .key(.character("q"), []),
      ])
    let long = String(repeating: "9", count: InputParser.pasteCapacity + 1000)
    let events = parse("\u{1B}[200~\(long)\u{1B}[201~q")
    #expect(events.count == 2)
    guard case .paste(let text) = events.first else { return #expect(Bool(false)) }
    #expect(text.utf8.count <= InputParser.pasteCapacity)
  }

  /// The program's own queries are answered also while a paste comes in.
  @Test func reportsAmidAPasteAreNotPasted() {
    #expect(
      parse("\u{1B}[200~ab\u{1B}[0nc\u{1B}[?62;22cd\u{1B}[<0;1;1Me\u{1B}[A\u{1B}x\u{1B}[201~q") == [
        .reply(.operatingStatus), .reply(.primaryAttributes([62, 22])),
        .mouse(MouseEvent(.press(.left), column: 0, row: 0)), .paste("abcde\u{1B}[A\u{1B}x"), .key(.character("q"), []),
      ])
  }

  @Test func aPasteWithoutAnEndIsOverAfterItsTime() {
    var parser = InputParser()
    var now: UInt64 = 0
    #expect(parser.feed(Array("\u{1B}[200~x".utf8), at: now).isEmpty)
    // Answers and typed keys do not make it longer.
    while now < InputParser.pasteDelay {
      #expect(parser.expire(at: now).isEmpty)
      #expect(parser.feed(Array("\u{1B}[0n".utf8), at: now) == [.reply(.operatingStatus)])
      #expect(parser.feed(Array("q".utf8), at: now).isEmpty)
      #expect(parser.feed(Array("\u{1B}[A".utf8), at: now).isEmpty)
      now += 100_000_000
    }
    guard case .paste = parser.expire(at: now).first else { return #expect(Bool(false)) }
    #expect(parser.feed(Array("q".utf8), at: now) == [.key(.character("q"), [])])
  }

  @Test func ctrlCGetsOutOfAPasteAndNothingOfItIsTyped() {
    var parser = InputParser()
    #expect(parser.feed(Array("\u{1B}[200~abc\u{3}".utf8), at: 0) == [.key(.character("c"), .ctrl)])
    #expect(parser.feed(Array("sss\u{1B}[20".utf8), at: 1).isEmpty)
    #expect(parser.feed(Array("1~q".utf8), at: 2) == [.key(.character("q"), [])])
  }

  @Test func aPasteOverASlowLinkArrivesWhole() {
    var parser = InputParser()
    var now: UInt64 = 0
    _ = parser.feed(Array("\u{1B}[200~".utf8), at: now)
    for _ in 0..<10 {
      now += InputParser.pasteDelay - 1
      #expect(parser.expire(at: now).isEmpty)
      #expect(parser.feed(Array("12345678".utf8), at: now).isEmpty)
    }
    #expect(
      parser.feed(Array("9\u{1B}[201~".utf8), at: now + 1)
        == [.paste(String(repeating: "12345678", count: 10) + "9")])
  }

  @Test func loneEscapeIsAKeyWhenItsTimeIsOver() {
    var parser = InputParser()
    #expect(parser.feed([0x1B], at: 1000).isEmpty)
    #expect(parser.deadline == 1000 + InputParser.escapeDelay)
    #expect(parser.expire(at: 999 + InputParser.escapeDelay).isEmpty)
    #expect(parser.expire(at: 1000 + InputParser.escapeDelay) == [.key(.escape, [])])
    #expect(parser.deadline == nil)
    #expect(parser.feed(Array("q".utf8), at: 1001 + InputParser.escapeDelay) == [.key(.character("q"), [])])
  }

  @Test func escapeTwice() {
    var parser = InputParser()
    _ = parser.feed([0x1B, 0x1B], at: 0)
    #expect(parser.expire(at: InputParser.escapeDelay) == [.key(.escape, []), .key(.escape, [])])
    #expect(parser.feed([0x1B, 0x1B, 0x1B], at: 1_000_000_000) == [.key(.escape, [])])
  }

  /// The terminal may answer while the Escape key waits for the time in which it could be Alt's.
  @Test func escapeBeforeWhatIsNoKeyIsAKey() {
    let escape = InputEvent.key(.escape, [])
    #expect(parse("\u{1B}\u{1B}[0n") == [escape, .reply(.operatingStatus)])
    #expect(parse("\u{1B}\u{1B}[?62;22c") == [escape, .reply(.primaryAttributes([62, 22]))])
    #expect(parse("\u{1B}\u{1B}P>|XTerm(390)\u{1B}\\") == [escape, .reply(.version("XTerm(390)"))])
    #expect(parse("\u{1B}\u{1B}[I") == [escape, .focus(true)])
    #expect(parse("\u{1B}\u{1B}[200~x\u{1B}[201~") == [escape, .paste("x")])
    let click = parse("\u{1B}[<0;4;3M")
    #expect(parse("\u{1B}\u{1B}[<0;4;3M") == [escape] + click && click.count == 1)
    #expect(parse("\u{1B}\u{1B}[D") == [.key(.left, .alt)])
  }

  /// While frames are sent answers come all the time: they are no part of a key that begins as a sequence does.
  @Test(arguments: [("[", "alt-["), ("O", "alt-O"), ("]", "alt-]"), ("P", "alt-P"), ("_", "alt-_")])
  func altOfIntroducersAmidAnswers(byte: String, name: String) {
    var parser = InputParser()
    let first = parser.feed(Array("\u{1B}\(byte)".utf8), at: 1)
    let second = parser.feed(Array("\u{1B}[0n".utf8), at: 2)
    #expect(first.isEmpty && second.count == 2 && second.last == .reply(.operatingStatus))
    #expect(second.first?.keyStroke?.description == name)
  }

  @Test func altOfIntroducersNeedsPatience() {
    for (byte, name) in [("[", "alt-["), ("O", "alt-O"), ("]", "alt-]"), ("P", "alt-P")] {
      var parser = InputParser()
      #expect(parser.feed(Array("\u{1B}\(byte)".utf8), at: 0).isEmpty)
      #expect(parser.expire(at: InputParser.escapeDelay).isEmpty)
      #expect(parser.expire(at: 2_000_000_000).map { $0.keyStroke?.description } == [name])
    }
  }

  @Test func aSequenceTornByASlowLinkIsNoDigits() {
    var parser = InputParser()
    _ = parser.feed([0x1B], at: 0)
    #expect(parser.expire(at: InputParser.escapeDelay) == [.key(.escape, [])])
    #expect(parser.feed(Array("[5~".utf8), at: 120_000_000) == [.key(.pageUp, [])])
    // What a person types after Escape is what it says.
    _ = parser.feed([0x1B], at: 1_000_000_000)
    _ = parser.expire(at: 1_060_000_000)
    #expect(parser.feed(Array("[".utf8), at: 1_100_000_000) == [.key(.character("["), [])])
    // Torn elsewhere and never completed: swallowed.
    _ = parser.feed(Array("\u{1B}[1;".utf8), at: 2_000_000_000)
    #expect(parser.expire(at: 3_000_000_000).isEmpty)
    #expect(parser.deadline == nil)
  }

  @Test func ctrlCGetsOutOfEverything() {
    for start in ["\u{1B}[5", "\u{1B}O", "\u{1B}]11;", "\u{1B}P", "\u{1B}[M ", "\u{1B}[[", "\u{1B}[200~x", "\u{1B}[200~x\u{1B}["] {
      #expect(names(start + "\u{3}") == ["ctrl-c"], "after \(start.debugDescription)")
    }
    // Keys that a slow link merges with it are keys of their own.
    #expect(names("\u{1B}\u{3}") == ["esc", "ctrl-c"])
    #expect(names("\u{1B}\u{1B}\u{3}") == ["esc", "esc", "ctrl-c"])
    #expect(names("\u{1B}]11;\u{1B}\u{3}").last == "ctrl-c")
    #expect(names("q\u{1B}\u{3}") == ["q", "esc", "ctrl-c"])
  }

  private static let mixture =
    "a\u{1B}[1;2Aé\u{1B}[<0;10;5M\u{1B}[0n\u{1B}[200~12\u{1B}[201~\u{1B}OP漢\u{1B}]11;rgb:1/2/3\u{1B}\\"
    + "\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?2026;1$y\u{1B}[[B\u{1B}[M !!\u{1B}x\u{1B}\u{1B}[D😀"
    + "\u{1B}[?65;1;9c\u{1B}[15~"

  @Test func splitAtEveryByte() {
    let bytes = Array(Self.mixture.utf8)
    let whole = parse(Self.mixture)
    #expect(whole.count == 16)
    for first in 0...bytes.count {
      for second in [first, min(first + 1, bytes.count), min(first + 3, bytes.count)] {
        var parser = InputParser()
        var events = parser.feed(Array(bytes[..<first]), at: 0)
        events += parser.feed(Array(bytes[first..<second]), at: 1)
        events += parser.feed(Array(bytes[second...]), at: 2)
        #expect(events == whole, "split at \(first), \(second)")
      }
    }
  }

  @Test func garbageNeverHurts() {
    var random = SeededGenerator(seed: 7)
    let alphabet =
      Array("\u{1B}\u{1B}\u{1B}[[]OP?<>;:0129AMRmnc~$\\\u{7}\u{18}x".utf8) + [0xC3, 0xA9, 0x9B, 0xFF]
    for _ in 0..<300 {
      var parser = InputParser()
      var now: UInt64 = 0
      for _ in 0..<60 {
        let chunk = (0..<Int.random(in: 1...9, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        }
        now += UInt64.random(in: 0...200_000_000, using: &random)
        _ = parser.feed(chunk, at: now)
        now += UInt64.random(in: 0...200_000_000, using: &random)
        _ = parser.expire(at: now)
      }
      // Whatever state that was: after its time it is over.
      while let deadline = parser.deadline { _ = parser.expire(at: deadline) }
      #expect(parser.feed(Array("q".utf8), at: now + 20_000_000_000) == [.key(.character("q"), [])])
    }
  }
}
