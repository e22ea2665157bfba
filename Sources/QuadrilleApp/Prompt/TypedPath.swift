import Glibc
import Playback

/// Paths as people type them: names are taken literally, but for `~` at the beginning, which is the home folder.
enum TypedPath {
  /// The path that was meant.
  static func expanded(_ text: String, home: String?) -> String {
    guard let home, text == "~" || text.hasPrefix("~/") else { return text }
    return home + text.dropFirst()
  }

  /// The user's home folder, as the environment names it.
  static var home: String? {
    guard let name = getenv("HOME"), name.pointee != 0 else { return nil }
    return Asset.path(ofBytes: UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }
}
