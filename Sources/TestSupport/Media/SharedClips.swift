import Foundation

/// Real clips that a machine may have beside the package; tests that use them are skipped if they are missing.
///
/// The environment variable `QUADRILLE_CLIPS` names the folder; by default it is `../shared/clips` beside the package. Use it as `@Test(.enabled(if: SharedClips.has("real/flower.mp4"), SharedClips.missing))`.
public enum SharedClips {
  /// The reason for skipping a test.
  public static let missing: String = "the clip is not there; QUADRILLE_CLIPS names the folder of such clips"

  /// The folder, or nil if there is none.
  public static let folder: String? = {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["QUADRILLE_CLIPS"].flatMap { $0.isEmpty ? nil : $0 }
    let path = named ?? package.appendingPathComponent("../shared/clips").standardizedFileURL.path
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
      ? path : nil
  }()

  /// The path of a clip by its name in the folder, or nil if it is not there.
  public static func path(_ name: String) -> String? {
    guard let path = folder.map({ $0 + "/" + name }) else { return nil }
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Returns true if the clip is there.
  public static func has(_ name: String) -> Bool { path(name) != nil }
}
