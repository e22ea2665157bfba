import Foundation
import Glibc
import TerminalHarness

/// A paused mpv without a screen, steered through its JSON IPC. It ends when it is let go.
final class MpvRemote {
  private let process: TerminalProcess
  private let descriptor: Int32
  private let path: String
  private var pending: [UInt8] = []

  /// Opens a clip and waits until its frame at `start` seconds stands.
  init(_ bench: Workbench, _ clip: String, start: Double) throws {
    path = NSTemporaryDirectory() + "quadrille-bench-mpv-\(getpid())"
    unlink(path)
    process = try TerminalProcess(
      "mpv",
      [
        "--no-config", "--no-terminal", "--vo=null", "--no-audio", "--pause", "--idle=no", "--keep-open=yes",
        "--start=\(start)", "--input-ipc-server=\(path)", clip,
      ],
      options: bench.options)
    let end = now() + Workbench.patience
    var connected: Int32 = -1
    while connected < 0, now() < end {
      process.live(0.02)
      connected = Self.connect(path)
    }
    descriptor = connected
    guard connected >= 0 else { throw BenchError("mpv's socket cannot be reached") }
    // Seeking to where it is ends with an event that tells that it is ready.
    try send(["seek", "\(start)", "absolute+exact"])
    try wait(forEvent: "playback-restart")
    process.live(0.5)
    pending = []
    while try readSome(timeout: 0.2) { pending = [] }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    unlink(path)
  }

  private static func connect(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return -1 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix(107)) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if status == 0 { return descriptor }
    close(descriptor)
    return -1
  }

  func send(_ command: [String], request: Int = 0) throws {
    let object: [String: Any] = ["command": command, "request_id": request]
    let bytes = [UInt8](try JSONSerialization.data(withJSONObject: object)) + [10]
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw BenchError("mpv takes no command")
    }
  }

  /// Waits for an event of this name; earlier ones are passed over.
  func wait(forEvent event: String) throws { _ = try message { $0["event"] as? String == event } }

  /// Where it is, in seconds.
  func timePosition() throws -> Double {
    try send(["get_property", "time-pos"], request: 7)
    guard let time = try message({ $0["request_id"] as? Int == 7 })["data"] as? Double else {
      throw BenchError("mpv does not tell its position")
    }
    return time
  }

  private func message(_ isWanted: ([String: Any]) -> Bool) throws -> [String: Any] {
    let end = now() + Workbench.patience
    while now() < end {
      while let line = pending.firstIndex(of: 10) {
        let data = Data(pending[..<line])
        pending.removeSubrange(...line)
        if let message = try JSONSerialization.jsonObject(with: data) as? [String: Any], isWanted(message) {
          return message
        }
      }
      _ = try readSome(timeout: 1)
    }
    throw BenchError("mpv does not answer")
  }

  /// Reads what is there, or what comes in time. Returns whether there was something.
  private func readSome(timeout: Double) throws -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(timeout * 1000)) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { throw BenchError("mpv has gone") }
    pending += buffer[..<count]
    return true
  }
}
