import Foundation
import Glibc

/// A child process, killed with its owner.
package final class ServerProcess {
  private let id: pid_t
  private var isRunning = true

  package struct Failure: Error {
    let code: Int32
  }

  /// The path of an installed command.
  package static func find(_ command: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(command)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// - Parameter output: the descriptor that becomes its standard output; nil for none.
  package init(_ command: String, _ arguments: [String], environment: [String: String], output: Int32? = nil) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var argv = ([command] + arguments).map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, Self.find(command) ?? command, &actions, nil, &argv, &envp)
    guard code == 0 else { throw Failure(code: code) }
    id = child
  }

  deinit { stop() }

  /// Ends it as a crash would.
  package func stop() {
    guard isRunning else { return }
    isRunning = false
    kill(id, SIGKILL)
    while waitpid(id, nil, 0) < 0 && errno == EINTR {}
  }
}
