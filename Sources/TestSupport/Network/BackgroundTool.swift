import Foundation

/// A command that runs until it is stopped, or its owner goes.
public final class BackgroundTool {
  private let process = Process()

  /// Starts it.
  ///
  /// - Parameter command: by its name, or its path.
  public init(_ command: String, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { stop() }

  public func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
