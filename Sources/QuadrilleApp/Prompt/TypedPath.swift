import Glibc
import Playback

/// Typed paths: names are literal, except for a leading `~`, the home folder.
enum TypedPath {
  /// The path meant.
  static func expanded(_ text: String, home: String?) -> String {
    guard let home, text == "~" || text.hasPrefix("~/") else { return text }
    return home + text.dropFirst()
  }

  /// The user's home folder, from the environment.
  static var home: String? {
    guard let name = getenv("HOME"), name.pointee != 0 else { return nil }
    return Asset.path(ofBytes: UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }
}
