import DecodePool
import Foundation
import Sound

/// A PulseAudio server of the test's own, with a sink that plays nowhere. Ends with its owner.
package final class PulseServer {
  /// The address for clients.
  package let address: String

  private let folder: String
  private let process: ServerProcess

  /// True if the server and its recorder are installed.
  package static let isInstalled = ["pulseaudio", "parec"].allSatisfy { ServerProcess.find($0) != nil }

  /// Starts a server, which may take a moment to answer.
  ///
  /// - Parameter folder: where its socket is; by default, a new folder.
  package init(in folder: String = NSTemporaryDirectory() + "/quadrille-\(UUID().uuidString)") throws {
    self.folder = folder
    address = "unix:\(folder)/socket"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    process = try ServerProcess(
      "pulseaudio",
      [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=true", "--realtime=no",
        "--high-priority=no", "--load=module-native-protocol-unix socket=\(folder)/socket auth-anonymous=1",
        "--load=module-null-sink sink_name=test rate=48000 channels=2 format=float32le",
      ], environment: Self.environment(folder))
  }

  deinit {
    process.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func environment(_ folder: String) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["PULSE_SERVER"] = nil
    for name in ["HOME", "XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH"] { environment[name] = folder }
    return environment
  }

  /// Records what the sink plays.
  package func record() throws -> PulseRecording {
    let options = ["--raw", "--format=float32le", "--rate=48000", "--channels=2", "--latency-msec=10"]
    return try PulseRecording(
      ["--server=\(address)", "--device=test.monitor"] + options, environment: Self.environment(folder))
  }
}

/// A recording that goes on. Ends with its owner.
package final class PulseRecording {
  private let process: ServerProcess
  private let state: Monitor<Recorded>

  /// The samples that have arrived.
  package struct Recorded {
    fileprivate var bytes: [UInt8] = []
    /// The number of samples by the moment at which they had arrived.
    package fileprivate(set) var arrivals: [(count: Int, host: Int64)] = []
    /// The first channel.
    package var left: [Float] {
      bytes.withUnsafeBytes { raw in
        let values = raw.bindMemory(to: Float.self)
        return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] }
      }
    }
  }

  fileprivate init(_ arguments: [String], environment: [String: String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw ServerProcess.Failure(code: errno) }
    let (input, output) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(output) }
    process = try ServerProcess("parec", arguments, environment: environment, output: output)
    let state = Monitor(Recorded())
    self.state = state
    // Ends with the process.
    try detachThread {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(input, &buffer, buffer.count)
        guard count > 0 else { break }
        let host = SoundEngine.monotonicNow()
        state.withLock {
          $0.bytes += buffer[..<count]
          $0.arrivals.append(($0.bytes.count / 8, host))
        }
      }
      close(input)
    }
  }

  package var recorded: Recorded { state.withLock { $0 } }

  package func stop() { process.stop() }
}
