import FoundationEssentials
import Glibc
import Playback

/// Web pages that contain a video, whose address yt-dlp finds out. An address that it finds is fetched as if the user had named it.
public enum WebPages {
  /// The program that finds addresses, looked for in `PATH`.
  private static let program = "yt-dlp"
  /// The longest answer in bytes.
  private static let longestAnswer = 1 << 16

  /// Replaces the web pages among clips by the clips on them, at the same time for all pages; blocks until done.
  ///
  /// A page without a video becomes a clip with a problem. Clips that are not on the web stay.
  public static func resolve(_ lists: [ClipList]) -> [ClipList] {
    var pages: [[Search?]] = lists.map { $0.clips.map { WebAddress.isOnWeb($0.path) ? Search($0.path) : nil } }
    return zip(lists.indices, lists).map { i, list in
      let clips = zip(list.clips.indices, list.clips).map { j, clip in
        defer { pages[i][j] = nil }
        return pages[i][j]?.clip() ?? clip
      }
      return ClipList(clips, listedIn: list.files)
    }
  }

  /// A run of the program for one page. Owns the process.
  private final class Search {
    private let address: String
    /// Unnamed files: what the program prints, and its messages.
    private let output = tmpfile(), messages = tmpfile()
    private var process: pid_t = 0
    private var failure: String?

    init(_ address: String) {
      self.address = address
      failure = start()
    }

    deinit {
      if process > 0 { kill(process, SIGTERM) }
      wait()
      for file in [output, messages] { if let file { fclose(file) } }
    }

    /// Starts the program. Returns the reason if that fails.
    private func start() -> String? {
      guard let output, let messages else { return "cannot create a temporary file" }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, fileno(output), 1)
      posix_spawn_file_actions_adddup2(&actions, fileno(messages), 2)
      let arguments = [
        program, "--quiet", "--no-warnings", "--no-playlist", "--format", "b/bv*", "--print", "%(title)s", "--print", "%(url)s", "--", address,
      ]
      var argv = arguments.map { strdup($0) } + [nil]
      var envp = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer { (argv + envp).forEach { free($0) } }
      switch posix_spawnp(&process, program, &actions, nil, &argv, &envp) {
      case 0: return nil
      case ENOENT: return "\(program) is not installed"
      case let code: return "cannot start \(program): \(String(cString: strerror(code)))"
      }
    }

    /// Waits for the program's end. Returns true if it has succeeded.
    @discardableResult
    private func wait() -> Bool {
      guard process > 0 else { return false }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      process = 0
      return status == 0
    }

    /// The clip on the page, or one with a problem.
    func clip() -> ClipList.Clip {
      if failure == nil, !wait() {
        let reason = lines(of: messages).last ?? "it ended without a message"
        failure = "\(program): \(reason)"
      }
      if failure == nil {
        let answer = lines(of: output)
        if answer.count == 2, WebAddress.isOnWeb(answer[1]) { return ClipList.Clip(path: answer[1], title: answer[0]) }
        failure = "\(program) found no video that can be played"
      }
      return ClipList.Clip(path: address, problem: PlaybackError(.notFound, failure ?? ""))
    }

    private func lines(of file: UnsafeMutablePointer<FILE>?) -> [String] {
      guard let file else { return [] }
      rewind(file)
      let bytes = [UInt8](unsafeUninitializedCapacity: longestAnswer) { buffer, count in
        count = fread(buffer.baseAddress, 1, buffer.count, file)
      }
      return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
