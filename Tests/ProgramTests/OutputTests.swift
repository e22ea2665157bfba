import Glibc
import TerminalHarness
import TestSupport
import Testing

/// Output that cannot be printed is never taken for printed.
@Suite(.timeLimit(.minutes(10))) struct OutputTests {
  private static let commands: [[String]] = [
    ["frames"], ["info"], ["info", "--json"], ["thumbnails", "--colors", "mono"], ["--help"], ["-h"], ["help", "info"],
    ["--version"], ["info", "--help"], ["--generate-completion-script", "bash"],
    ["--generate-completion-script", "zsh"], ["--generate-completion-script", "fish"],
  ]

  private func arguments(_ command: [String]) throws -> [String] {
    command + (["frames", "info", "thumbnails"].contains(command[0]) && command.last != "--help" ? [try PlayerClips.short()] : [])
  }

  @Test(arguments: commands) func aFullDeviceIsSaid(command: [String]) throws {
    let run = try CommandRun(arguments(command), redirection: ">/dev/full")
    #expect(run.status == .exited(1))
    #expect(run.errors == "quadrille: cannot write output: No space left on device\n")
  }

  @Test(arguments: commands) func aClosedPipeEndsQuietly(command: [String]) throws {
    // The reader is gone before anything is written.
    let unread = #"perl -e 'pipe(R, W); close R; open(STDOUT, ">&", \*W); exec @ARGV'"#
    let run = try CommandRun(arguments(command), launcher: unread)
    #expect(run.status == .exited(128 + SIGPIPE))
    #expect(run.errors == "")
    let closed = try CommandRun(arguments(command), redirection: ">&-")
    #expect(closed.status == .exited(1) && closed.errors.contains("cannot write output"))
  }

  @Test(arguments: commands) func aFileThatMayNotGrowIsSaid(command: [String]) throws {
    let run = try CommandRun(arguments(command), redirection: ">\"$OUT\"", launcher: "ulimit -f 0;")
    #expect(run.status == .exited(1))
  }
}
