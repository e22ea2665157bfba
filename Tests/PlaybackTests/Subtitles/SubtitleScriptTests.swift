import Foundation
import Pixels
import TestSupport
import Testing

@testable import Playback

/// What those receive who draw subtitles with letters of their own.
@Suite(.timeLimit(.minutes(20))) struct SubtitleScriptTests {
  private static let script = """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: 64
    PlayResY: 36

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, Alignment
    Style: Default,Serif,8,&H00FFFFFF,2
    Style: Sign,Sans,5,&H0000FF00,7

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    Dialogue: 0,0:00:00.50,0:00:02.00,Default,,0,0,0,,{\\k20}Some {\\k30}words
    Dialogue: 1,0:00:01.00,0:00:01.50,Sign,,0,0,0,,{\\p1}m 0 0 l 9 9 0 9{\\p0}

    """

  private static func time(_ milliseconds: Int64) -> MediaTime { MediaTime(value: milliseconds, timescale: 1000) }

  private static func clip(_ name: String, _ codec: String, _ arguments: [String] = []) throws -> String {
    let text = try SampleMedia.file(name: "script.ass", key: [script]) { try script.write(toFile: $0, atomically: true, encoding: .utf8) }
    return try SampleMedia.clip(
      name: name,
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "10", seconds: 3) + ["-i", text, "-map", "0:v", "-map", "1:s"] + arguments
        + ["-c:v", "libx264", "-preset", "ultrafast", "-c:s", codec])
  }

  private static func item(_ path: String) async throws -> PlayerItem {
    let asset = Asset(path: path)
    _ = try await asset.load(.facts)
    let item = PlayerItem(asset: asset)
    item.selectedSubtitles = item.subtitleGroup?.options.first
    return item
  }

  /// Cues lack drawings, syllables and fonts; the lines of the script have all of it.
  @Test func linesOfScriptsAreKept() async throws {
    let track = try #require(try await Self.item(Self.clip("script.mkv", "ass")).subtitles)
    let cues = try await track.load().cues
    #expect(cues.map(\.text) == ["Some words"])
    let script = try #require(track.script(at: Self.time(1200)))
    #expect(script.header.contains("Style: Sign,Sans,5"))
    #expect(script.lines.map { $0.text.split(separator: ",", omittingEmptySubsequences: false).last.map(String.init) } == ["{\\k20}Some {\\k30}words", "{\\p1}m 0 0 l 9 9 0 9{\\p0}"])
    #expect(script.lines.first?.timeRange == TimeRange(start: Self.time(500), end: Self.time(2000)))
    #expect(track.script(at: Self.time(100))?.lines == [] && track.nextScriptChange(after: Self.time(600)) == Self.time(1000))
    let plain = try #require(try await Self.item(Self.clip("script-subrip.mkv", "subrip")).subtitles)
    _ = try await plain.load()
    #expect(plain.script(at: Self.time(600)) == nil)
  }

  @Test func scriptsThatAreTooLargeAreNotKept() {
    func part(_ count: Int, _ text: String) -> ScriptPart {
      ScriptPart(header: "[Script Info]", lines: (0..<count).map { number in
        SubtitleCue(
          timeRange: TimeRange(start: Self.time(Int64(number)), end: Self.time(Int64(number) + 1)), lines: [SubtitleLine([SubtitleSpan(text)])])
      })
    }
    var lines = ScriptLines()
    lines.add(part(3, "words"), from: .zero)
    #expect(lines.visible(at: Self.time(1))?.lines.count == 1)
    lines.add(part(34, String(repeating: "x", count: 1 << 20)), from: .zero)
    #expect(lines.visible(at: Self.time(1)) == nil)
    lines.add(part(3, "words"), from: .zero)
    #expect(lines.visible(at: Self.time(1)) == nil)
    var headed = ScriptLines()
    headed.add(ScriptPart(header: String(repeating: "x", count: 9 << 20), lines: []), from: .zero)
    #expect(headed.visible(at: .zero) == nil)
    // Many at once are what signs are made of.
    var many = ScriptLines()
    let cue = { (number: Int) in
      SubtitleCue(timeRange: TimeRange(start: .zero, end: Self.time(1)), lines: [SubtitleLine([SubtitleSpan("\(number)")])])
    }
    many.add(ScriptPart(header: "[Script Info]", lines: (0..<1200).map(cue)), from: .zero)
    #expect(many.visible(at: .zero)?.lines.count == 1000)
  }

  @Test func plainCues() {
    let script = PlainScript(size: PixelSize(width: 320, height: 160), minFontSize: 20)
    #expect(script.header.contains("Style: Default,sans-serif,20,") && script.header.contains("PlayResY: 160"))
    func line(_ height: SubtitlePlacement.Height) -> String {
      var placement = SubtitlePlacement()
      placement.height = height
      return script.line(SubtitleCue(timeRange: TimeRange(start: .zero, end: .zero), lines: [SubtitleLine([SubtitleSpan("{x}")])], placement: placement), number: 2)
    }
    #expect(line(.edge) == "2,0,Default,,0,0,0,,\\{x\\}")
    #expect(line(.row(1)).contains("\\an8\\pos(160,20)"))
    #expect(line(.row(-2)).contains("\\pos(160,140)"))
    // A font is never most of a picture.
    #expect(PlainScript(size: PixelSize(width: 320, height: 160), minFontSize: 900).header.contains("sans-serif,40,"))
  }

  @Test func fontsAttachedToAClip() async throws {
    let font = try SampleMedia.file(name: "font.ttf", key: ["a font"]) { try Data(repeating: 7, count: 1000).write(to: URL(fileURLWithPath: $0)) }
    let picture = try SampleMedia.file(name: "cover.bin", key: ["no font"]) { try Data(repeating: 7, count: 10).write(to: URL(fileURLWithPath: $0)) }
    let clip = try Self.clip("fonts.mkv", "ass", [
      "-attach", font, "-attach", picture, "-metadata:s:t:0", "mimetype=application/x-truetype-font", "-metadata:s:t:1", "mimetype=application/octet-stream",
    ])
    let asset = try #require(try await Self.item(clip).asset)
    let fonts = AttachedFonts(of: asset).read()
    #expect(fonts.map(\.bytes) == [[UInt8](repeating: 7, count: 1000)] && fonts.first?.name == "font.ttf")
    let cancelled = AttachedFonts(of: asset)
    cancelled.cancel()
    #expect(cancelled.read().isEmpty)
    let other = try #require(try await Self.item(Self.clip("script.mkv", "ass")).asset)
    #expect(AttachedFonts(of: other).read().isEmpty)
  }
}
