import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Numbers and resources beyond what anyone means.
@Suite(.timeLimit(.minutes(10))) struct LimitTests {
  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "99999999999999999999", "x", ""])
  func columnsOfTheEnvironment(value: String) throws {
    let run = try CommandRun(["--help"], environment: ["COLUMNS": value, "LINES": value])
    #expect(run.status == .exited(0))
    // A tty that does not tell its size.
    #expect(try play("cols 0 rows 0", environment: ["COLUMNS": value]) == .exited(0))
  }

  @Test(arguments: [
    ["--start", "9223372036854775807"], ["--start", "#9223372036854775807"], ["--start", "99999999999:59:59.999"],
    ["--start", "9223372036.854775807"], ["--cache", "0"], ["--cache", "1024G"], ["--cell-aspect", "0.1"],
    ["--cell-aspect", "1e308:1e308"], ["--threads", "256"],
  ])
  func extremeOptions(options: [String]) throws {
    let run = try CommandRun(["--exit-at-end", "--speed", "16"] + options + [PlayerClips.short()])
    #expect([.exited(0), .exited(64)].contains(run.status), "\(run.status as Any) \(run.errors)")
  }

  @Test(arguments: [
    ["frame", "--at", "#9223372036854775807", "-o", "/dev/null", "--format", "png"],
    ["frame", "--at", "9223372036854775807", "-o", "/dev/null", "--format", "png"], ["frames", "--stream", "9223372036854775807"],
    ["frames", "--order", "shuffle", "--seed", "18446744073709551615"],
    ["thumbnails", "--size", "9223372036854775807x1"], ["thumbnails", "--columns", "9223372036854775807"],
  ])
  func extremeArguments(arguments: [String]) throws {
    let run = try CommandRun(arguments + [PlayerClips.short()])
    guard case .exited = run.status else {
      Issue.record("\(arguments): \(run.status as Any)")
      return
    }
  }

  @Test func aSheetThatNobodyCouldHold() throws {
    let clip = try SampleMedia.clip(
      name: "large.mp4",
      arguments: ["-f", "lavfi", "-i", "testsrc2=size=3840x2160:rate=10:duration=1", "-c:v", "mpeg4", "-q:v", "3"])
    let run = try CommandRun(["thumbnails", clip, "--size", "3840x0", "--count", "60", "-o", "/dev/null", "--format", "png"])
    #expect(run.status == .exited(1) && run.errors.contains("more than 100 million pixels"), "\(run.errors)")
  }

  /// The part that is used is played in, and that is said.
  @Test(arguments: [(65535, 2000), (5000, 3000)]) func largeWindows(columns: Int, rows: Int) throws {
    #expect(try play("cols \(columns) rows \(rows)") == .exited(0))
  }

  /// Plays in a tty that says so of its size, whatever the emulator can show, until a key ends it.
  private func play(_ size: String, environment: [String: String] = [:]) throws -> TerminalHarness.ExitStatus? {
    let folder = try TemporaryFolder()
    let program = try #require(ProgramUnderTest.path)
    var options = TerminalProcess.Options()
    options.environment = environment.mapValues { $0 }
    options.environment["HOME"] = folder.path
    let script = "stty \(size); exec \"$0\" --colors mono \"$1\""
    let process = try TerminalProcess("sh", ["-c", script, program, PlayerClips.timeline()], options: options)
    #expect(process.run(timeout: PlayerRun.patience) { $0.isAlternateScreen })
    process.send("q")
    return process.runUntilExit(timeout: PlayerRun.patience)
  }

  @Test func tooFewDescriptorsAreSaid() throws {
    for limit in 8...14 {
      let run = try CommandRun(
        ["--exit-at-end", "--speed", "16", PlayerClips.short()],
        launcher: #"sh -c 'ulimit -n \#(limit); exec "$0" "$@"'"#)
      #expect(!run.errors.contains("no UTF-8 locale"), "\(limit): \(run.errors)")
      if run.status != .exited(0) { #expect(run.errors.localizedCaseInsensitiveContains("too many open files"), "\(limit): \(run.errors)") }
    }
  }

  @Test func damagedTerminfoIsSaid() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("x"), withIntermediateDirectories: true)
    let paths = ["/lib/terminfo", "/usr/share/terminfo", "/etc/terminfo"].map { $0 + "/x/xterm-256color" }
    let source = try #require(paths.first { FileManager.default.fileExists(atPath: $0) })
    let whole = try Data(contentsOf: URL(fileURLWithPath: source))
    var random = SeededGenerator(seed: 3)
    for round in 0..<12 {
      var bytes = whole
      for _ in 0..<(round * 4) {
        bytes[Int.random(in: 2..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try bytes.write(to: URL(fileURLWithPath: folder.path("x/xterm-256color")))
      let run = try CommandRun(
        ["--exit-at-end", "--speed", "16", PlayerClips.short()], environment: ["TERMINFO": folder.path])
      #expect([.exited(0), .exited(2)].contains(run.status), "\(run.errors)")
      if run.status == .exited(2) { #expect(run.errors.contains("x/xterm-256color is damaged") || run.errors.contains("ECMA-48")) }
      if round == 0 { #expect(run.status == .exited(0)) }
    }
  }

  @Test func oneFactHasOneSentence() throws {
    let sound = try SampleClip.audioOnly.path()
    for arguments in [["frames", sound], ["frame", sound, "--at", "0", "-o", "/dev/null", "--format", "png"]] {
      let run = try CommandRun(arguments)
      #expect(run.status == .exited(1) && run.errors.hasSuffix(": has no video, only sound (aac)\n"), "\(run.errors)")
    }
  }

  @Test func onlyWhatIsNearIsSuggested() throws {
    let far = try CommandRun(["--bogus", "a.mp4"])
    #expect(far.status == .exited(64) && far.errors.hasPrefix("Error: Unknown option '--bogus'.\n"), "\(far.errors)")
    for (typed, meant) in [("--colours", "--colors"), ("--spede", "--speed"), ("--lop", "--loop")] {
      #expect(try CommandRun([typed, "a.mp4"]).errors.contains("Did you mean '\(meant)'?"))
    }
  }
}
