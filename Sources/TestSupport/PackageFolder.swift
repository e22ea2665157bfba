import Foundation

/// Where the package's files are, and what is built beside the tests.
public enum PackageFolder {
  /// The folder of Package.swift, by the place of this file.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file; `path` begins at `root`.
  public static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The folder in which the running tests were built, with the package's programs.
  public static func products() throws -> URL {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: tests).deletingLastPathComponent()
  }
}
