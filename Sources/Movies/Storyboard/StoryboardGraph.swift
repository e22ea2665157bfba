/// A storyboard as a Graphviz graph: a box for each track, an arrow for each path.
public struct StoryboardGraph: Sendable {
  /// The text of the graph. Names are escaped; control characters, including those for text direction, become U+FFFD.
  public let text: String

  /// Draws a storyboard.
  public init(_ storyboard: Storyboard) {
    var lines = [
      "digraph storyboard {", "  label=\(Self.quoted(storyboard.title));", "  rankdir=LR;", "  node [shape=box];",
    ]
    for (scene, content) in storyboard.scenes.enumerated() {
      lines.append("  subgraph cluster_\(scene) {")
      lines.append("    label=\(Self.quoted(content.name));")
      for (track, value) in content.tracks.enumerated() {
        let id = Storyboard.TrackID(scene: scene, track: track)
        let kind = value.kind == .plain ? "" : "\n\(value.kind.rawValue)"
        lines.append("    \(Self.node(id)) [label=\(Self.quoted(value.name + kind))\(Self.look(value))];")
      }
      lines.append("  }")
    }
    if let first = storyboard.first {
      lines += ["  begin [shape=point];", "  begin -> \(Self.node(first));"]
    }
    var ends = false
    for id in storyboard.trackIDs {
      for way in storyboard.ways(from: id) {
        if way.destination == .end { ends = true }
        lines.append("  \(Self.node(id)) -> \(Self.node(way.destination))\(Self.arrow(way.reason, storyboard[id]));")
      }
    }
    if ends { lines.append("  end [shape=doublecircle, label=\"end\"];") }
    lines.append("}")
    text = lines.map { "\($0)\n" }.joined()
  }

  private static func node(_ id: Storyboard.TrackID) -> String { "t\(id.scene)_\(id.track)" }

  private static func node(_ destination: StoryboardDestination) -> String {
    switch destination {
    case .track(let id): node(id)
    case .end: "end"
    }
  }

  private static func look(_ track: StoryboardTrack) -> String {
    switch track.kind {
    case .winning: ", color=green"
    case .losing: ", color=red"
    case .intermediate: ", color=orange"
    case .plain, .prologue, .epilogue: ""
    }
  }

  private static func arrow(_ reason: Storyboard.Way.Reason, _ track: StoryboardTrack) -> String {
    switch reason {
    case .choice(let index):
      let choice = track.choices[index]
      let condition = choice.condition.map { "\nif \($0.text)" } ?? ""
      return " [label=\(quoted("\(index + 1) \(choice.label)\(condition)"))]"
    case .rule(let index): return " [label=\(quoted("if \(track.rules[index].condition.text)")), style=dashed]"
    case .otherwise: return " [label=\"otherwise\", style=dashed]"
    case .ending: return ""
    }
  }

  /// A Graphviz string literal. A backslash would start an escape there, even in a label.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": quoted += "\\n"
      case "\"", "\\": quoted += "\\\(scalar)"
      // Joins the parts of an emoji, or controls how letters join.
      case "\u{200C}", "\u{200D}": quoted.unicodeScalars.append(scalar)
      // Tags in flags of regions.
      case "\u{E0020}"..."\u{E007F}": quoted.unicodeScalars.append(scalar)
      case _ where scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format:
        quoted += "\u{FFFD}"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
