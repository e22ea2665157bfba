import Foundation
import TerminalHarness
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
  ///   - wrapper: a command and its arguments that run the program.
  init(
    _ arguments: [String], hasTerminal: Bool = true, environment: [String: String?] = [:], wrapper: [String] = []
  ) throws {
    let folder = try TemporaryFolder()
    let program = try #require(ProgramUnderTest.path, "the program has not been built")
    var options = TerminalProcess.Options()
    options.environment = [
      "HOME": folder.path, "XDG_CONFIG_HOME": nil, "OUT": folder.path("out"), "ERR": folder.path("err"),
    ]
    options.environment.merge(environment) { $1 }
    let prefix = (hasTerminal ? "" : "setsid -w ") + wrapper.map { $0 + " " }.joined()
    let script = "\(prefix)\"$0\" \"$@\" </dev/null >\"$OUT\" 2>\"$ERR\""
    let process = try TerminalProcess("sh", ["-c", script, program] + arguments, options: options)
    status = process.runUntilExit(timeout: PlayerRun.patience)
    output = try String(contentsOfFile: folder.path("out"), encoding: .utf8)
    errors = try String(contentsOfFile: folder.path("err"), encoding: .utf8)
  }
}
