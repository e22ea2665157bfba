import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct WebVTTCueTests {
  private func text(_ source: String) -> String? {
    WebVTTCue(source, settings: nil)?.lines.map(\.text).joined(separator: "|")
  }

  @Test(arguments: [
    ("one", "one"), ("one\ntwo", "one|two"), ("<b>bold</b> not", "bold not"), ("<v Fred>Hi, I'm Fred", "Hi, I'm Fred"),
    ("<c.yellow.bg_blue>x</c>", "x"), ("a &amp; b &lt;c&gt; &nbsp;&#x41;&#66;&unknown;", "a & b <c> \u{A0}AB&unknown;"),
    ("AT&T & so on", "AT&T & so on"), ("<ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby>です", "漢字です"),
    ("<ruby>漢<rt>kan</ruby>です", "漢です"), ("<00:00:01.000>ka<00:00:02.000>ra", "kara"), ("a <not a tag> b", "a  b"),
    ("<lang en>English</lang>", "English"), ("not <closed", "not "), ("</b></i>x", "x"), ("\r\nx\r\n", "x"),
  ])
  func textIsWhatIsRead(source: String, text: String) {
    #expect(self.text(source) == text)
  }

  @Test(arguments: ["", "\n\n", "<b></b>", "   "])
  func whatShowsNothingIsNothing(source: String) {
    #expect(text(source) == nil)
  }

  @Test func stylesOfParts() throws {
    let spans = try #require(WebVTTCue("a<b>b<i.red>c</i></b><u>d</u>e", settings: nil)?.lines.first?.spans)
    #expect(spans.map(\.text) == ["a", "b", "c", "d", "e"])
    #expect(spans.map(\.style.isBold) == [false, true, true, false, false])
    #expect(spans.map(\.style.isItalic) == [false, false, true, false, false])
    #expect(spans.map(\.style.isUnderlined) == [false, false, false, true, false])
    #expect(spans.map(\.style.color) == [nil, nil, .init(red: 255, green: 0, blue: 0), nil, nil])
  }

  @Test(arguments: [
    ("line:0", .top, .row(0), nil, .center), ("line:-1", .bottom, .row(-1), nil, .center),
    ("line:10%", .top, .fraction(0.1), nil, .center), ("line:95%", .bottom, .fraction(0.95), nil, .center),
    ("line:50%,center", .middle, .fraction(0.5), nil, .center), ("position:20% align:start", .bottom, .edge, 0.2, .left),
    ("position:20%,line-left", .bottom, .edge, 0.2, .left), ("position:80%,line-right", .bottom, .edge, 0.8, .right),
    ("align:end", .bottom, .edge, 1, .right), ("align:left", .bottom, .edge, 0, .left),
    ("line:nonsense position:200% align:up size:50%", .bottom, .edge, nil, .center),
  ] as [(String, SubtitlePlacement.Vertical, SubtitlePlacement.Height, Double?, SubtitlePlacement.Horizontal)])
  func places(
    settings: String, vertical: SubtitlePlacement.Vertical, height: SubtitlePlacement.Height, x: Double?,
    horizontal: SubtitlePlacement.Horizontal
  ) throws {
    let placement = try #require(WebVTTCue("x", settings: settings)?.placement)
    #expect(placement.vertical == vertical && placement.height == height)
    #expect(placement.x == x && placement.horizontal == horizontal)
  }

  @Test func manyTagsWithinEachOther() throws {
    let text = String(repeating: "<b>", count: 100_000) + String(repeating: "a", count: 200_000)
    let line = try #require(WebVTTCue(text, settings: nil)?.lines.first)
    #expect(line.text.count == 200_000)
  }
}
