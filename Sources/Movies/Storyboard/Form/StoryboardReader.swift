import Playback
import YAML

/// Reads a storyboard from YAML and collects the problems found.
struct StoryboardReader {
  typealias Entry = (key: YAMLNode, value: YAMLNode)

  private(set) var problems: [StoryboardProblem] = []

  mutating func report(_ line: Int?, _ message: String) { problems.report(line, message, .error) }

  mutating func read(_ text: String) -> Storyboard? {
    guard let entries = entries(ofKind: StoryboardFile.kind, text) else { return nil }
    return storyboard(entries)
  }

  /// The entries after the first one, which gives the kind of the file.
  mutating func entries(ofKind kind: String, _ text: String) -> [Entry]? {
    guard text.utf8.count <= StoryboardLimits.bytes else {
      report(nil, "larger than \(StoryboardLimits.bytes) bytes")
      return nil
    }
    let root: YAMLNode?
    do {
      root = try YAMLNode.read(text)
    } catch {
      // `read` throws nothing else.
      let failure = error as? YAMLNode.Failure
      report(failure?.line, failure?.problem ?? "\(error)")
      return nil
    }
    guard case .mapping(let entries)? = root?.content, let first = entries.first, first.key.text == "quadrille" else {
      report(root?.line ?? 1, "expected \"quadrille: \(kind)\" as the first line")
      return nil
    }
    guard first.value.text == kind else {
      report(first.value.line, "quadrille: expected \"\(kind)\", not \"\(first.value.text ?? "?")\"")
      return nil
    }
    return Array(entries.dropFirst())
  }

  private mutating func storyboard(_ entries: [Entry]) -> Storyboard {
    var title = ""
    var begin: String?
    var seed: UInt64 = 1
    var variables: [StoryboardVariable] = []
    var scenes: [StoryboardScene] = []
    for (key, value) in entries {
      switch key.text {
      case "title": title = text(value, "title") ?? ""
      case "begin": begin = text(value, "begin")
      case "seed": seed = self.seed(value) ?? seed
      case "variables": variables = self.variables(value)
      case "scenes": scenes = list(value, "scenes").compactMap { scene($0) }
      default: unknown(key, "", ["title", "begin", "seed", "variables", "scenes"])
      }
    }
    return Storyboard(
      title: title, seed: seed, variables: variables, scenes: scenes, begin: begin, line: SourceLine(nil, keys: SourceLine.lines(of: entries)))
  }

  private mutating func variables(_ node: YAMLNode) -> [StoryboardVariable] {
    var variables: [StoryboardVariable] = []
    for (key, value) in mapping(node, "variables") {
      let name = text(key, "variables") ?? "?"
      guard case .scalar(let text, let isPlain) = value.content else {
        report(value.line, "variables: \"\(name.clipped)\": expected a number, true or false, or text")
        continue
      }
      let initial: StoryValue =
        if isPlain, let flag = YAMLNode.flag(text) {
          .flag(flag)
        } else if isPlain, let number = StoryNumber(text) {
          .number(number)
        } else {
          .text(text)
        }
      variables.append(StoryboardVariable(name: name, initial: initial, line: SourceLine(key.line)))
    }
    return variables
  }

  private mutating func scene(_ node: YAMLNode) -> StoryboardScene? {
    guard case .mapping(let entries) = node.content, let first = entries.first, first.key.text == "scene" else {
      report(node.line, "scenes: each must start with \"scene: NAME\"")
      return nil
    }
    let name = text(first.value, "scene") ?? ""
    var begin: String?
    var tracks: [StoryboardTrack] = []
    for (key, value) in entries.dropFirst() {
      switch key.text {
      case "begin": begin = text(value, "begin")
      case "tracks": tracks = list(value, "tracks").compactMap { track($0) }
      default: unknown(key, "scene \"\(name.clipped)\"", ["begin", "tracks"])
      }
    }
    return StoryboardScene(name: name, tracks: tracks, begin: begin, line: SourceLine(node))
  }
}

/// Conversion of YAML nodes.
extension StoryboardReader {
  func quoted(_ node: YAMLNode) -> String {
    switch node.content {
    case .scalar(let text, _): "\"\(text.clipped)\""
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }

  mutating func unknown(_ key: YAMLNode, _ what: String, _ known: [String]) {
    let place = what.isEmpty ? "" : "\(what): "
    report(key.line, "\(place)unknown key \(key.asKey); expected one of \(known.joined(separator: ", "))")
  }

  mutating func text(_ node: YAMLNode, _ what: String) -> String? {
    if let text = node.text, !node.isNull { return text }
    report(node.line, "\(what): expected text\(node.isNull ? "" : ", found \(quoted(node))")")
    return nil
  }

  mutating func seed(_ node: YAMLNode) -> UInt64? {
    if let number = node.text.flatMap({ UInt64($0) }) { return number }
    report(node.line, "seed: \(quoted(node)) is not a whole number (0 or higher)")
    return nil
  }

  mutating func list(_ node: YAMLNode, _ what: String) -> [YAMLNode] {
    if case .list(let items) = node.content { return items }
    if !node.isNull { report(node.line, "\(what): expected a list, with \"- \" before each item") }
    return []
  }

  mutating func mapping(_ node: YAMLNode, _ what: String) -> [Entry] {
    if case .mapping(let entries) = node.content { return entries }
    if !node.isNull { report(node.line, "\(what): expected \"name: value\" lines") }
    return []
  }

  /// One item, or the items of a list.
  func items(_ node: YAMLNode) -> [YAMLNode] {
    if case .list(let items) = node.content { items } else { [node] }
  }

  mutating func time(_ node: YAMLNode, _ what: String) -> MediaTime? {
    time(node.text, quoted(node), node.line, what)
  }

  mutating func time(_ text: String?, _ quoted: String, _ line: Int?, _ what: String) -> MediaTime? {
    if let time = text.flatMap({ MediaTime(storyText: $0) }) { return time }
    report(line, "\(what): \(quoted) is not a time such as 12.5, 0:12.5, 1:02:03 or 1001/30000")
    return nil
  }

  mutating func moment(_ node: YAMLNode, _ what: String) -> StoryboardEvent.Moment? {
    moment(node.text, quoted(node), node.line, what)
  }

  /// Reads a time in a track: from its start, or from its end if negative.
  mutating func moment(_ text: String?, _ quoted: String, _ line: Int?, _ what: String) -> StoryboardEvent.Moment? {
    if let text {
      if text == "end" { return .beforeEnd(.zero) }
      if text.hasPrefix("-"), let time = MediaTime(storyText: String(text.dropFirst())) { return .beforeEnd(time) }
      if let time = MediaTime(storyText: text) { return .afterStart(time) }
    }
    report(line, "\(what): \(quoted) is not a time such as 12.5, 0:12.5, -2 (before the end) or end")
    return nil
  }
}
