import Libav
import Pixels
import Testing

@testable import Playback

/// Cues written as lines of a script are read as the same cues.
@Suite(.timeLimit(.minutes(20))) struct SSAWriterTests {
  private static let writer = SSAWriter(size: PixelSize(width: 640, height: 480), format: .ass)

  private func read(_ cues: [SubtitleCue], _ writer: SSAWriter = writer) -> SSALine? {
    SSALine(writer.line(cues, number: 3), of: SSAScript(writer.header))
  }

  private func cue(_ lines: [SubtitleLine], _ placement: SubtitlePlacement = SubtitlePlacement()) -> SubtitleCue {
    SubtitleCue(timeRange: TimeRange(start: .zero, end: MediaTime(value: 1, timescale: 1)), lines: lines, placement: placement)
  }

  private func text(_ text: String) -> SubtitleCue { cue([SubtitleLine([SubtitleSpan(text)])]) }

  @Test(arguments: [
    "plain", "one, two", "{braces}", "{\\b1}bold?", "a\\", "\\", "C:\\New\\name\\here", "{", "}", "\\{x\\}", "{\\", "<i>&amp;", " spaces ",
    "日本語 🎬 עברית",
  ])
  func textIsNeverMarkup(source: String) {
    func seen(_ line: SSALine?) -> String? { line?.lines.map(\.text).joined(separator: "|").filter { $0 != "\u{2060}" } }
    #expect(seen(read([text(source)])) == source)
    // Of other containers libavcodec makes another coding, which is tried with files.
    #expect(!Self.writer.line([text(source)], number: 0).contains("\n"))
  }

  @Test func controlCharactersAreSpaces() {
    #expect(read([text("a\u{1B}[2J\tb\r\nc")])?.lines.map(\.text) == ["a [2J b c"])
  }

  @Test func stylesOfPartsAreKept() {
    func style(_ change: (inout SubtitleStyle) -> Void) -> SubtitleStyle {
      var style = SubtitleStyle()
      change(&style)
      return style
    }
    let styles = [
      style { $0.isBold = true }, style { $0.isItalic = true }, style { $0.isUnderlined = true }, SubtitleStyle(),
      style { $0.color = .init(red: 1, green: 200, blue: 30) }, style { ($0.isBold, $0.isItalic) = (true, true) },
    ]
    let spans = styles.enumerated().map { SubtitleSpan("\($0)\\", $1) }
    let lines = read([cue([SubtitleLine(spans), SubtitleLine(spans.reversed())])])?.lines ?? []
    #expect(lines.map { $0.spans.map(\.style) } == [styles, styles.reversed()])
  }

  @Test(arguments: [SubtitlePlacement.Horizontal.left, .center, .right], [SubtitlePlacement.Vertical.top, .middle, .bottom])
  func placesAreKept(across: SubtitlePlacement.Horizontal, down: SubtitlePlacement.Vertical) throws {
    var place = SubtitlePlacement()
    (place.horizontal, place.vertical) = (across, down)
    #expect(read([cue([SubtitleLine([SubtitleSpan("x")])], place)])?.placement == place)
    (place.x, place.height, place.maxWidth) = (0.5, .fraction(0.25), 0.5)
    #expect(read([cue([SubtitleLine([SubtitleSpan("x")])], place)])?.placement == place)
  }

  @Test func whatIsSeenTogetherIsOneLine() {
    let cues = [text("above"), cue([SubtitleLine([SubtitleSpan("below")]), SubtitleLine([])])]
    #expect(read(cues)?.lines.map(\.text) == ["above", "below"])
  }

  @Test func comingAndGoingIsToldToOthers() {
    var fading = text("x")
    fading.fade = OverlayFade(opacity: 0.6, fadeIn: MediaTime(value: 1, timescale: 2), fadeOut: MediaTime(value: 1, timescale: 3))
    #expect(Self.writer.line([fading], number: 0) == "0,0,Default,,0,0,0,,{\\fad(500,333)\\alpha&H66&}x")
  }
}
