import Playback
import Terminal

/// What panes are called: names by which people can tell them apart.
enum PaneTitles {
  /// What a pane's clip is known by.
  struct Clip: Hashable {
    var path: String
    /// As the file has it; not trusted text.
    var title: String?

    init(path: String, title: String? = nil) {
      self.path = path
      let text = title.map { TerminalText($0) } ?? ""
      self.title = text.isBlank ? nil : title
    }

    /// The parts of the path, the last one first.
    fileprivate var components: [Substring] {
      path.split(separator: "/").reversed().filter { $0 != "." }
    }
  }

  /// A name for each clip, in order: its title, else the name of its file.
  ///
  /// Clips of one name are called by as much of the end of their paths as tells them apart. What stands in two panes
  /// at once has one name in both.
  static func titles(of clips: [Clip]) -> [TerminalText] {
    let files = clips.map { fileName($0, components: 1) }
    let names = zip(clips, files).map { $0.title ?? $1 }
    return clips.indices.map { index in
      let rivals = clips.indices.filter { names[$0] == names[index] && clips[$0].path != clips[index].path }
      guard !rivals.isEmpty else { return TerminalText(names[index]) }
      return TerminalText(distinct(clips[index], from: rivals.map { clips[$0] }))
    }
  }

  /// The shortest end of a path that none of the others has.
  private static func distinct(_ clip: Clip, from others: [Clip]) -> String {
    let whole = max(1, clip.components.count)
    let names = (1...whole).lazy.map { count in (fileName(clip, components: count), count) }
    let found = names.first { name, count in
      // All of a relative path may be the end of a longer one.
      !others.contains { fileName($0, components: count == whole ? .max : count) == name }
    }
    return found?.0 ?? clip.path
  }

  private static func fileName(_ clip: Clip, components count: Int) -> String {
    let parts = clip.components.prefix(count)
    return parts.isEmpty ? clip.path : parts.reversed().joined(separator: "/")
  }
}
