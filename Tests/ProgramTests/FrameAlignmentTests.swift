import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Clips aligned frame by frame, in a terminal.
@Suite(.timeLimit(.minutes(20))) struct FrameAlignmentTests {
  private static let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-pix_fmt", "yuv420p"]

  private func reference() throws -> String {
    try SampleMedia.clip(
      name: "aligned.mp4",
      arguments: ["-f", "lavfi", "-i", "mandelbrot=size=160x90:rate=25:maxiter=200:start_scale=1:end_scale=0.3,trim=end_frame=100,setpts=N/25/TB"]
        + Self.coding)
  }

  /// Lacks the first six frames, and frame 40.
  private func candidate() throws -> String {
    try SampleMedia.clip(
      name: "aligned-dropped.mkv",
      arguments: ["-i", reference(), "-vf", "select='gte(n,6)*not(eq(n,40))',setpts=N/25/TB"] + Self.coding)
  }

  private func run(_ options: [String] = []) throws -> PlayerRun {
    let run = try PlayerRun(["--paused"] + options + [reference(), candidate()], columns: 120, rows: 30)
    try run.waitUntilPaused(panes: 2)
    return run
  }

  /// The numbers of the frames that both panes show.
  private func shows(_ reference: Int, _ candidate: Int) -> (EmulatorScreen) -> Bool {
    { screen in screen.text.contains { $0.contains("#\(reference) ") && $0.contains("#\(candidate) ") } }
  }

  @Test func panesGoAlongByTheirFrames() throws {
    let run = try run()
    run.process.send("==")
    try run.wait(for: "aligned: 93 of 93 frames matched; 1 event")
    // Before the candidate's first frame there is none.
    try run.wait(for: "no matching frame")
    run.process.send("t#39\r")
    try run.wait("there") { shows(39, 33)($0) && !$0.contains("no matching frame") }
    run.process.send(".")
    try run.wait("a frame that was dropped") { shows(40, 33)($0) && $0.contains("no matching frame") }
    run.process.send(".")
    try run.wait("the next") { shows(41, 34)($0) && !$0.contains("no matching frame") }
    // Led by the other pane, the reference skips it.
    run.process.send("\t,")
    try run.wait("back") { shows(39, 33)($0) }
    run.process.send(".")
    try run.wait("past it") { shows(41, 34)($0) }
    run.process.send("=")
    try run.wait(for: "alignment off")
    run.quit()
  }

  @Test func whilePlayingTheyStayTogether() throws {
    let run = try run(["--align"])
    try run.wait(for: "93 of 93 frames matched")
    run.process.send("t#36\r")
    try run.wait("there") { shows(36, 30)($0) }
    run.process.send(" ")
    try run.wait("past the event") { $0.contains("► 0:02") || $0.contains("► 0:03") }
    run.process.send(" ")
    try run.wait("paused together") { screen in
      let row = screen.text.last { $0.contains("#") } ?? ""
      let numbers = row.split(separator: " ").filter { $0.first == "#" }.compactMap { Int($0.dropFirst()) }
      return screen.contains("‖") && numbers.count == 2 && numbers[0] > 41 && numbers[0] - numbers[1] == 7
    }
    run.quit()
  }

  /// The difference of frames that belong together is black at every moment, whatever is missing or repeated.
  @Test func pairsNeverTearAtEvents() throws {
    let exact = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-pix_fmt", "yuv420p"]
    let original = try SampleMedia.clip(name: "exact.mp4", arguments: ["-i", reference()] + exact)
    let changed = try SampleMedia.clip(
      name: "exact-changed.mkv",
      arguments: ["-i", original, "-vf", "select='not(between(n,30,32))',loop=loop=2:size=1:start=50,setpts=N/25/TB"] + exact)
    let run = try PlayerRun(
      ["--paused", "--colors", "24bit", "--compare-mode", "difference", "--align", original, changed], columns: 64, rows: 24)
    try run.wait(for: "99 of 99 frames matched; 2 events")
    try run.wait("the difference") { $0.contains("#0") && PlayerRun.brightness(of: $0) < 16 }
    run.process.send(" ")
    try run.watchBlack("playing") { $0.contains("0:03") }
    run.process.send(" ")
    try run.watchBlack("paused") { $0.contains("‖") && $0.contains("#") }
    for key in [",", ",", ".", "3", ".", ".", ".", "5", ",", "."] {
      run.process.send(key)
      run.process.run(seconds: 0.05)
      try run.watchBlack("after \(key)") { $0.contains("#") }
    }
    run.quit()
  }

  @Test func eventsAreListedAndGoneTo() throws {
    let run = try run()
    run.process.send("E")
    try run.wait("the list") { $0.contains("─ events") && $0.contains("0:01.600  dropped  reference #40") }
    run.process.send("\r")
    try run.wait("there") { shows(40, 33)($0) && $0.contains("no matching frame") }
    run.quit()
  }

  /// Where nothing moves, only a person knows which frames belong together.
  @Test func syncPointsCorrectAnAlignmentAndAreKept() throws {
    let still = try SampleMedia.clip(
      name: "still.mp4", arguments: ["-f", "lavfi", "-i", "smptebars=size=160x90:rate=25,trim=end_frame=60"] + Self.coding)
    let late = try SampleMedia.clip(
      name: "still-late.mkv", arguments: ["-i", still, "-vf", "select='gte(n,5)',setpts=N/25/TB"] + Self.coding)
    let run = try PlayerRun(["--paused", still, late], columns: 120, rows: 30)
    func compared(_ options: [String] = []) throws -> String {
      try CommandRun(
        ["compare", still, late, "--metrics", "none"] + options, environment: ["HOME": run.folder.path, "XDG_STATE_HOME": nil]
      ).output
    }
    try run.waitUntilPaused(panes: 2)
    run.process.send("==")
    try run.wait(for: "ambiguous: too little moves; G names frames that belong together")
    run.process.send("=")
    try run.wait(for: "alignment off")
    run.process.send("t#20\r")
    try run.wait("there") { shows(20, 20)($0) }
    run.process.send("\t;;;;;")
    try run.wait("the same frame") { shows(20, 15)($0) }
    run.process.send("G")
    try run.wait(for: "55 of 55 frames matched, 1 for sure, with 1 sync point")
    run.process.send("t#30\r")
    try run.wait("along with it") { shows(35, 30)($0) }
    #expect(try compared().contains("55 of 55 frames matched, 1 for sure, with 1 sync point; candidate #0 is reference #5"))
    #expect(try !compared(["--no-sync-file"]).contains("sync point"))
    run.process.send("E")
    try run.wait(for: "#15 is #20 of the reference")
    run.process.send("\r")
    try run.wait("at the point") { shows(20, 15)($0) }
    run.process.send("E\u{1B}[3~")
    try run.wait("the list without it") { $0.contains("─ events") && !$0.contains("Sync points") && !$0.contains("sync point") }
    #expect(try !compared().contains("sync point"))
    run.process.send("E G")
    try run.wait(for: "pause on frames that belong together first")
    run.quit()
  }

  @Test func metricsAreShownAndTheWorstPlaceIsFound() throws {
    let folder = try TemporaryFolder()
    let run = try run(["--ffmpeg", try StandIn.ffmpeg(in: folder)])
    run.process.send("M")
    try run.wait("PSNR") { $0.contains("PSNR") && $0.contains("over 93 frames") && $0.contains("harmonic") }
    run.process.send("M")
    try run.wait("SSIM") { $0.contains("SSIM 0.") && $0.contains("over 93 frames") }
    run.process.send("\tnN")
    try run.wait("the other pane is not focused by this") { $0.contains("SSIM 0.") }
    run.process.send("E")
    try run.wait("the worst") { $0.contains("Worst frames (SSIM)") }
    run.process.send("EM")
    try run.wait("such small frames have no MS-SSIM") { $0.contains("MS-SSIM: cannot be measured") }
    run.process.send("M")
    try run.wait("XPSNR") { $0.contains("XPSNR") && $0.contains("over 93 frames") }
    run.process.send("M")
    try run.wait("VMAF") { $0.contains("VMAF ") && $0.contains("over 93 frames") && $0.contains("worst 0.00") }
    run.process.send("M")
    try run.wait("off") { $0.contains("metric off") && !$0.contains("over 93 frames") }
    run.quit()
  }

  @Test func aMetricThatCannotBeHadIsLeftOut() throws {
    let run = try run(["--ffmpeg", "/bin/false"])
    run.process.send("MMMMM")
    try run.wait(for: "/bin/false: this is no ffmpeg that works")
    // Off, and from then on XPSNR is the last.
    run.process.send("MMMM")
    try run.wait("XPSNR") { $0.contains("XPSNR") && $0.contains("over 93 frames") }
    run.process.send("M")
    try run.wait(for: "metric off")
    run.quit()
  }

  @Test func theErrorsOfBlocksAreShown() throws {
    let run = try PlayerRun(
      ["--paused", "--colors", "24bit", "--compare-mode", "errors", reference(), candidate()], columns: 64, rows: 24)
    try run.wait(for: "errors")
    run.process.send("==")
    try run.wait("aligned, without a partner of its own first frame") { $0.contains("93 of 93 frames matched") }
    try run.waitUntilStill()
    try run.quitAndCompare()
  }

  @Test func whatCannotBeAlignedIsSaid() throws {
    let run = try PlayerRun(["--paused", reference()])
    try run.waitUntilPaused()
    for key in ["M", "E", "G"] {
      run.process.send(key)
      try run.wait(for: "two clips are needed to compare frames")
    }
    run.quit()
  }
}
