import Playback
import Terminal

/// The line of a player of sound alone: its state, time, bar and title, or a message.
struct LineText {
  private let workspace: Workspace
  private let theme: ChromeTheme

  private static let barColumns = 20

  init(_ workspace: Workspace, _ theme: ChromeTheme) { (self.workspace, self.theme) = (workspace, theme) }

  /// The text, at most `columns` wide.
  func text(columns: Int) -> TerminalText {
    if let prompt = workspace.prompts.prompt {
      let label = prompt.objection.map { $0 + " " } ?? prompt.labels.last ?? ""
      return (label + TerminalText(prompt.text)).truncated(to: max(0, columns))
    }
    guard let pane = workspace.panes.focused else { return "" }
    let model = workspace.model(of: pane, withFigures: false)
    let text = PaneText(pane: model, theme: theme)
    var parts = [text.sign + " " + place(model)]
    let message = workspace.screen.message?.text ?? pane.notice?.text
    if columns >= 60, let bar = bar(model) {
      parts.append(bar)
      // It gives way to a message where there is no room for both.
      if let message, line(parts + [message], .max).columns > columns { parts.removeLast() }
    }
    if let message {
      // The title gives way to it where there is no room for both.
      let room = columns - parts.joined(separator: "  ").columns - message.columns - 4
      if room >= model.clip.heading.columns { parts.append(model.clip.heading) }
      return line(parts + [message], columns)
    }
    parts.append(model.clip.heading)
    let marks = text.marks(columns: columns / 3)
    if !marks.isEmpty { parts.append(marks) }
    return line(parts, columns)
  }

  /// The most important keys, with what they do.
  static func keys(_ map: KeyMap) -> TerminalText {
    let entries: [(TerminalText, [Command])] = [
      ("pause", [.playPause]), ("5 s", [.seek(-5), .seek(5)]), ("clip", [.clip(-1), .clip(1)]), ("time", [.goTo]),
      ("mute", [.mute]), ("volume", [.volume(-2), .volume(2)]), ("quit", [.quit]),
    ]
    return entries.compactMap { meaning, commands in
      let keys = commands.compactMap { map.keys(for: $0).first.map { TerminalText($0) } }
      return keys.count == commands.count ? (keys + [meaning]).joined(separator: " ") : nil
    }.joined(separator: "  ")
  }

  private func line(_ parts: [TerminalText], _ columns: Int) -> TerminalText {
    parts.joined(separator: "  ").visualInLine.truncated(to: max(0, columns))
  }

  private func place(_ model: PaneModel) -> TerminalText {
    // A still clock needs no fractions here.
    let seconds = MediaTime(seconds: model.time.seconds.rounded(.down), preferredTimescale: 1)
    return "\(seconds.clockText())/\(model.clip.length.clockText())"
  }

  /// The bar; nil while the length is unknown.
  private func bar(_ model: PaneModel) -> TerminalText? {
    guard model.clip.length.isNumeric, model.clip.length > .zero else { return nil }
    let fraction = min(max(model.time.seconds / model.clip.length.seconds, 0), 1)
    let count = Int((fraction * Double(Self.barColumns)).rounded(.down))
    let (full, empty) = theme.glyphSet == .ascii ? ("=", "-") : ("━", "─")
    return TerminalText(String(repeating: full, count: count) + String(repeating: empty, count: Self.barColumns - count))
  }
}
