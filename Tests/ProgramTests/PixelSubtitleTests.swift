import Foundation
import Glibc
import TerminalHarness
import TestSupport
import Testing
import Typesetting

/// Text subtitles in frames in pixels.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TypesettingLibrary.find() != nil, "libass is not installed"))
struct PixelSubtitleTests {
  private func clip() throws -> String {
    try SampleMedia.clip(
      name: "grey.mkv", arguments: ["-f", "lavfi", "-i", "color=c=0x646464:s=640x360:r=10:d=6", "-c:v", "ffv1", "-g", "1", "-pix_fmt", "bgr0"])
  }

  private func run(_ arguments: [String]) throws -> PlayerRun {
    try PlayerRun(["--colors", "24bit", "--pixels", "kitty"] + arguments + [clip()]) {
      $0.cellPixels = (10, 20)
      $0.images = .init([.kitty], name: "kitty(0.40.0)") { _ in nil }
    }
  }

  private func picture(_ run: PlayerRun) -> TerminalPicture? { run.process.picture(column: 0, row: 1, columns: 64, rows: 18) }

  private func pixel(_ picture: TerminalPicture?, _ x: Int, _ y: Int) -> [UInt8] {
    picture.map { Array($0.bytes[3 * (y * $0.width + x)..<3 * (y * $0.width + x) + 3]) } ?? []
  }

  private func file(_ name: String, _ text: String) throws -> String {
    try SampleMedia.file(name: name, key: [text]) { try text.write(toFile: $0, atomically: true, encoding: .utf8) }
  }

  @Test func scriptsAreDrawnWhereTheySay() throws {
    let script = """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: 640
      PlayResY: 360

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, Alignment
      Style: Default,sans-serif,30,&H00FFFFFF,2

      [Events]
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
      Dialogue: 0,0:00:00.00,0:00:00.25,Default,,0,0,0,,{\\an7\\pos(100,100)\\c&H0000FF&\\bord0\\shad0\\p1}m 0 0 l 80 0 80 40 0 40
      Dialogue: 0,0:00:00.25,0:00:05.00,Default,,0,0,0,,{\\an7\\pos(300,200)\\c&H00FF00&\\bord0\\shad0\\p1}m 0 0 l 80 0 80 40 0 40

      """
    let run = try run(["--paused", "--subs", file("box.ass", script)])
    try run.wait("a red box") { _ in pixel(picture(run), 140, 120) == [255, 0, 0] }
    let shown = picture(run)
    #expect(pixel(shown, 105, 105) == [255, 0, 0] && pixel(shown, 95, 120) == [100, 100, 100] && pixel(shown, 340, 220) == [100, 100, 100])
    // At rest, nothing is sent again.
    try run.waitUntilStill()
    run.process.send("....")
    try run.wait("a green box") { _ in pixel(picture(run), 340, 220) == [0, 255, 0] && pixel(picture(run), 140, 120) == [100, 100, 100] }
    run.process.send("V")
    try run.wait("hidden") { _ in pixel(picture(run), 340, 220) == [100, 100, 100] }
    #expect(run.process.imageFaults == [])
    run.quit()
    run.expectRestored()
  }

  @Test func plainTextIsDrawnAndLeavesCells() throws {
    let run = try run(["--paused", "--subs", file("words.srt", "1\n00:00:00,000 --> 00:00:05,000\nSome words\n")])
    try run.wait("white letters") { screen in
      !screen.contains("Some words") && (0..<640).contains { pixel(picture(run), $0, 340) == [255, 255, 255] }
    }
    // Cells have them again.
    run.process.send("Z")
    try run.wait("magnified") { $0.contains("Some words") }
    run.quit()
    run.expectRestored()
  }

  @Test func whatCannotBeDrawnStaysInCells() throws {
    let run = try run(["--paused", "--subs", file("many.ass", Self.much)])
    try run.wait("text") { $0.contains("Line") }
    run.quit()
    run.expectRestored()
  }

  /// More text at one time than is drawn.
  private static let much = """
    [Script Info]
    ScriptType: v4.00+

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

    """ + (0..<5).map { _ in "Dialogue: 0,0:00:00.00,0:00:05.00,Default,,0,0,0,,{\\fs90000}Line \(String(repeating: "{\\b1}x{\\b0}", count: 30_000))\n" }.joined()
}
