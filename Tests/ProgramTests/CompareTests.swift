import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Two clips in one pane, and parts of frames, in a terminal.
@Suite(.timeLimit(.minutes(20))) struct CompareTests {
  private func clip(_ name: String, _ source: String) throws -> String {
    try SampleMedia.clip(
      name: name, arguments: ["-f", "lavfi", "-i", "\(source):r=10:d=20", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"])
  }

  private func red() throws -> String { try clip("red.mp4", "color=red:s=160x90") }
  private func blue() throws -> String { try clip("blue.mp4", "color=blue:s=320x180") }

  /// The colour of a cell's upper half.
  private func pixel(_ screen: EmulatorScreen, _ column: Int, _ row: Int) -> [UInt8] {
    ScreenPixels(screen).part(x: column, y: 2 * row, width: 1, height: 1).bytes
  }

  /// The colour of a cell: r, b, or other.
  private func color(_ screen: EmulatorScreen, _ column: Int, _ row: Int) -> Character {
    let pixel = pixel(screen, column, row)
    return pixel[0] > 150 && pixel[2] < 100 ? "r" : pixel[2] > 150 && pixel[0] < 100 ? "b" : "-"
  }

  private func run(_ arguments: [String]) throws -> PlayerRun {
    try PlayerRun(["--paused", "--colors", "24bit"] + arguments + [red(), blue()], columns: 64, rows: 24)
  }

  @Test func aWipeShowsBothSides() throws {
    let run = try run(["--compare"])
    try run.wait("both sides") { color($0, 10, 12) == "r" && color($0, 50, 12) == "b" }
    try run.wait("their names") { $0.contains("red.mp4 | blue.mp4") && $0.contains("scaled") }
    run.process.send("\\")
    try run.wait("swapped") { color($0, 10, 12) == "b" && color($0, 50, 12) == "r" }
    for _ in 0..<10 { run.process.press(.left, .shift) }
    try run.wait("the edge at the left") { color($0, 10, 12) == "r" }
    // Playing, the same.
    run.process.send(" ")
    try run.wait("playing") { $0.contains("►") && color($0, 10, 12) == "r" }
    run.process.send("\u{1B}")
    try run.wait("the clip alone") { color($0, 10, 12) == "b" && color($0, 50, 12) == "b" }
    run.quit()
  }

  @Test func flickerAlternatesAtOnce() throws {
    let run = try run([])
    try run.waitUntilPaused(panes: 2)
    run.process.send("\tzf")
    try run.wait("the reference") { color($0, 32, 12) == "r" }
    run.process.send("f")
    try run.wait("the clip") { color($0, 32, 12) == "b" }
    run.process.send("F")
    for side in ["r", "b", "r"] as [Character] { try run.wait("by itself") { color($0, 32, 12) == side } }
    run.quit()
  }

  @Test func equalClipsHaveNoDifference() throws {
    let run = try PlayerRun(["--paused", "--colors", "24bit", "--compare-mode", "difference", red(), red()], columns: 64, rows: 24)
    try run.wait("black") { $0.contains("difference ×8") && pixel($0, 32, 12).allSatisfy { $0 < 8 } }
    run.process.send("U")
    try run.wait("the settings") { $0.contains("gain: 8") }
    // From the end, past those of frames.
    run.process.press(.end)
    for _ in 0..<5 { run.process.press(.up) }
    run.process.send("\r")
    try run.wait("the mean") { $0.contains("mean") }
    run.process.send("\u{1B}")
    try run.wait("closed") { !$0.contains("gain: 8") }
    run.quit()
  }

  @Test func aNudgeIsKeptAsOffset() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline(), PlayerClips.timeline()], columns: 120, rows: 30)
    try run.waitUntilPaused(panes: 2)
    run.process.send("t30\r")
    try run.wait("there") { $0.text.joined().contains("0:30.000") }
    run.process.send("\t:::")
    try run.wait("three frames") { $0.contains("2: +3 frames") && $0.contains("#303") && $0.contains("#300") }
    run.process.send(".")
    try run.wait("together") { $0.contains("#304") && $0.contains("#301") }
    run.quit()
  }

  @Test func oneClipCannotBeCompared() throws {
    let run = try PlayerRun(["--paused", red()])
    try run.waitUntilPaused()
    run.process.send("w")
    try run.wait(for: "two clips are needed")
    run.quit()
    #expect(try CommandRun(["--compare", red()]).status == .exited(64))
  }

  @Test func magnifiedPanesMoveTogether() throws {
    let run = try PlayerRun(["--paused", "--colors", "24bit", PlayerClips.timeline(), PlayerClips.timeline()], columns: 80, rows: 24)
    try run.waitUntilPaused(panes: 2)
    run.process.send("ZZ")
    try run.wait("2:1 in both") { screen in screen.text.joined().components(separatedBy: "2:1").count > 2 }
    for _ in 0..<12 { run.process.press(.left, .shift) }
    let left = run.screen
    run.process.press(.right, .shift)
    try run.wait("elsewhere") { $0.cells != left.cells }
    run.process.send("Y")
    try run.wait("the whole") { !$0.text.joined().contains("2:1") }
    try run.quitAndCompare()
  }

  /// A clip against itself is black at every moment, unless the frames of two moments meet.
  @Test func pairsNeverTear() throws {
    let run = try PlayerRun(
      ["--paused", "--colors", "24bit", "--compare-mode", "difference", PlayerClips.smooth(), PlayerClips.smooth()], columns: 64, rows: 24)
    // Until it has been computed, the pane's own frame stays.
    try run.wait("the difference") { $0.contains("difference ×8") && $0.contains("#0") && PlayerRun.brightness(of: $0) < 16 }
    run.process.send(" ")
    try run.watchBlack("playing") { $0.contains("0:02") }
    run.process.send("j")
    try run.watchBlack("going back") { $0.contains("◄") && $0.contains("0:01") }
    run.process.send("k")
    try run.watchBlack("paused") { $0.contains("#") }
    for key in [".", ".", ",", ",", ",", ".", "5", "3", "8"] {
      run.process.send(key)
      run.process.run(seconds: 0.05)
      try run.watchBlack("after \(key)") { $0.contains("#") }
    }
    for _ in 0..<12 { run.process.press(.right) }
    try run.watchBlack("scrubbed") { $0.contains("#") }
    run.quit()
  }

  @Test func pixelsAndFactsOfFramesAreShown() throws {
    let run = try run([])
    try run.waitUntilPaused(panes: 2)
    run.process.send("'")
    try run.wait("the probe") { $0.contains("Y 81 Cb 90 Cr 240") && $0.contains("difference  Y") }
    run.process.send("'DD")
    try run.wait("the facts") { screen in screen.text.joined().components(separatedBy: "I keyframe").count == 3 && !screen.contains("Cb 90") }
    try run.wait("the packets") { $0.text.joined().contains("█") }
    run.process.send("DH")
    try run.wait("the histogram") { $0.contains("histogram") && !$0.contains("keyframe") }
    run.process.send("U")
    try run.wait("the list") { $0.contains("this clip alone") }
    run.process.press(.end)
    try run.wait("its end") { $0.contains("plane: picture") }
    for _ in 0..<3 { run.process.press(.up) }
    run.process.send("\r")
    try run.wait("luma") { $0.contains("plane: luma") }
    run.process.send("\u{1B}")
    try run.wait("in grey") { screen in
      let pixel = pixel(screen, 25, 5)
      return pixel[0] == pixel[1] && pixel[1] == pixel[2] && pixel[0] > 60
    }
    run.quit()
    run.expectRestored()
  }
}
