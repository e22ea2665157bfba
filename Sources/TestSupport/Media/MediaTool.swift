import Foundation
import Glibc

/// Runs the `ffmpeg` and `ffprobe` commands: they make the sample clips and are the reference to compare
/// with.
public enum MediaTool {
  /// A command that could not be started or ended with an error.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// Runs a command to its end and gives what it wrote to its standard output.
  ///
  /// Waits; throws `Failure` with the end of its error output when it ends with another status than 0, or when it has not
  /// ended after five minutes, which is long for the longest of them on a busy machine.
  @discardableResult
  public static func run(_ command: String, _ arguments: [String]) throws -> Data {
    guard let executable = find(command) else { throw Failure(description: "\(command) is not installed") }
    // Both outputs go to files: a pipe would need someone to empty it, and other programs could inherit it.
    let name = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)")
      .path
    let output = name + ".out"
    let errors = name + ".err"
    defer {
      unlink(output)
      unlink(errors)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_EXCL, 0o600)

    var argv = ([command] + arguments).map { strdup($0) } + [nil]
    var envp = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, executable, &actions, nil, &argv, &envp)
    guard code == 0 else { throw Failure(description: "\(command): \(String(cString: strerror(code)))") }
    guard let status = wait(for: child, seconds: 300) else {
      throw Failure(description: "\(command) \(arguments.joined(separator: " ")) has not ended for five minutes")
    }
    guard status == 0 else {
      let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      let line = "\(command) \(arguments.joined(separator: " "))"
      throw Failure(description: "\(text.suffix(1000))\nwait status \(status) of \(line)")
    }
    return try Data(contentsOf: URL(fileURLWithPath: output))
  }

  /// The values that ffprobe prints for `entries` (such as "frame=pts_time") of a stream, a line for each
  /// item.
  public static func probe(_ path: String, stream: String = "v:0", entries: String) throws -> [String] {
    let data = try run(
      "ffprobe",
      ["-v", "error", "-select_streams", stream, "-show_entries", entries, "-of", "csv=p=0", "file:" + path])
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map {
      // Some versions end a line with a comma when side data follows.
      $0.trimmingCharacters(in: CharacterSet(charactersIn: ", \r"))
    }
  }

  /// The hashes of frames as ffmpeg's framemd5 takes them, in the files' own pixel format where no other is asked for.
  ///
  /// - Parameter arguments: of `ffmpeg`, the inputs among them.
  public static func frameHashes(_ arguments: [String]) throws -> [String] {
    let data = try run(
      "ffmpeg", ["-v", "error", "-nostdin"] + arguments + ["-fps_mode", "passthrough", "-f", "framemd5", "-"])
    return String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last?.trimmingCharacters(in: .whitespaces) }
  }

  /// The status that a child ends with; nil where it has to be killed for not ending in time.
  private static func wait(for child: pid_t, seconds: Double) -> Int32? {
    let end = ContinuousClock.now + .seconds(seconds)
    // Short at first, so that a short command costs little more than it takes.
    var pause: useconds_t = 500
    while true {
      var status: Int32 = 0
      let ended = waitpid(child, &status, WNOHANG)
      if ended == child { return status }
      if ended < 0, errno != EINTR { return nil }
      guard ContinuousClock.now < end else { break }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
    kill(child, SIGKILL)
    while waitpid(child, nil, 0) < 0 && errno == EINTR {}
    return nil
  }

  private static func find(_ command: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").lazy
      .map { "\($0)/\(command)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
