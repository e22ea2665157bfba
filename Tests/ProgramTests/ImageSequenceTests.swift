import Foundation
import Playback
import TerminalHarness
import TestSupport
import Testing

/// Numbered images, played and listed by the program.
@Suite(.timeLimit(.minutes(10))) struct ImageSequenceTests {
  private let folder: TemporaryFolder

  /// 20 numbered frames, shot_0001.png to shot_0020.png.
  init() throws {
    folder = try TemporaryFolder()
    try MediaTool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin"] + SampleMedia.numbered(width: 160, height: 90, rate: "10", seconds: 2) + [folder.path("shot_%04d.png")])
  }

  private func remove(_ numbers: Int...) throws {
    for number in numbers { try FileManager.default.removeItem(atPath: folder.path("shot_00\(number < 10 ? "0" : "")\(number).png")) }
  }

  @Test func itIsSteppedAndSought() throws {
    try remove(7, 12, 13)
    let run = try PlayerRun(["--paused", "--fps", "10", folder.path("shot_%04d.png")])
    try run.waitUntilPaused()
    try run.wait(for: "3 numbers missing: 7, 12–13")
    func expect(_ number: Int, showing image: Int) throws {
      try run.wait("frame \(number) shows image \(image)") { _ in run.numbersShown == [number] && run.frameNumber() == image }
    }
    try expect(0, showing: 0)
    run.process.send("t#5\r")
    try expect(5, showing: 5)
    run.process.send(".")
    try expect(6, showing: 5)
    run.process.send(".")
    try expect(7, showing: 7)
    run.process.send("t1.2\r")
    try expect(12, showing: 10)
    run.process.send(",")
    try expect(11, showing: 10)
    run.process.press(.end)
    try expect(19, showing: 19)
    try run.quitAndCompare()
  }

  @Test func itPlaysToItsEnd() throws {
    let run = try PlayerRun(["--exit-at-end", "--fps", "50", "--stats", folder.path("stats.json"), folder.path])
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0), "\(run.screen)")
  }

  @Test func theProgramsCommandsTakeIt() throws {
    try remove(7)
    let pattern = folder.path("shot_%04d.png"), glob = folder.path("shot_*.png")
    for name in [pattern, glob, folder.path] {
      let info = try CommandRun(["info", "--fps", "24000/1001", name])
      #expect(info.status == .exited(0) && info.output.contains("1 number missing: 7") && info.output.contains("23.98 fps"), "\(info.output)")
    }
    let frames = try CommandRun(["frames", "--fps", "10", pattern, "--order", "shuffle"])
    let lines = frames.output.split(separator: "\n")
    #expect(frames.status == .exited(0) && lines.count == 21 && lines.first == "#tb 1/10")
    #expect(lines.count > 8 && lines[6].split(separator: ",").last == lines[7].split(separator: ",").last)
    let saved = try CommandRun(["frame", "--fps", "10", glob, "--at", "1.9", "-o", folder.path("out.jpg")])
    #expect(saved.status == .exited(0), "\(saved.errors)")
    #expect(try CommandRun(["thumbnails", folder.path, "--count", "4", "-o", folder.path("sheet.png")]).status == .exited(0))
    // The images are input.
    let refused = try CommandRun(["frame", pattern, "--at", "0", "-o", folder.path("shot_0003.png")])
    #expect(refused.status != .exited(0) && refused.errors.contains("shot_0003.png"), "\(refused.errors)")
    let rendered = try CommandRun(["render", "--fps", "10", pattern, "-o", folder.path("shot.mkv")])
    #expect(rendered.status == .exited(0) && rendered.errors.contains("20 frames, 2.000 s"), "\(rendered.errors)")
    let none = try CommandRun(["info", folder.path("none_%d.png")])
    #expect(none.status == .exited(1) && none.output.contains("no such file, and no numbered images match"), "\(none.output)")
  }

  @Test func itIsAPieceOfAMovie() throws {
    try Data("quadrille: movie 1\npieces:\n  - clip: shot_%04d.png\n    in: \"#5\"\n    for: 0.2\n".utf8)
      .write(to: URL(fileURLWithPath: folder.path("m.yaml")))
    let movie = try CommandRun(["frames", folder.path("m.yaml")]), images = try CommandRun(["frames", folder.path("shot_%04d.png")])
    func hashes(_ run: CommandRun) -> [Substring] { run.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: ",").last } }
    #expect(movie.status == .exited(0) && hashes(movie).count == 5, "\(movie.errors)\(movie.output)")
    #expect(hashes(movie) == Array(hashes(images).dropFirst(5).prefix(5)))
  }

  @Test func itIsComparedWithAVideoMadeFromIt() throws {
    try MediaTool.run(
      "ffmpeg", ["-v", "error", "-nostdin", "-framerate", "10", "-i", folder.path("shot_%04d.png"), "-c:v", "ffv1", folder.path("shot.mkv")])
    let images = try CommandRun(["frames", "--fps", "10", folder.path("shot_%04d.png")])
    let reference = try MediaTool.frameHashes(["-i", folder.path("shot_%04d.png")])
    #expect(images.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: ",").last.map(String.init) } == reference)
    let run = try PlayerRun(
      ["--paused", "--compare-mode", "difference", "--fps", "10", folder.path("shot_%04d.png"), folder.path("shot.mkv")], columns: 100)
    try run.waitUntilPaused()
    run.process.send("t#7\r")
    try run.wait("equal frames") { $0.contains("#7") }
    run.quit()
  }

  @Test func optionsAreChecked() throws {
    let pattern = folder.path("shot_%04d.png")
    for rates in [["--fps", "0"], ["--fps", "x"], ["--fps", "24", "--fps", "25"]] {
      let run = try CommandRun(rates + [pattern])
      #expect(run.status != .exited(0) && run.errors.contains("fps") || run.errors.contains("frame rates"), "\(run.errors)")
    }
  }

  @Test func itIsOpenedFromThePrompt() throws {
    let run = try PlayerRun(["--paused", try PlayerClips.short()], columns: 140) { $0.directory = folder.path }
    try run.waitUntilPaused()
    run.process.send("o")
    try run.wait(for: "Open clip: ")
    run.process.send("sh\t")
    try run.wait(for: "shot_%04d.png")
    run.process.send("\r")
    try run.waitUntilPaused(panes: 2)
    run.quit()
  }
}
