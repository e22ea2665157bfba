import Foundation
import Glibc
import TerminalHarness

/// A start behind a real sshd, optionally within tmux there.
struct RemoteStart: LinkedStart {
  enum Multiplexer {
    case none
    case tmux(passesThrough: Bool)
  }

  let bench: Workbench
  let shell: SecureShell
  let proxy: SlowProxy
  let speed: LinkSpeed
  var compresses = false
  var multiplexer = Multiplexer.none
  /// True if the terminal supports synchronized updates.
  var isSynchronized = false

  var keyDelay: Double { speed.roundTrip / 2 }
  var rate: Double? { compresses || !passesQueries ? nil : speed.rate }
  var linkBytes: Int? { proxy.bytesPassed }
  var passesQueries: Bool {
    if case .none = multiplexer { true } else { false }
  }

  func start(_ arguments: [String]) throws -> TerminalProcess {
    let program = URL(fileURLWithPath: bench.program).standardizedFileURL.path
    var command = ["env", "LANG=C.UTF-8", "XDG_CONFIG_HOME=/nonexistent", program] + arguments
    if case .tmux(let passesThrough) = multiplexer {
      let settings = [
        "set -g status off", "set -g destroy-unattached on", "set -g default-terminal tmux-256color",
        "set -as terminal-features ',xterm*:RGB'",
        "set -g allow-passthrough \(passesThrough ? "on" : "off")",
      ]
      let file = try shell.scratchFile("tmux.conf", settings.joined(separator: "\n") + "\n")
      // A server of its own, which ends with its only session.
      let socket = "quadrille-bench-\(getpid())"
      command = ["env", "LANG=C.UTF-8", "tmux", "-u", "-L", socket, "-f", file, "new-session", "--"] + command
    }
    var options = bench.options
    // What the terminal that ssh runs in says for itself does not pass to the other side.
    options.environment["COLORTERM"] = .some(nil)
    options.knowsSynchronizedUpdates = isSynchronized
    return try TerminalProcess(
      "ssh", shell.arguments(proxy, compresses: compresses, hasTerminal: true, command), options: options)
  }
}
