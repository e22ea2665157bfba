import CVTerm
import Foundation
import Glibc

/// The way in which a program ended.
public enum ExitStatus: Hashable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)
}

/// Owns a child process, which is reaped when it ends, and killed when the owner is freed.
final class ChildProcess {
  let identifier: pid_t
  private(set) var status: ExitStatus?
  private(set) var isStopped = false
  /// User and system processor time and peak memory; known once the program has ended.
  private(set) var usage: (cpuSeconds: Double, peakMemoryBytes: Int)?

  /// Starts `executable` (looked up in PATH if it has no slash) as the leader of a session on the tty
  /// `path`.
  ///
  /// The C library's `posix_spawn` does everything between fork and exec, so no Swift code runs there: setsid, opening
  /// the tty, which makes it the controlling one, restoring default signals, and closing all descriptors above 2.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String], directory: String?,
    tty path: String
  ) throws {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      quadrille_posix_spawn_setsid | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)

    var argv = ([executable] + arguments).map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, executable, &actions, &attributes, &argv, &envp)
    guard code == 0 else { throw HarnessError("starting \(executable)", errno: code) }
    identifier = child
  }

  deinit {
    guard status == nil else { return }
    kill(-identifier, SIGKILL)
    kill(identifier, SIGKILL)
    while waitpid(identifier, nil, 0) < 0 && errno == EINTR {}
  }

  /// Updates the status of the child without waiting.
  func update() {
    guard status == nil else { return }
    var word: Int32 = 0
    var resources = rusage()
    while wait4(identifier, &word, WNOHANG | WUNTRACED | WCONTINUED, &resources) == identifier {
      let low = word & 0x7F
      if word == 0xFFFF {
        isStopped = false
      } else if word & 0xFF == 0x7F {
        isStopped = true
      } else {
        isStopped = false
        status = low == 0 ? .exited((word >> 8) & 0xFF) : .killed(signal: low)
        usage = (
          seconds(resources.ru_utime) + seconds(resources.ru_stime), Int(resources.ru_maxrss) * 1024
        )
        return
      }
    }
  }

  /// Sends a signal to the program. Returns false if it has ended.
  func signal(_ number: Int32) -> Bool { status == nil && kill(identifier, number) == 0 }

  /// True if a process of the program's group is still running. One that has ended but was not reaped does not count.
  var hasLivingProcesses: Bool {
    update()
    if status == nil { return true }
    guard kill(-identifier, 0) == 0 else { return false }
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { name in
      guard Int32(name) != nil, let stat = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
        // The command stands in parentheses and may hold any character; state, parent and group follow.
        let end = stat.lastIndex(of: ")")
      else { return false }
      let fields = stat[stat.index(after: end)...].split(separator: " ")
      return fields.count > 2 && fields[2] == "\(identifier)" && fields[0] != "Z" && fields[0] != "X"
    }
  }

  private func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
