import Foundation
import Glibc
import TerminalHarness

/// A real sshd on the loopback with a configuration and keys of its own, in a scratch folder; it ends when it is let go.
final class SecureShell {
  private let folder: String
  private let server: TerminalProcess
  private let bench: Workbench
  private let port: UInt16
  /// A folder that sshd wants to be there when it is run by root, made for it.
  private var madeFolder: String?

  /// Where sshd is; nil when it is not installed.
  static var executable: String? {
    ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/usr/bin/sshd"].first { access($0, X_OK) == 0 }
  }

  init(_ bench: Workbench) throws {
    self.bench = bench
    guard let executable = Self.executable, bench.has("ssh"), bench.has("ssh-keygen") else {
      throw BenchError("sshd or ssh is not installed")
    }
    var template = Array((NSTemporaryDirectory() + "quadrille-bench-ssh-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchError("no scratch folder") }
    folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    port = try LoopbackAddress.freePort()
    for key in ["host", "user"] {
      _ = try bench.run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "\(folder)/\(key)"])
    }
    let isRoot = geteuid() == 0
    let configuration = """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(folder)/host
      AuthorizedKeysFile \(folder)/user.pub
      PidFile none
      StrictModes no
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      UsePAM \(isRoot ? "yes" : "no")
      PrintMotd no
      PrintLastLog no
      AllowTcpForwarding no
      """
    try configuration.write(toFile: "\(folder)/config", atomically: true, encoding: .utf8)
    if isRoot, mkdir("/run/sshd", 0o755) == 0 { madeFolder = "/run/sshd" }
    // When this program goes, however it ends, the terminal hangs up, and the shell ends the server.
    server = try TerminalProcess(
      "sh",
      ["-c", "trap : HUP; \"$@\" & read -r line; kill $!", "sh", executable] + [
        "-D", "-f", "\(folder)/config", "-E", "\(folder)/log",
      ], options: bench.options)
    let end = now() + 10
    while !answers() {
      guard server.exitStatus == nil, now() < end else {
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        throw BenchError("sshd does not start: \(log)")
      }
      server.live(0.02)
    }
  }

  deinit {
    server.send("\r")
    _ = server.runUntilExit(timeout: 5)
    try? FileManager.default.removeItem(atPath: folder)
    if let madeFolder { rmdir(madeFolder) }
  }

  private func answers() -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return LoopbackAddress(port: port).connect(descriptor)
  }

  /// Writes a file that lasts as long as the server, and returns its path.
  func scratchFile(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// A link to the server.
  func proxy(_ speed: LinkSpeed) throws -> SlowProxy { try SlowProxy(to: port, speed) }

  /// The arguments of `ssh` that run a command behind a proxy; nothing of the user's own configuration is read.
  func arguments(_ proxy: SlowProxy, compresses: Bool, hasTerminal: Bool, _ command: [String]) -> [String] {
    let options = [
      "UserKnownHostsFile=\(folder)/known", "StrictHostKeyChecking=no", "LogLevel=ERROR", "IdentitiesOnly=yes",
      "IdentityAgent=none", "BatchMode=yes", "ControlPath=none", "Compression=\(compresses ? "yes" : "no")",
    ]
    return ["-F", "/dev/null", hasTerminal ? "-tt" : "-T", "-p", "\(proxy.port)", "-i", "\(folder)/user"]
      + options.flatMap { ["-o", $0] } + ["127.0.0.1", command.map(Self.quoted).joined(separator: " ")]
  }

  /// Bytes a second that the link carries when ssh has as much to say as it can take, and those of them that arrive at
  /// the other end.
  func floor(_ speed: LinkSpeed) throws -> (link: Double, payload: Double) {
    let proxy = try proxy(speed)
    let count = Int((speed.rate ?? 1e7) * 6)
    let client = try TerminalProcess(
      "ssh", arguments(proxy, compresses: false, hasTerminal: false, ["head", "-c", "\(count)", "/dev/zero"]),
      options: bench.options)
    typealias Moment = (time: Double, link: Int, bytes: Int)
    var begin: Moment?
    var end: Moment?
    _ = client.run(
      timeout: Workbench.patience,
      while: {
        if client.bytesReceived > end?.bytes ?? 0 {
          end = (now(), proxy.bytesPassed, client.bytesReceived)
          begin = begin ?? end
        }
        return client.exitStatus == nil
      })
    guard let begin, let end, end.time - begin.time > 1 else {
      throw BenchError("ssh carries nothing:\n\(client.screen)")
    }
    let seconds = end.time - begin.time
    return (Double(end.link - begin.link) / seconds, Double(end.bytes - begin.bytes) / seconds)
  }

  private static func quoted(_ word: String) -> String {
    "'\(word.replacingOccurrences(of: "'", with: "'\\''"))'"
  }
}
