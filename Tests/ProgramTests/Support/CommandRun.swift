import Foundation
import TerminalHarness
import TestSupport
import Testing

/// A run of the program whose output is read as text.
struct CommandRun {
  let status: TerminalHarness.ExitStatus?
  let output: String
  let errors: String

  /// Runs the program with its standard streams redirected.
  ///
  /// - Parameters:
  ///   - hasTerminal: whether the process has a controlling tty all the same.
  ///   - redirection: where standard output goes, as the shell writes it; else to `output`.
  ///   - patience: the time to wait for its end, in seconds.
  ///   - launcher: what stands before the program's name on the shell's line.
  init(
    _ arguments: [String], hasTerminal: Bool = true, environment: [String: String?] = [:],
    redirection: String = ">\"$OUT\"", launcher: String = "", patience: Double = PlayerRun.patience
  ) throws {
    let folder = try TemporaryFolder()
    let program = try #require(ProgramUnderTest.path, "the program has not been built")
    var options = TerminalProcess.Options()
    options.environment = [
      "HOME": folder.path, "XDG_CONFIG_HOME": nil, "OUT": folder.path("out"), "ERR": folder.path("err"),
    ]
    options.environment.merge(environment) { $1 }
    let script = "\(launcher) \(hasTerminal ? "" : "setsid -w ")\"$0\" \"$@\" </dev/null 2>\"$ERR\" \(redirection)"
    let process = try TerminalProcess("sh", ["-c", script, program] + arguments, options: options)
    status = process.runUntilExit(timeout: patience)
    output = (try? String(contentsOfFile: folder.path("out"), encoding: .utf8)) ?? ""
    errors = try String(contentsOfFile: folder.path("err"), encoding: .utf8)
  }
}
