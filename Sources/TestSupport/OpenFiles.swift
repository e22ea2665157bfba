import Foundation

/// The files that this process has open.
public enum OpenFiles {
  /// Returns how many times files are open whose paths begin with `prefix`.
  public static func count(beginningWith prefix: String) throws -> Int {
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let files = descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
    return files.count { $0.hasPrefix(prefix) }
  }
}
