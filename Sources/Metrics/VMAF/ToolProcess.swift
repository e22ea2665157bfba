import CVMAF
import FoundationEssentials
import Glibc

/// Owns a child process and its ends of the streams to it. Freed, it kills and reaps the process.
///
/// Used by one thread at a time.
final class ToolProcess {
  /// A stream between this process and its child.
  struct Stream {
    enum Direction {
      /// The child reads. A socket, because writing to one whose reader has ended raises no signal.
      case input
      /// The child writes.
      case output
    }

    let direction: Direction
    /// The child's descriptor, 1 to 9.
    let descriptor: Int32
  }

  /// Our ends of the streams. One is -1 once it was closed.
  private(set) var streams: [Int32] = []
  private let identifier: pid_t
  private var isReaped = false

  /// Starts a program with some streams. Standard ones that are not among them are `/dev/null`.
  init(_ program: String, _ arguments: [String], streams wanted: [Stream]) throws(VMAFError) {
    var own: [Int32] = [], others: [Int32] = []
    func closeAll(_ descriptors: [Int32]) { for descriptor in descriptors { close(descriptor) } }
    for stream in wanted {
      guard let (ours, theirs) = Self.pair(stream.direction) else {
        let code = errno
        closeAll(own + others)
        throw .unusable(program: program, reason: String(cString: strerror(code)))
      }
      own.append(ours)
      others.append(theirs)
    }
    // Closed in the child by themselves.
    defer { closeAll(others) }
    var child: pid_t = 0
    let code = Self.spawn(program, arguments, Array(zip(others, wanted.map(\.descriptor))), &child)
    guard code == 0 else {
      closeAll(own)
      throw .unusable(program: program, reason: String(cString: strerror(code)))
    }
    (streams, identifier) = (own, child)
  }

  deinit {
    for i in streams.indices { end(stream: i) }
    kill()
  }

  /// Closes a stream, which ends it for the child.
  func end(stream: Int) {
    guard streams[stream] >= 0 else { return }
    close(streams[stream])
    streams[stream] = -1
  }

  /// The status with which the process has ended, 0 being success; nil while it runs.
  func statusIfEnded() -> Int32? {
    guard !isReaped else { return nil }
    var status: Int32 = 0
    guard waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
    isReaped = true
    return status
  }

  /// Kills the process unless it has ended, and waits for its end.
  func kill() {
    guard !isReaped else { return }
    // It leads a group, in which its own children are.
    Glibc.kill(-identifier, SIGKILL)
    while waitpid(identifier, nil, 0) < 0 && errno == EINTR {}
    isReaped = true
  }

  /// Two ends of a stream, ours and the child's, which no other child inherits.
  private static func pair(_ direction: Stream.Direction) -> (ours: Int32, theirs: Int32)? {
    var ends: [Int32] = [-1, -1]
    switch direction {
    case .input:
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
      shutdown(ends[0], Int32(SHUT_RD))
    case .output:
      guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    }
    // Above all numbers that the child's descriptors get (1 to 9), so that none is overwritten before it is copied.
    let theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
    close(ends[1])
    guard theirs >= 0 else {
      close(ends[0])
      return nil
    }
    return (ends[0], theirs)
  }

  /// Everything between fork and exec is done by the C library.
  private static func spawn(
    _ program: String, _ arguments: [String], _ streams: [(ours: Int32, childs: Int32)], _ child: inout pid_t
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    for (own, childs) in streams { posix_spawn_file_actions_adddup2(&actions, own, childs) }
    posix_spawn_file_actions_addclosefrom_np(&actions, max(2, streams.map(\.childs).max() ?? 2) + 1)
    // Keys on the terminal are for this program alone.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    var argv = ([program] + arguments).map { strdup($0) } + [nil]
    var envp = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    return posix_spawn(&child, program, &actions, &attributes, &argv, &envp)
  }
}
