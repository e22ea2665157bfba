import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct SSALineTests {
  private static let script = SSAScript(
    """
    [Script Info]
    PlayResX: 640
    PlayResY: 480

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
    StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
    Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1
    Style: Sign,Arial,16,&H0000FFFF,&Hffffff,&H0,&H0,-1,-1,0,0,100,100,0,0,1,1,0,8,10,10,10,1

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    """)

  private func line(_ text: String, style: String = "Default") -> SSALine? {
    SSALine("0,0,\(style),,0,0,0,,\(text)", of: Self.script)
  }

  private func text(_ source: String) -> String? { line(source)?.lines.map(\.text).joined(separator: "|") }

  @Test(arguments: [
    ("one", "one"), ("one, two, three", "one, two, three"), ("one\\Ntwo\\nthree", "one|two three"),
    ("a\\hb", "a\u{A0}b"), ("\\{not a tag\\}", "{not a tag}"), ("\\", "\\"), ("a\\b", "a\\b"), ("{\\b1}bold{\\b0} not", "bold not"),
    ("{a comment}seen", "seen"), ("{not closed", "{not closed"), ("{\\p1}m 0 0 l 100 100{\\p0}text", "text"),
    ("{\\k20}ka{\\kf30}ra{\\ko10}o{\\K5}ke", "karaoke"), ("{\\fad(100,200)\\fs40\\fnArial\\bord2\\pos(1,2)}x", "x"),
    ("{\\alpha&HFF&}hidden{\\alpha&H00&}seen", "seen"), ("\\N\\Nmiddle\\N", "middle"), ("{\\pbo5}x", "x"),
    ("{\\t(0,500,\\alpha&HFF&)}goes", "goes"), ("{\\alpha&HFF&\\t(0,300,\\clip(0,0,9,9)\\alpha&H00&)}comes", "comes"),
    ("{\\t(\\b1\\1a&HFF&}a{\\b0}b", "ab"), ("{\\q2}one\\ntwo", "one|two"), ("one\r\ntwo", "one|two"), ("a{\u{301}b}", "a"),
  ])
  func textIsWhatIsRead(source: String, text: String) {
    #expect(self.text(source) == text)
  }

  @Test(arguments: ["", " ", "{\\p1}m 0 0 l 100 100", "\\N\\N", "{\\an8}", "{\\alpha&HFF&}x"])
  func whatShowsNothingIsNothing(source: String) {
    #expect(line(source) == nil)
  }

  /// As in libass: only where lines are not wrapped, a soft break is one.
  @Test(arguments: [(0, "soft break"), (1, "soft break"), (2, "soft|break"), (3, "soft break")])
  func softBreaks(style: Int, text: String) {
    let line = SSALine("0,0,Default,,0,0,0,,soft\\nbreak", of: SSAScript("[Script Info]\nWrapStyle: \(style)"))
    #expect(line?.lines.map(\.text).joined(separator: "|") == text)
  }

  /// As in libass: one side of the frame implies the other.
  @Test(arguments: [
    ("PlayResY: 720", 960.0, 720.0), ("PlayResX: 640", 640, 480), ("PlayResX: 1280", 1280, 1024), ("PlayResY: 1024", 1280, 1024),
    ("PlayResX: 0\nPlayResY: 720", 960, 720), ("", 384, 288), ("PlayResX: 1920\nPlayResY: 1080", 1920, 1080),
  ])
  func sizesOfScripts(header: String, width: Double, height: Double) {
    let size = SSAScript("[Script Info]\n" + header).size
    #expect(size.width == width && size.height == height)
  }

  /// Lines that Aegisub's templates make of karaoke: one for each syllable.
  @Test func karaokeOfTemplatesIsLeftOut() {
    let script = SSAScript("")
    #expect(SSALine("0,0,Default,,0,0,0,fx,{\\pos(100,100)}la", of: script) == nil)
    #expect(SSALine("0,0,Default,,0,0,0,Karaoke,{\\k20}la", of: script) != nil)
  }

  @Test func stylesOfParts() throws {
    let changing = try #require(line("{\\t(0,500,\\c&H0000FF&\\b1)\\i1}x")?.lines.first?.spans.first?.style)
    #expect(changing.color == nil && !changing.isBold && changing.isItalic)
    let spans = try #require(line("{\\b1}a{\\i1\\u1}b{\\r}c{\\c&H0000FF&}d{\\c}e{\\rSign}f{\\1c&HFF0000&\\b0}g")?.lines.first?.spans)
    #expect(spans.map(\.text) == ["a", "b", "c", "d", "e", "f", "g"])
    #expect(spans.map(\.style.isBold) == [true, true, false, false, false, true, false])
    #expect(spans.map(\.style.isItalic) == [false, true, false, false, false, true, true])
    #expect(spans.map(\.style.isUnderlined) == [false, true, false, false, false, false, false])
    let (red, yellow, blue) = (
      SubtitleStyle.Color(red: 255, green: 0, blue: 0), SubtitleStyle.Color(red: 255, green: 255, blue: 0),
      SubtitleStyle.Color(red: 0, green: 0, blue: 255)
    )
    #expect(spans.map(\.style.color) == [nil, nil, nil, red, nil, yellow, blue])
  }

  @Test func places() throws {
    let plain = try #require(line("x")?.placement)
    #expect(plain == SubtitlePlacement())
    let sign = try #require(line("x", style: "Sign")?.placement)
    #expect(sign.vertical == .top && sign.horizontal == .center && sign.height == .edge)
    let corner = try #require(line("{\\an9}x")?.placement)
    #expect(corner.vertical == .top && corner.horizontal == .right)
    let old = try #require(line("{\\a5}x")?.placement)
    #expect(old.vertical == .top && old.horizontal == .left)
    let middle = try #require(line("{\\a10}x")?.placement)
    #expect(middle.vertical == .middle && middle.horizontal == .center)
    let first = try #require(line("{\\an8}first {\\an2}then")?.placement)
    #expect(first.vertical == .top)
    let placed = try #require(line("{\\an7\\pos(160,120)}x")?.placement)
    #expect(placed.x == 0.25 && placed.height == .fraction(0.25) && placed.vertical == .top)
    let moving = try #require(line("{\\move(160,120,320,240,0,500)\\pos(1,1)}x")?.placement)
    #expect(moving.x == 0.25 && moving.height == .fraction(0.25))
    let far = try #require(line("{\\pos(1e9,-5)}x")?.placement)
    #expect(far.x == 1 && far.height == .fraction(0))
  }

  @Test func nonsenseIsHarmless() {
    for header in ["", "[V4+ Styles]\nStyle: x", "[V4+ Styles]\nFormat: \nStyle: ,,,", "PlayResX: -4\nPlayResY: nan"] {
      #expect(SSALine("0,0,Default,,0,0,0,,x", of: SSAScript(header))?.lines.first?.text == "x")
    }
    #expect(SSALine("", of: Self.script) == nil && SSALine("1,2,3", of: Self.script) == nil)
    #expect(text("{\\an0\\a12\\an99\\c&Hzz&\\pos(1)\\pos()\\b\\i\\u\\r}x") == "x")
  }

  @Test func alignmentsOfOldScripts() {
    let script = SSAScript(
      """
      [V4 Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment
      Style: Default,Arial,16,65535,-1,0,6
      """)
    let style = script.style("Default")
    #expect(style.alignment == SSAAlignment(8) && style.text.isBold)
    #expect(style.text.color == SubtitleStyle.Color(red: 255, green: 255, blue: 0))
  }

  /// All else in it is as elsewhere.
  @Test func aBraceThatIsNotClosedIsText() {
    #expect(SSALine("0,0,Default,,0,0,0,,{ a\\N{b", of: Self.script)?.lines.map(\.text) == ["{ a", "{b"])
  }
}
