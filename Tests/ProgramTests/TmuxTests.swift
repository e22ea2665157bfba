import Foundation
import TerminalHarness
import TestSupport
import Testing

/// The program in a real tmux on the far side of ssh, through which the terminal is asked: its answers are keys for tmux.
@Suite(.timeLimit(.minutes(10))) struct TmuxTests {
  /// A tmux of its own with one pane, in which a line of the shell runs; `$Q` is the program, `$CLIP` a clip.
  private final class Tmux {
    let process: TerminalProcess
    let folder: TemporaryFolder
    private var socket: String { folder.path("socket") }

    init(_ script: String) throws {
      folder = try TemporaryFolder()
      let program = try #require(ProgramUnderTest.path, "the program has not been built")
      let configuration = folder.path("tmux.conf")
      let text = "set -g status off\nset -g allow-passthrough on\nset -g default-shell /bin/sh\n"
      try text.write(toFile: configuration, atomically: true, encoding: .utf8)
      var options = TerminalProcess.Options()
      options.environment = [
        "HOME": folder.path, "XDG_CONFIG_HOME": nil, "XDG_STATE_HOME": nil, "COLORTERM": "truecolor",
        "SSH_CONNECTION": "10.0.0.1 50000 10.0.0.2 22", "Q": program, "CLIP": try PlayerClips.timeline(),
        "OUT": folder.path("out"),
      ]
      options.directory = folder.path
      options.setLink(bytesPerSecond: 125_000, roundTrip: 0.1, buffer: 256_000)
      process = try TerminalProcess(
        "tmux", ["-S", folder.path("socket"), "-f", configuration, "new-session", script], options: options)
    }

    deinit { _ = try? command("kill-server") }

    /// Runs a tmux command, and returns what it prints.
    @discardableResult
    func command(_ arguments: String...) throws -> String {
      let tmux = Process()
      tmux.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      tmux.arguments = ["tmux", "-S", socket] + arguments
      let pipe = Pipe()
      tmux.standardOutput = pipe
      tmux.standardError = FileHandle.nullDevice
      try tmux.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      tmux.waitUntilExit()
      return String(decoding: output, as: UTF8.self)
    }

    /// Waits until it plays, and is asked about seldom.
    func waitUntilPlaying() throws {
      try wait("it plays") { $0.contains("►") && $0.contains("0:02/") }
      process.run(seconds: 2)
    }

    func wait(_ what: String, until predicate: (EmulatorScreen) -> Bool) throws {
      let holds = process.run(timeout: PlayerRun.patience, until: predicate)
      try #require(holds, "not so: \(what)\n\(process.screen)")
    }

    /// The second that a clip is at.
    var second: Int? {
      process.screen.text.lazy.compactMap { $0.firstMatch(of: /► (\d+):(\d\d)\//) }.first
        .map { (Int($0.1) ?? 0) * 60 + (Int($0.2) ?? 0) }
    }
  }

  /// Answers that come between the prefix key and the next do not act as keys, and leave time for the command.
  @Test func thePrefixKeyWorksWhileItPlays() throws {
    let tmux = try Tmux("\"$Q\" \"$CLIP\"")
    try tmux.waitUntilPlaying()
    let before = tmux.second ?? 0
    var windows = 1
    for _ in 0..<3 where windows == 1 {
      tmux.process.send("\u{2}")
      tmux.process.run(seconds: 0.2)
      tmux.process.send("c")
      tmux.process.run(seconds: 0.7)
      windows = try tmux.command("list-windows").split(separator: "\n").count
      if windows == 1 { #expect((tmux.second ?? 0) >= before) }
    }
    #expect(windows == 2)
  }

  /// Text typed into another pane is not mixed with answers: one may come, and no more are requested.
  @Test func answersAreNotTypedIntoAnotherPane() throws {
    let tmux = try Tmux("\"$Q\" --loop \"$CLIP\"")
    try tmux.waitUntilPlaying()
    try tmux.command("split-window", "stty -icanon -echo; exec cat > \"\(tmux.folder.path("typed"))\"")
    tmux.process.run(seconds: 4)
    let typed = (try? String(contentsOfFile: tmux.folder.path("typed"), encoding: .utf8)) ?? "none"
    #expect(typed.components(separatedBy: "n").count <= 2, "\(typed.debugDescription)")
    // It goes on meanwhile.
    let before = tmux.second ?? 0
    try tmux.wait("it plays on") { _ in (tmux.second ?? 0) > before + 1 }
  }

  /// Nor are those left to the shell that were on their way at the end.
  @Test func answersOnTheirWayDoNotReachTheShell() throws {
    let tmux = try Tmux("\"$Q\" --loop \"$CLIP\"; IFS= read -r line; echo \"read [$line]\"; read -r line")
    try tmux.wait("it plays") { $0.contains("►") && $0.contains("0:01/") }
    tmux.process.send("q")
    try tmux.wait("it has ended") { !$0.contains("►") }
    tmux.process.run(seconds: 1)
    tmux.process.send("\n")
    try tmux.wait("the shell reads") { $0.contains("read [") }
    #expect(tmux.process.screen.contains("read []"), "\(tmux.process.screen)")
  }
}
