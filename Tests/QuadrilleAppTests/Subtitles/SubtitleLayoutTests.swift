import CellGraphics
import Playback
import Terminal
import TestSupport
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct SubtitleLayoutTests {
  private static func cue(_ text: String, _ change: (inout SubtitlePlacement) -> Void = { _ in }) -> SubtitleCue {
    var placement = SubtitlePlacement()
    change(&placement)
    return SubtitleCue(
      timeRange: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)),
      lines: text.split(separator: "\n").map { SubtitleLine([SubtitleSpan(String($0))]) }, placement: placement)
  }

  private static func layout(_ width: Int, _ height: Int, pane: Int? = nil, reserved: Int = 0) -> SubtitleLayout {
    SubtitleLayout(
      frame: CellRect(x: 10, y: 5, width: width, height: height),
      pane: CellRect(x: 10, y: 4, width: width, height: pane ?? height + 2), reserved: reserved)
  }

  private static func texts(_ block: SubtitleBlock) -> [String] {
    block.rows.map { $0.map { "\($0.text)" }.joined() }
  }

  @Test func rowsAreBrokenBetweenWordsAboutEquallyLong() throws {
    let block = try #require(Self.layout(40, 20).blocks([Self.cue("one two three four five six seven eight nine ten eleven")]).first)
    #expect(Self.texts(block) == ["one two three four five six", "seven eight nine ten eleven"])
    #expect(block.rect.width == 29 && block.rect.height == 2)
  }

  /// A wide film in a narrow, high pane has fewer rows than a third of that.
  @Test(arguments: [0, 2, 4]) func whatIsLongerThanTheFrameIsHighIsCut(reserved: Int) throws {
    let said = "It was a bright cold day in April, and the clocks were striking thirteen, as they always had."
    let block = try #require(Self.layout(20, 5, pane: 24, reserved: reserved).blocks([Self.cue(said)]).first)
    #expect(block.rect.height == 5 - reserved && block.rect.y == 5)
    let rows = Self.texts(block)
    #expect(rows.first?.hasPrefix("It was") == true && rows.last?.hasSuffix("…") == true)
  }

  /// Text of a movie stands all over the frame, and leaves subtitles the room that they would have without it.
  @Test func titlesMayCoverTheFrame() {
    let titles = (0..<8).map { row in Self.cue("title \(row)") { ($0.height, $0.vertical, $0.x) = (.fraction(Double(row) / 12), .top, 0.5) } }
    let blocks = Self.layout(60, 12).blocks([Self.cue("said\nand said")], titles: titles)
    #expect(blocks.map { Self.texts($0) } == (0..<8).map { ["title \($0)"] } + [["said", "and said"]])
  }

  @Test func linesAreNoLongerThanTheyMayBe() throws {
    let text = "one two three four five six seven"
    let block = try #require(Self.layout(60, 30).blocks([Self.cue(text) { ($0.maxWidth, $0.x) = (0.3, 0.8) }]).first)
    #expect(Self.texts(block) == ["one two three", "four five six", "seven"])
    #expect(block.rect.x >= 10 + 39 && block.rect.maxX <= 10 + 57)
    // Words have to have room.
    let narrow = try #require(Self.layout(30, 30).blocks([Self.cue(text) { $0.maxWidth = 0.1 }]).first)
    #expect(Self.texts(narrow).first == "one two")
  }

  /// Where there are no spaces a row ends anywhere, but not before signs that close something, nor behind those that open it.
  @Test(arguments: [
    ("世界世界世界世界世界世。", 20, ["世界世界世界", "世界世界世。"]), ("abc世界世界世界def", 12, ["abc世界世", "界世界def"]),
    ("彼は「世界」と言った。", 14, ["彼は「世界」", "と言った。"]), ("世界世「界」世", 8, ["世界世", "「界」世"]),
    ("안녕하세요 세계여러분", 16, ["안녕하세요", "세계여러분"]), ("そうですか。", 30, ["そうですか。"]),
  ])
  func rowsOfScriptsWithoutSpaces(text: String, width: Int, rows: [String]) throws {
    let block = try #require(Self.layout(width + 2, 20).blocks([Self.cue(text)]).first)
    #expect(Self.texts(block) == rows)
  }

  /// Each row runs as its line does, whatever it begins with, and words keep their styles.
  @Test func rightToLeftLines() throws {
    func rows(_ text: String, width: Int) throws -> [String] {
      Self.texts(try #require(Self.layout(width + 2, 20).blocks([Self.cue(text)]).first))
    }
    #expect(try rows("שלום עולם!", width: 30) == ["!םלוע םולש"])
    #expect(try rows("אנחנו עובדים NASA ואני.", width: 12) == ["םידבוע ונחנא", ".ינאו NASA"])
    #expect(try rows("He said שלום to her", width: 12) == ["He said", "םולש to her"])
    #expect(try rows("words and then שלום.", width: 12) == ["words and", "then םולש."])
    #expect(try rows("one\nשלום (2)", width: 12) == ["one", "(2) םולש"])
    var italic = SubtitleStyle()
    italic.isItalic = true
    let cue = SubtitleCue(
      timeRange: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)),
      lines: [SubtitleLine([SubtitleSpan("שלום "), SubtitleSpan("עולם", italic)])])
    let runs = try #require(Self.layout(40, 20).blocks([cue]).first?.rows.first)
    #expect(runs.map { "\($0.text)" } == ["םלוע", " םולש"] && runs.map(\.style.isItalic) == [true, false])
  }

  @Test func linesOfTheCueStay() throws {
    let block = try #require(Self.layout(40, 20).blocks([Self.cue("- one\n- two")]).first)
    #expect(Self.texts(block) == ["- one", "- two"])
    #expect(block.rect == CellRect(x: 10 + 16, y: 23, width: 7, height: 2))
  }

  @Test func wordsThatAreTooLongAreBrokenAnywhere() throws {
    let block = try #require(Self.layout(12, 20).blocks([Self.cue("abcdefghijklmnopqrstu 世界世界世界")]).first)
    #expect(Self.texts(block).joined().filter { $0 != " " } == "abcdefghijklmnopqrstu世界世界世界")
    #expect(block.rows.allSatisfy { $0.reduce(0) { $0 + $1.text.columns } <= 10 })
  }

  @Test func noMoreThanAThirdOfThePane() throws {
    let long = String(repeating: "word ", count: 200)
    for height in 3...40 {
      let blocks = Self.layout(30, height, pane: height + 2).blocks([Self.cue(long), Self.cue("more"), Self.cue("and more")])
      let rows = blocks.reduce(0) { $0 + $1.rows.count }
      #expect(rows <= max(1, (height + 2) / 3))
      #expect(Self.texts(try #require(blocks.first)).last?.hasSuffix("…") == true)
    }
  }

  /// Speech is not left out for a sign that was there before it.
  @Test func signsLeaveRoomForSpeech() {
    let sign = Self.cue("a\nb\nc\nd\ne\nf\ng\nh") {
      $0.height = .fraction(0.5)
      $0.x = 0.5
    }
    for height in 6...30 {
      let layout = Self.layout(40, height)
      let blocks = layout.blocks([sign, Self.cue("what is said")])
      #expect(blocks.first.map(Self.texts) == ["what is said"] && blocks.first?.rect == layout.blocks([Self.cue("what is said")]).first?.rect)
    }
    #expect(Self.layout(40, 40).blocks([sign, Self.cue("said")]).count == 2)
  }

  @Test func textWithoutEndIsCut() throws {
    for text in [String(repeating: "word ", count: 1_000_000), "a" + String(repeating: "\u{301}", count: 5_000_000)] {
      let block = try #require(Self.layout(30, 30).blocks([Self.cue(text)]).first)
      #expect(block.rows.count <= 10 && block.rows.joined().reduce(0) { $0 + $1.text.description.unicodeScalars.count } < 9000)
    }
  }

  @Test func edgesAndSides() throws {
    for (vertical, y) in [(SubtitlePlacement.Vertical.top, 6), (.middle, 20), (.bottom, 33)] {
      for (horizontal, x) in [(SubtitlePlacement.Horizontal.left, 10), (.center, 27), (.right, 45)] {
        let block = Self.layout(40, 30).blocks([
          Self.cue("abc") {
            $0.vertical = vertical
            $0.horizontal = horizontal
          }
        ]).first
        #expect(block?.rect == CellRect(x: x, y: y, width: 5, height: 1), "\(vertical) \(horizontal)")
      }
    }
  }

  @Test func placesWithinTheFrame() {
    let top = Self.layout(40, 20).blocks([
      Self.cue("abc") {
        $0.height = .fraction(0.5)
        $0.vertical = .top
        $0.x = 0.25
      }
    ])
    #expect(top.first?.rect == CellRect(x: 10 + 7, y: 15, width: 5, height: 1))
    let row = Self.layout(40, 20).blocks([
      Self.cue("abc") { $0.height = .row(0) }, Self.cue("def") { $0.height = .row(-1) },
      Self.cue("ghi") { $0.height = .row(1000) },
    ])
    #expect(row.map(\.rect.y) == [5, 24, 23])
  }

  /// A file may ask for any row.
  @Test(arguments: [Int.min, Int.min + 1, -1000, 1000, Int.max]) func rowsThatAreNotThere(row: Int) throws {
    let block = try #require(Self.layout(40, 20).blocks([Self.cue("abc") { $0.height = .row(row) }]).first)
    #expect(block.rect.y == (row < 0 ? 5 : 24))
  }

  @Test func overlappingCuesAreStacked() {
    let layout = Self.layout(60, 30)
    #expect(layout.blocks([Self.cue("first"), Self.cue("second\nrow")]).map(\.rect.y) == [33, 31])
    let top = layout.blocks([Self.cue("first") { $0.vertical = .top }, Self.cue("second") { $0.vertical = .top }])
    #expect(top.map(\.rect.y) == [6, 7])
  }

  @Test func whatIsReservedStaysFree() {
    #expect(Self.layout(60, 20, reserved: 4).blocks([Self.cue("x")]).first?.rect.y == 20)
    #expect(Self.layout(60, 20, reserved: 400).blocks([Self.cue("x")]).first?.rect.y == 5)
  }

  @Test(arguments: TestSeeds.first(60))
  func blocksLieInTheFrameBesideOneAnother(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let layout = Self.layout(Int.random(in: 1...90, using: &random), Int.random(in: 1...40, using: &random))
    let words = ["a", "words", "世界", "e\u{301}", "unbreakable", "\u{1B}[31m", "\u{202E}", "שלום", "-", "…"]
    let cues = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        words[Int.random(in: 0..<words.count, using: &random)] + (Int.random(in: 0..<6, using: &random) == 0 ? "\n" : " ")
      }
      return Self.cue(text.joined()) { placement in
        placement.horizontal = [.left, .center, .right][Int.random(in: 0..<3, using: &random)]
        placement.vertical = [.top, .middle, .bottom][Int.random(in: 0..<3, using: &random)]
        placement.height = [.edge, .fraction(Double.random(in: 0...1, using: &random)), .row(Int.random(in: -9...9, using: &random))][
          Int.random(in: 0..<3, using: &random)]
        placement.x = Bool.random(using: &random) ? Double.random(in: 0...1, using: &random) : nil
      }
    }
    let blocks = layout.blocks(cues)
    for (i, block) in blocks.enumerated() {
      #expect(block.rect.intersection(layout.frame) == block.rect)
      #expect(block.rows.count == block.rect.height)
      for row in block.rows { #expect(row.reduce(0) { $0 + $1.text.columns } <= block.rect.width - 2) }
      for other in blocks[(i + 1)...] { #expect(block.rect.intersection(other.rect).isEmpty) }
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct SubtitleGroundTests {
  private func luma(_ color: SubtitleStyle.Color) -> Double {
    0.2126 * Double(color.red) + 0.7152 * Double(color.green) + 0.0722 * Double(color.blue)
  }

  @Test func lettersCanBeReadOnIt() {
    for red in stride(from: UInt8(0), through: 255, by: 51) {
      for green in stride(from: UInt8(0), through: 255, by: 51) {
        for blue in stride(from: UInt8(0), through: 255, by: 51) {
          let color = SubtitleStyle.Color(red: red, green: green, blue: blue)
          let ground = SubtitleGround.color(under: color, former: nil)
          #expect(luma(ground) <= 41)
          #expect(luma(SubtitleGround.letters(color)) - luma(ground) >= 95)
        }
      }
    }
    #expect(luma(SubtitleGround.letters(nil)) > 230)
  }

  @Test func itStaysWhereLittleChanges() {
    let first = SubtitleGround.color(under: .init(red: 200, green: 100, blue: 50), former: nil)
    #expect(SubtitleGround.color(under: .init(red: 190, green: 110, blue: 55), former: first) == first)
    #expect(SubtitleGround.color(under: .init(red: 0, green: 0, blue: 200), former: first) != first)
  }

  @Test func theMeanIsOfTheCellsAlone() {
    let image = PixelImage(size: PixelSize(width: 8, height: 8)) { bytes in
      for y in 4..<8 { for x in 0..<8 { bytes[3 * (y * 8 + x)] = 200 } }
    }
    let layer = FrameLayer(
      image: image, cells: CellRect(x: 3, y: 2, width: 8, height: 4), imageRect: PixelRect(x: 0, y: 0, width: 8, height: 8))
    let blitter = Blitter.best(for: .unicode)
    func red(_ rect: CellRect) -> UInt8? { layer.meanColor(in: rect, blitter: blitter)?.red }
    #expect(red(CellRect(x: 3, y: 2, width: 8, height: 2)) == 0)
    #expect(red(CellRect(x: 3, y: 4, width: 8, height: 2)) == 200)
    #expect(red(CellRect(x: 3, y: 3, width: 4, height: 2)) == 100)
    #expect(red(CellRect(x: 0, y: 0, width: 2, height: 2)) == nil)
  }
}
