import Playback

extension TweeFile {
  /// Converts the story into a storyboard with one scene, a track for each passage and a choice for each link.
  ///
  /// By default, choices show from the start of a passage and are decided at its end; without a choice, the first link is
  /// followed. A passage without links ends the story. A passage without a clip becomes a placeholder, or is ignored if no link
  /// leads to it. Links to web addresses are left out.
  ///
  /// - Throws: `StoryboardFailure` with all problems.
  public func storyboardFile() throws(StoryboardFailure) -> StoryboardFile {
    var reader = StoryboardReader()
    let reached = reached
    var tracks: [StoryboardTrack] = []
    var left: [StoryboardProblem] = []
    let names = Set(passages.map(\.name))
    for passage in passages {
      let properties = Self.properties(passage)
      if reached.contains(passage.name) || properties["clip"] != nil || properties["movie"] != nil {
        var links: [TweePassage.Link] = []
        for link in passage.links {
          if names.contains(link.target) || !link.isAddress {
            links.append(link)
          } else {
            left.report(
              link.line,
              "passage \"\(passage.name.clipped)\": the link to \(link.target.clipped) is left out: it leads out of the story",
              .warning)
          }
        }
        tracks.append(Self.track(passage, links, properties, names, &reader))
      } else {
        left.report(
          passage.line, "passage \"\(passage.name.clipped)\" is ignored: it names no clip, and no link leads to it",
          .warning)
      }
    }
    let storyboard = Storyboard(
      title: title ?? "",
      scenes: [StoryboardScene(name: sceneName(tracks), tracks: tracks, begin: Self.trackName(start))])
    return try StoryboardFile(storyboard, problems + reader.problems + left, name: name)
  }

  /// The passages that can be reached from the first one.
  private var reached: Set<String> {
    let byName = Dictionary(passages.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var reached: Set = [start]
    var waiting = [start]
    while let passage = waiting.popLast().flatMap({ byName[$0] }) {
      for link in passage.links where reached.insert(link.target).inserted && byName[link.target] != nil {
        waiting.append(link.target)
      }
    }
    return reached
  }

  /// The name of the scene: the title, unless it is not valid.
  private func sceneName(_ tracks: [StoryboardTrack]) -> String {
    let names = Set(tracks.map(\.name))
    let wishes = [Self.trackName(title ?? ""), "story"] + (2...tracks.count + 2).map { "story \($0)" }
    return wishes.first { !$0.isEmpty && $0.unicodeScalars.count <= StoryboardLimits.name && !names.contains($0) }
      ?? "story"
  }

  /// The name of a passage as a valid track name.
  private static func trackName(_ passage: String) -> String {
    let name = String(passage.map { $0 == "/" ? "-" : $0 })
    return StoryboardTarget.words.contains(name) ? "passage \(name)" : name
  }

  private static let keys: Set = [
    "clip", "movie", "in", "out", "length", "start", "show", "hide", "decide", "otherwise", "then",
  ]

  /// A property of a passage's track, and its line.
  private struct Property {
    var text: String
    var line: Int

    var quoted: String { "\"\(text.clipped)\"" }
  }

  /// The properties of a passage's track: from the line naming a clip or movie and the "key: value" lines directly after it, else
  /// from the metadata.
  private static func properties(_ passage: TweePassage) -> [String: Property] {
    var properties: [String: Property] = [:]
    for key in keys {
      switch passage.metadata[key] {
      case .string(let text), .number(let text):
        properties[key] = Property(text: text, line: passage.line)
      default: break
      }
    }
    var isInside = false
    for (index, line) in passage.plainLines.enumerated() {
      let parts = line.split(separator: ":", maxSplits: 1)
      let key = parts.first.map { TweePassage.trimmed($0) } ?? ""
      guard parts.count == 2, keys.contains(key), isInside || key == "clip" || key == "movie" else {
        isInside = false
        continue
      }
      isInside = true
      let value = TweePassage.trimmed(parts[1])
      properties[key] = Property(text: value, line: passage.line + 1 + index)
    }
    return properties
  }

  /// - Parameters:
  ///   - links: its links within the story.
  ///   - names: the names of all passages.
  private static func track(
    _ passage: TweePassage, _ links: [TweePassage.Link], _ properties: [String: Property], _ names: Set<String>,
    _ reader: inout StoryboardReader
  ) -> StoryboardTrack {
    let what = "passage \"\(passage.name.clipped)\""
    func time(_ key: String, _ reader: inout StoryboardReader) -> MediaTime? {
      properties[key].flatMap { reader.time($0.text, $0.quoted, $0.line, "\(what): \(key)") }
    }
    // A name that is no passage's is kept, and reported as it was written.
    func track(_ name: String) -> StoryboardTarget { .named(names.contains(name) ? trackName(name) : name) }
    func target(_ key: String) -> StoryboardTarget? {
      (properties[key]?.text).map { StoryboardTarget.words.contains($0) ? StoryboardTarget($0) : track($0) }
    }
    var events: [StoryboardEvent] = []
    for kind in StoryboardEvent.Kind.keyed {
      guard let property = properties["\(kind)"] else { continue }
      let moment = reader.moment(property.text, property.quoted, property.line, "\(what): \(kind)")
      events += moment.map { [StoryboardEvent(kind, at: $0, line: SourceLine(property.line))] } ?? []
    }
    var choices: [StoryboardChoice] = []
    var known: Set<[String]> = []
    // The same link twice is one choice.
    for link in links where known.insert([link.label, link.target]).inserted {
      choices.append(StoryboardChoice(label: link.label, target: track(link.target), line: SourceLine(link.line)))
    }
    let source = ["movie", "clip"].lazy.compactMap { key in
      properties[key].flatMap { StoryboardTrack.Source(key: key, value: $0.text) }
    }.first ?? .missing(passage.name)
    let kind = passage.tags.lazy.compactMap { StoryboardTrack.Kind(rawValue: $0) }.first ?? .plain
    return StoryboardTrack(
      name: trackName(passage.name), kind: kind, source: source, inPoint: time("in", &reader),
      outPoint: time("out", &reader), length: time("length", &reader), events: events, choices: choices,
      otherwise: target("otherwise") ?? links.first.flatMap { names.contains($0.target) ? track($0.target) : nil },
      then: target("then") ?? (choices.isEmpty ? .end : nil),
      line: SourceLine(passage.line, keys: properties.mapValues(\.line)))
  }
}
