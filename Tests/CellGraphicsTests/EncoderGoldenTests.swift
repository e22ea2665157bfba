import CellGraphics
import Testing

/// Bytes written out by hand for small screens.
@Suite(.timeLimit(.minutes(20))) struct EncoderGoldenTests {
  /// Sends `first`, then returns what it takes to get from there to `second`.
  func bytes(
    from first: CellGrid, to second: CellGrid, _ profile: EncoderProfile, budget: Int? = nil
  ) -> String {
    var encoder = DifferenceEncoder(columns: first.columns, rows: first.rows, profile: profile)
    var output: [UInt8] = []
    _ = encoder.encode(first, imageBudget: nil, into: &output)
    output = []
    _ = encoder.encode(second, imageBudget: budget, into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  func half(_ top: CellColor, _ bottom: CellColor) -> Cell {
    Cell(
      glyph: top == bottom ? 0x20 : 0x2580, foreground: top == bottom ? .default : top, background: bottom,
      isImage: true)
  }

  let plain = EncoderProfile(colorDepth: .trueColor)

  @Test func theFirstUpdateClears() {
    var grid = CellGrid(columns: 4, rows: 2)
    grid[column: 0, row: 0] = Cell("A")
    grid[column: 1, row: 0] = Cell("é")
    var encoder = DifferenceEncoder(columns: 4, rows: 2, profile: plain)
    #expect(encoder.shown[column: 0, row: 0] == .unknown)
    var output: [UInt8] = []
    let result = encoder.encode(grid, imageBudget: 0, into: &output)
    #expect(String(decoding: output, as: UTF8.self) == "\u{1B}[m\u{1B}[H\u{1B}[2JAé")
    #expect(result.isExact && result.cellsSent == 2 && result.bytes == output.count)
    #expect(encoder.shown == grid)
    encoder.invalidate()
    #expect(encoder.shown[column: 3, row: 1] == .unknown)
    output = []
    _ = encoder.encode(grid, imageBudget: nil, into: &output)
    #expect(String(decoding: output, as: UTF8.self) == "\u{1B}[m\u{1B}[H\u{1B}[2JAé")
  }

  @Test func halvesUseTheColorsThePenHas() {
    let a = CellColor.rgb(1, 20, 255)
    let b = CellColor.rgb(4, 5, 6)
    let c = CellColor.rgb(7, 8, 9)
    let blank = CellGrid(columns: 8, rows: 2)
    var grid = blank
    let row = [half(a, b), half(b, a), half(a, a), half(b, b), half(c, b), half(b, a)]
    for (n, cell) in row.enumerated() { grid[column: n, row: 0] = cell }
    #expect(
      bytes(from: blank, to: grid, plain)
        == "\u{1B}[38;2;1;20;255;48;2;4;5;6m▀▄█ \u{1B}[38;2;7;8;9m▀\u{1B}[38;2;1;20;255m▄")
  }

  @Test func colorsOfTheDepths() {
    let blank = CellGrid(columns: 4, rows: 2)
    var grid = blank
    grid[column: 0, row: 0] = half(.indexed(9), .indexed(4))
    grid[column: 1, row: 0] = Cell("x", foreground: .rgb(255, 0, 0), attributes: .bold)
    grid[column: 2, row: 0] = Cell("y")
    func sent(_ depth: ColorDepth) -> String { bytes(from: blank, to: grid, .init(colorDepth: depth)) }
    // The chrome first, then the image.
    #expect(sent(.trueColor) == "\u{1B}[C\u{1B}[1;38;2;255;0;0mx\u{1B}[my\r\u{1B}[38;5;9;48;5;4m▀")
    #expect(sent(.palette256) == "\u{1B}[C\u{1B}[1;38;5;196mx\u{1B}[my\r\u{1B}[38;5;9;48;5;4m▀")
    #expect(sent(.ansi16) == "\u{1B}[C\u{1B}[1;91mx\u{1B}[my\r\u{1B}[91;44m▀")
    #expect(sent(.ansi8) == "\u{1B}[C\u{1B}[1;31mx\u{1B}[my\r\u{1B}[31;44m▀")
    #expect(sent(.mono) == "\u{1B}[C\u{1B}[1mx\u{1B}[my\r▀")
  }

  @Test func attributesGoOffTheShorterWay() {
    let color = CellColor.rgb(200, 200, 200)
    let ground = CellColor.rgb(100, 100, 100)
    let blank = CellGrid(columns: 6, rows: 2)
    var grid = blank
    let attributes: [CellAttributes] = [[.bold, .underline], .underline, [.dim, .italic], [.reverse], []]
    for (n, attribute) in attributes.enumerated() {
      grid[column: n, row: 0] = Cell("x", foreground: color, background: ground, attributes: attribute)
    }
    #expect(
      bytes(from: blank, to: grid, plain)
        == "\u{1B}[1;4;38;2;200;200;200;48;2;100;100;100mx\u{1B}[22mx\u{1B}[24;2;3mx"
        + "\u{1B}[22;23;7mx\u{1B}[27mx")
  }

  @Test func theCheapestMove() {
    let blank = CellGrid(columns: 60, rows: 12)
    /// From behind (10, 5) to one place.
    func move(to x: Int, _ y: Int) -> String {
      var grid = blank
      var first = blank
      for column in 0..<60 {
        for row in 0..<12 {
          first[column: column, row: row] = Cell("#", foreground: .indexed(UInt8(column + row)))
        }
      }
      first[column: 10, row: 5] = Cell("a")
      grid = first
      grid[column: 10, row: 5] = Cell("b")
      var encoder = DifferenceEncoder(columns: 60, rows: 12, profile: plain)
      var output: [UInt8] = []
      _ = encoder.encode(first, imageBudget: nil, into: &output)
      output = []
      _ = encoder.encode(grid, imageBudget: nil, into: &output)
      grid[column: x, row: y] = Cell("c")
      output = []
      _ = encoder.encode(grid, imageBudget: nil, into: &output)
      return String(decoding: output, as: UTF8.self)
    }
    #expect(move(to: 11, 5) == "c")
    #expect(move(to: 10, 5) == "\u{08}c")
    #expect(move(to: 0, 5) == "\rc")
    #expect(move(to: 0, 6) == "\r\nc")
    #expect(move(to: 12, 5) == "\u{1B}[Cc")
    #expect(move(to: 30, 5) == "\u{1B}[19Cc")
    #expect(move(to: 3, 5) == "\u{1B}[8Dc")
    #expect(move(to: 11, 6) == "\u{1B}[Bc")
    #expect(move(to: 11, 2) == "\u{1B}[3Ac")
    #expect(move(to: 4, 6) == "\u{1B}[7;5Hc")
    #expect(move(to: 0, 0) == "\u{1B}[Hc")
    #expect(move(to: 0, 9) == "\u{1B}[10Hc")
  }

  @Test func shortGapsAreBridged() {
    var first = CellGrid(columns: 20, rows: 2)
    for column in 0..<12 { first[column: column, row: 0] = Cell("a") }
    var second = first
    for column in [0, 4, 11] { second[column: column, row: 0] = Cell("b") }
    // Three cells over are three bytes, six are more than a move takes.
    #expect(bytes(from: first, to: second, plain) == "\rbaaab\u{1B}[6Cb")
  }

  @Test func theLastColumnAndTheLastCorner() {
    let blank = CellGrid(columns: 3, rows: 2)
    var grid = blank
    for (n, scalar) in "abcdef".unicodeScalars.enumerated() {
      grid[column: n % 3, row: n / 3] = Cell(scalar)
    }
    #expect(
      bytes(from: blank, to: grid, plain) == "abc\u{1B}[2Hde\u{1B}[?7lf\u{1B}[?7h")
    var next = grid
    next[column: 2, row: 1] = Cell("g")
    #expect(bytes(from: grid, to: next, plain) == "\u{1B}[2;3H\u{1B}[?7lg\u{1B}[?7h")
  }

  @Test func rowEndsAndRuns() {
    let blank = CellGrid(columns: 40, rows: 2)
    var text = blank
    for column in 0..<40 { text[column: column, row: 0] = Cell("x") }
    #expect(bytes(from: text, to: blank, plain) == "\u{1B}[H\u{1B}[K")
    let black = CellColor.rgb(0, 0, 0)
    var image = blank
    for column in 0..<40 { image[column: column, row: 0] = half(black, black) }
    var profile = plain
    profile.backColorErase = true
    #expect(bytes(from: blank, to: image, profile) == "\u{1B}[48;2;0;0;0m\u{1B}[K")
    image[column: 39, row: 0] = .blank
    profile.erasesCells = true
    #expect(bytes(from: blank, to: image, profile) == "\u{1B}[48;2;0;0;0m\u{1B}[39X")
    profile = plain
    profile.repeatsGlyphs = true
    #expect(bytes(from: blank, to: image, profile) == "\u{1B}[48;2;0;0;0m \u{1B}[38b")
  }

  @Test func synchronizedUpdatesWrapWhatIsSent() {
    let blank = CellGrid(columns: 4, rows: 2)
    var grid = blank
    grid[column: 0, row: 0] = Cell("x")
    let profile = EncoderProfile(colorDepth: .mono, synchronizedUpdates: true)
    #expect(bytes(from: blank, to: grid, profile) == "\u{1B}[?2026hx\u{1B}[?2026l")
    #expect(bytes(from: grid, to: grid, profile).isEmpty)
    grid[column: 0, row: 0] = Cell(glyph: 0x2580, isImage: true)
    #expect(bytes(from: blank, to: grid, profile, budget: 18).isEmpty)
    #expect(bytes(from: blank, to: grid, profile, budget: 20) == "\u{1B}[?2026h▀\u{1B}[?2026l")
  }

  @Test func asciiTerminalsGetASCII() {
    let blank = CellGrid(columns: 12, rows: 2)
    var grid = blank
    for (n, scalar) in "┌─│é█░日…".unicodeScalars.enumerated() { grid[column: n, row: 0] = Cell(scalar) }
    #expect(
      bytes(from: blank, to: grid, .init(colorDepth: .mono, glyphSet: .ascii)) == "+-|e#.?.")
  }

  @Test func wideGlyphsAreSentWhole() {
    var first = CellGrid(columns: 6, rows: 2)
    first[column: 1, row: 0] = Cell("日")
    first[column: 2, row: 0] = Cell(glyph: 0)
    #expect(bytes(from: CellGrid(columns: 6, rows: 2), to: first, plain) == " 日")
    var second = first
    second[column: 2, row: 0] = Cell("x")
    // Its half gone, the glyph is no more: a space, and what took the place of the other half.
    #expect(bytes(from: first, to: second, plain) == "\u{1B}[1;2H x")
    var third = first
    third[column: 1, row: 0] = Cell("x")
    #expect(bytes(from: first, to: third, plain) == "\u{1B}[1;2Hx ")
  }
}
