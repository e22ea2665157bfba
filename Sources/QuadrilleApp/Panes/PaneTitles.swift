import Playback
import Terminal

/// Distinct names for panes.
enum PaneTitles {
  /// The sources of a clip's name.
  struct Clip: Hashable {
    var path: String
    /// The title in the file; untrusted text.
    var title: String?

    init(path: String, title: String? = nil) {
      self.path = path
      let text = title.map { TerminalText($0) } ?? ""
      // The server matters as much as the name.
      self.title = text.isBlank ? WebAddress.title(of: path) : title
    }

    /// The parts of the path, last one first.
    fileprivate var components: [Substring] {
      path.split(separator: "/").reversed().filter { $0 != "." }
    }
  }

  /// A name for each clip, in order: its title, otherwise its file name.
  ///
  /// Clips with the same name get as much of the end of their paths as distinguishes them. A clip in two panes has one name.
  static func titles(of clips: [Clip]) -> [TerminalText] {
    let files = clips.map { fileName($0, components: 1) }
    let names = zip(clips, files).map { $0.title ?? $1 }
    return clips.indices.map { index in
      let rivals = clips.indices.filter { names[$0] == names[index] && clips[$0].path != clips[index].path }
      guard !rivals.isEmpty else { return TerminalText(names[index]) }
      return TerminalText(distinct(clips[index], from: rivals.map { clips[$0] }))
    }
  }

  /// The shortest end of a path that no other path has.
  private static func distinct(_ clip: Clip, from others: [Clip]) -> String {
    let whole = max(1, clip.components.count)
    let names = (1...whole).lazy.map { count in (fileName(clip, components: count), count) }
    let found = names.first { name, count in
      // A relative path may be the end of a longer one.
      !others.contains { fileName($0, components: count == whole ? .max : count) == name }
    }
    return found?.0 ?? clip.path
  }

  private static func fileName(_ clip: Clip, components count: Int) -> String {
    let parts = clip.components.prefix(count)
    return parts.isEmpty ? clip.path : parts.reversed().joined(separator: "/")
  }
}
