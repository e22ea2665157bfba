import Foundation

/// A folder that goes when its owner does.
public final class TemporaryFolder {
  /// Its path, without a slash at its end.
  public let path: String

  /// Makes it.
  public init() throws {
    path =
      FileManager.default.temporaryDirectory.appendingPathComponent("quadrille-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in it.
  public func path(_ name: String) -> String { path + "/" + name }
}
