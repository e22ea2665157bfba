import Foundation
import TestSupport
import Testing

/// Sound alone, in one line.
@Suite(.timeLimit(.minutes(20))) struct NoVideoTests {
  private func song(_ name: String, title: String, seconds: Int) throws -> String {
    try SampleMedia.clip(
      name: name,
      arguments: ["-f", "lavfi", "-i", "sine=440:d=\(seconds)", "-metadata", "title=\(title)", "-c:a", "flac"])
  }

  @Test func clipsAreHeardOneAfterAnother() throws {
    let run = try PlayerRun(
      ["--no-video", song("one.flac", title: "The first", seconds: 2), song("two.flac", title: "The second", seconds: 2)], columns: 80)
    try run.wait("the first clip") { $0.contains("► 0:0") && $0.contains("1/2 The first") }
    #expect(!run.screen.isAlternateScreen)
    try run.wait("the second clip") { $0.contains("2/2 The second") }
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(0))
    run.expectRestored()
    // For almost all of the two seconds there was nothing to do.
    #expect(run.process.usage.map { $0.cpuSeconds < 1.5 } == true, "\(run.process.usage?.cpuSeconds ?? 0) s")
    // The line stays, and nothing else has been drawn.
    let lines = run.screen.text.filter { !$0.allSatisfy { $0 == " " } }
    #expect(lines.count == 1 && lines[0].contains("The second"), "\(run.screen)")
  }

  @Test func keysSteerAndMessagesAreShown() throws {
    let run = try PlayerRun(["--no-video", song("long.flac", title: "Long", seconds: 600)], columns: 80)
    try run.wait(for: "► 0:0")
    run.process.send(" ")
    try run.wait(for: "‖ 0:0")
    run.process.send("5")
    try run.wait(for: "‖ 5:00/10:00")
    run.process.send("i")
    try run.wait(for: "i: needs the picture; ? shows")
    run.process.send("?")
    try run.wait(for: "p pause  ← → 5 s  ( ) clip  t time  m mute  - + volume  q quit")
    run.process.send("m")
    try run.wait(for: "  muted")
    run.process.send("+")
    try run.wait(for: "+2 dB, muted")
    run.process.send("m")
    try run.wait("heard again") { $0.contains("+2 dB") && !$0.contains("muted") }
    run.process.send("t")
    try run.wait(for: "> ")
    run.process.send("1:02\r")
    try run.wait(for: "1:02/10:00")
    run.quit()
    run.expectRestored()
  }

  @Test func aClipWithoutSoundIsPassedOver() throws {
    let silent = try PlayerClips.short()
    let run = try PlayerRun(["--no-video", "--sound", "off", silent, song("long.flac", title: "Long", seconds: 600)], columns: 120)
    try run.wait("the second clip") { $0.contains("2/2 Long") && $0.contains("short.mp4: has no sound") }
    run.quit()
    // The path may be long.
    let only = try PlayerRun(["--no-video", silent], columns: 300)
    #expect(only.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
    #expect(only.screen.contains("short.mp4: has no sound"), "\(only.screen)")
  }

  @Test func aClipThatCannotBePlayedIsNamed() throws {
    let run = try PlayerRun(["--no-video", "missing.mp3"], columns: 80)
    #expect(run.process.runUntilExit(timeout: PlayerRun.patience) == .exited(1))
    #expect(run.screen.contains("missing.mp3"), "\(run.screen)")
  }
}
