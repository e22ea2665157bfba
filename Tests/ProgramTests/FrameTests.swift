import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Frames out of clips: the commands, the key that saves, and the strip of thumbnails.
@Suite(.timeLimit(.minutes(10))) struct FrameTests {
  @Test(arguments: [("7.25", 72), ("#250", 250), ("0:02:00", 1200), ("100%", 1499), ("50%", 750)])
  func frameSavesTheExactFrame(at: String, number: Int) throws {
    let folder = try TemporaryFolder()
    for name in ["a.png", "a.jpg"] {
      let run = try CommandRun(["frame", PlayerClips.timeline(), "--at", at, "-o", folder.path(name)])
      #expect(run.status == .exited(0) && run.output == "" && run.errors == "")
      #expect(try SavedFrame.number(folder.path(name), width: 160, height: 90) == number)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.jpg", "a.png"])
  }

  @Test func whatCannotBeSavedSaysWhyInOneLine() throws {
    let folder = try TemporaryFolder()
    let clip = try PlayerClips.short()
    for arguments in [
      ["frame", "/nowhere/else.mp4", "--at", "1", "-o", folder.path("a.png")],
      ["frame", clip, "--at", "1", "-o", "/nowhere/a.png"], ["frame", clip, "--at", "#60", "-o", folder.path("a.png")],
      ["frame", clip, "--at", "9:00:00", "-o", folder.path("a.png")],
      ["thumbnails", try SampleClip.audioOnly.path(), "-o", folder.path("a.png")],
    ] {
      let run = try CommandRun(arguments)
      #expect(run.status == .exited(1) && run.output == "")
      #expect(run.errors.hasPrefix("quadrille: ") && run.errors.split(separator: "\n").count == 1)
    }
    for arguments in [
      ["frame", clip, "--at", "soon", "-o", "a.png"], ["frame", clip, "--at", "1", "-o", "a.gif"],
      ["frame", clip, "-o", "a.png"], ["thumbnails", clip, "--count", "0"],
      ["thumbnails", clip, "--size", "big"],
    ] {
      #expect(try CommandRun(arguments).status == .exited(64), "\(arguments)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func aPipeGivesFramesToo() throws {
    let folder = try TemporaryFolder()
    let program = try #require(ProgramUnderTest.path)
    let clip = try PlayerClips.upright()
    try MediaTool.run(
      "sh",
      [
        "-c", "cat \"$1\" | \"$2\" frame /dev/stdin --at 2.02 -o \"$3\"", "sh", clip, program,
        folder.path("a.png"),
      ])
    #expect(try SavedFrame.number(folder.path("a.png"), width: 96, height: 160) == 50)
  }

  @Test func aSheetIsPrintedInLines() throws {
    let environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"]
    let run = try CommandRun(
      ["thumbnails", PlayerClips.timeline(), "--count", "8", "--columns", "4"], environment: environment)
    #expect(run.status == .exited(0) && run.errors == "")
    // Four of 19 cells and a gap each, in 80 columns; 11 pixels high, so 6 rows of cells, a row of times and a gap.
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      $0.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }
    #expect(lines.count == 15)
    for (i, glyphs) in lines.enumerated() where i != 6 && i != 14 {
      #expect(glyphs.count <= 79 && glyphs.allSatisfy { "▀ ".contains($0) })
    }
    // The middles of eighths of 150 s, or a frame nearby; each time below the middle of its frame.
    let times = lines[6].split(separator: " ")
    #expect(times.count == 4 && times.allSatisfy { $0.wholeMatch(of: /\d:\d\d\.\d{3}/) != nil })
    #expect(lines[6].hasPrefix("     \(times[0])            \(times[1])"))
    let plain = try CommandRun(
      ["thumbnails", PlayerClips.short(), "--count", "2", "--colors", "mono"],
      environment: ["TERM": "vt100", "LC_ALL": "C"])
    #expect(plain.status == .exited(0) && !plain.output.isEmpty && plain.output.allSatisfy(\.isASCII))
    #expect(!plain.output.contains("\u{1B}"))
  }

  @Test func theKeySavesTheFrameThatIsShown() throws {
    let folder = try TemporaryFolder()
    let run = try PlayerRun(["--paused", "--start", "#625", PlayerClips.timeline()]) {
      $0.directory = folder.path
    }
    try run.wait("the frame is there") { _ in run.numbersShown == [625] }
    run.process.send("s")
    try run.wait(for: "saved timeline-0.01.02.500-pts640000.png")
    #expect(try SavedFrame.number(folder.path("timeline-0.01.02.500-pts640000.png"), width: 160, height: 90) == 625)
    run.process.send(",")
    try run.wait("it stepped back") { _ in run.numbersShown == [624] }
    run.process.send("s")
    try run.wait(for: "saved timeline-0.01.02.400-pts638976.png")
    run.process.send(".")
    try run.wait("it stepped on") { _ in run.numbersShown == [625] }
    run.process.send("s")
    try run.wait(for: "saved timeline-0.01.02.500-pts640000-2.png")
    run.process.send("sq")
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    // What was being saved on quitting is there, whole.
    #expect(try SavedFrame.number(folder.path("timeline-0.01.02.500-pts640000-3.png"), width: 160, height: 90) == 625)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
  }

  /// Whatever clip is played by then.
  @Test func whatWasSavedOfTheClipBeforeIsTold() throws {
    let large = try SampleMedia.clip(
      name: "large.mp4",
      arguments: ["-f", "lavfi", "-i", "testsrc2=size=3840x2160:rate=10:duration=1", "-c:v", "mpeg4", "-q:v", "3"])
    let folder = try TemporaryFolder()
    let run = try PlayerRun(["--paused", "\(large),\(PlayerClips.short())"]) { $0.directory = folder.path }
    try run.waitUntilPaused()
    run.process.send("ss)")
    try run.wait("both") { $0.contains("2/2 ") && $0.contains("saved large-0.00.00.000") }
    // The end of the program gives what is still being saved one second, and this may need more.
    try run.wait("the second") { _ in FileManager.default.fileExists(atPath: folder.path("large-0.00.00.000-pts0-2.png")) }
    run.quit()
  }

  @Test func whatCannotBeSavedTellsInThePane() throws {
    let folder = try TemporaryFolder()
    let gone = folder.path("gone")
    try FileManager.default.createDirectory(atPath: gone, withIntermediateDirectories: true)
    let run = try PlayerRun(["--paused", PlayerClips.short()]) { $0.directory = gone }
    try run.waitUntilPaused()
    try FileManager.default.removeItem(atPath: gone)
    run.process.send("s")
    try run.wait(for: "not saved: ")
  }

  @Test func aStripAppearsWhileScrubbingAndLeavesThePlainFrame() throws {
    let run = try PlayerRun(["--paused", "--start", "60", PlayerClips.timeline()])
    try run.wait("the frame is there") { _ in run.numbersShown == [600] }
    try run.waitUntilStill()
    let plain = run.screen
    run.process.press(.right)
    run.process.press(.left)
    try run.wait("a strip is over the bar") { hasStrip($0) && seen($0, thumbnail) != seen(plain, thumbnail) }
    try run.wait("the strip is gone") { seen($0, frame) == seen(plain, frame) }
    try run.quitAndCompare()
  }

  @Test func draggingTheBarShowsTheStripAtOnce() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()])
    try run.waitUntilPaused()
    run.process.mouse(.press(1), column: 40, row: 20)
    try run.wait("it went there") { _ in (run.numbersShown.first ?? 0) > 0 }
    // A click is no scrubbing.
    #expect(!hasStrip(run.screen))
    run.process.mouse(.move, column: 42, row: 20)
    try run.wait("a strip is over the bar") { hasStrip($0) }
    run.process.mouse(.release(1), column: 42, row: 20)
    try run.wait("the strip is gone") { !hasStrip($0) }
    try run.quitAndCompare()
  }

  /// Thumbnails stand for their part of the clip also where there are no key frames to take.
  @Test func theStripOfOneGroupShowsDifferentFrames() throws {
    let run = try PlayerRun(["--paused", PlayerClips.oneGroup()])
    try run.waitUntilPaused()
    run.process.mouse(.press(1), column: 24, row: 20)
    run.process.mouse(.move, column: 25, row: 20)
    // Over a short bar the thumbnail of the place stands alone, over it.
    var first: [RGB?] = []
    try run.wait("the first thumbnail") {
      first = seen($0, thumbnail(around: 25))
      return hasStrip($0) && first.contains { $0 != RGB(0, 0, 0) }
    }
    run.process.mouse(.move, column: 44, row: 20)
    try run.wait("the last thumbnail differs") {
      let last = seen($0, thumbnail(around: 44))
      return hasStrip($0) && last.contains { $0 != RGB(0, 0, 0) } && last != first
    }
    run.process.mouse(.release(1), column: 44, row: 20)
    try run.wait("the strip is gone") { !hasStrip($0) }
    try run.quitAndCompare()
  }

  /// Thumbnails stand over the places in the bar that they show.
  @Test func theStripIsAsWideAsTheBar() throws {
    let run = try PlayerRun(["--paused", PlayerClips.upright()], columns: 140, rows: 30)
    try run.waitUntilPaused()
    run.process.mouse(.press(1), column: 40, row: 29)
    run.process.mouse(.move, column: 41, row: 29)
    // The bar begins behind 20 columns and a space, and ends before 32 columns with spaces at both sides.
    try run.wait("the strip is as wide as the bar, and so wider than the frame") { screen in
      let lit = (0..<140).filter { screen.halves(column: $0, row: 27).map { $0.upper != RGB(0, 0, 0) } ?? false }
      guard let first = lit.first, let last = lit.last else { return false }
      return (21...28).contains(first) && (97...105).contains(last)
    }
    run.process.mouse(.release(1), column: 41, row: 29)
    run.quit()
  }

  /// A row of the thumbnail that stands over a column of the bar.
  private func thumbnail(around column: Int) -> Range<Int> { (16 * 64 + column - 6)..<(16 * 64 + column + 6) }

  @Test func lowPanesHaveNoStrip() throws {
    let run = try PlayerRun(["--paused", PlayerClips.timeline()], columns: 64, rows: 16)
    try run.waitUntilPaused()
    run.process.send(">>>>")
    try run.wait("it went there") { _ in run.numbersShown == [40] }
    try run.quitAndCompare()
  }

  private let frame = 64..<(19 * 64)

  /// The colours of cells as they are seen: the same can be sent in several forms.
  private func seen(_ screen: EmulatorScreen, _ cells: Range<Int>) -> [RGB?] {
    cells.flatMap { cell in
      let halves = screen.halves(column: cell % 64, row: cell / 64)
      return [halves?.upper, halves?.lower]
    }
  }

  /// Cells of the thumbnail in the middle, in one row.
  private let thumbnail = (16 * 64 + 24)..<(16 * 64 + 38)

  /// Returns true if a strip reaches into the row below the frame, which is otherwise black.
  private func hasStrip(_ screen: EmulatorScreen) -> Bool {
    (0..<64).contains { screen.halves(column: $0, row: 19).map { $0.upper != RGB(0, 0, 0) } ?? false }
  }
}
