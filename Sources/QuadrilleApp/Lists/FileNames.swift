/// File types by extension, and sorting of file names.
enum FileNames {
  /// Common extensions that libavformat can play: video and animations, and sound, which shows its cover or loudness.
  private static let endingsOfClips: Set<Substring> = [
    "264", "265", "3g2", "3gp", "amv", "apng", "asf", "av1", "avi", "divx", "dv", "evo", "f4v", "flv", "gif", "h261", "h263",
    "h264", "h265", "hevc", "ivf", "m1v", "m2t", "m2ts", "m2v", "m4v", "mj2", "mjpeg", "mjpg", "mk3d", "mkv", "mov", "mp4", "mpe",
    "mpeg", "mpg", "mpv", "mts", "mxf", "nut", "obu", "ogm", "ogv", "ogx", "qt", "rm", "rmvb", "trp", "ts", "vc1", "vob", "vro",
    "webm", "wmv", "wtv", "y4m",
    "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "au", "caf", "dff", "dsf", "dts", "eac3", "flac", "m4a", "m4b", "mka",
    "mp2", "mp3", "mpc", "oga", "ogg", "opus", "ra", "spx", "tak", "tta", "wav", "wma", "wv",
  ]

  /// Returns true if a name has the extension of a clip.
  static func isClip(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return endingsOfClips.contains(name[name.index(after: dot)...].lowercased()[...])
  }

  /// A sort key that ignores case and orders numbers by value: 2 comes before 10.
  static func naturalKey(_ name: String) -> String {
    var key = ""
    var rest = name.lowercased()[...]
    while let next = rest.first {
      let number = rest.prefix { $0.isASCII && $0.isNumber }
      guard !number.isEmpty else {
        key.append(next)
        rest.removeFirst()
        continue
      }
      let digits = number.drop { $0 == "0" }
      // More digits make a larger number; "!" sorts before digits.
      key += String(repeating: "9", count: digits.count) + "!" + digits
      rest = rest[number.endIndex...]
    }
    return key
  }

  /// Names in natural order; those that compare equal, by their bytes.
  static func sorted(_ names: [String]) -> [String] { sorted(names) { $0 } }

  /// Items in natural order of their names.
  static func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
    items.map { (key: naturalKey(name($0)), name: name($0), item: $0) }
      .sorted { a, b in a.key == b.key ? a.name.utf8.lexicographicallyPrecedes(b.name.utf8) : a.key < b.key }
      .map(\.item)
  }
}
