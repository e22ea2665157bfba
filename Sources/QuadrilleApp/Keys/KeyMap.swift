import Terminal

/// The bindings of keys to commands.
public struct KeyMap: Sendable {
  public private(set) var bindings: [KeyStroke: Command]

  /// The default bindings, as mpv users know them, with alternatives for keys that some terminals cannot send.
  public static let standard = KeyMap(bindings: defaults)

  /// The command bound to a key; nil if there is none.
  public func command(for stroke: KeyStroke) -> Command? {
    guard let command = bindings[stroke], command != .nothing else { return nil }
    return command
  }

  /// Binds a key; `.nothing` removes its binding.
  public mutating func bind(_ stroke: KeyStroke, to command: Command) { bindings[stroke] = command }

  /// The display names of a command's keys, shortest first.
  public func keys(for command: Command) -> [String] {
    bindings.filter { $0.value == command }.map { Self.displayName($0.key) }
      .sorted { ($0.count, $0) < ($1.count, $1) }
  }

  static func displayName(_ stroke: KeyStroke) -> String {
    let arrows: [Key: (word: String, symbol: String)] = [
      .left: ("left", "←"), .right: ("right", "→"), .up: ("up", "↑"), .down: ("down", "↓"),
    ]
    let name = stroke.description
    guard let arrow = arrows[stroke.key] else { return name }
    return name.dropLast(arrow.word.count) + arrow.symbol
  }

  private static func stroke(_ name: String) -> KeyStroke {
    guard let stroke = KeyStroke(name) else { preconditionFailure("no key is called \(name)") }
    return stroke
  }

  private static let defaults: [KeyStroke: Command] = {
    var map: [KeyStroke: Command] = [:]
    let table: [(String, Command)] = [
      ("space", .playPause), ("p", .playPause),
      ("left", .seek(-5)), ("right", .seek(5)), ("up", .seek(60)), ("down", .seek(-60)),
      ("shift-left", .seek(-1)), ("shift-right", .seek(1)),
      ("<", .seek(-1)), (">", .seek(1)), ("alt-up", .seek(600)), ("alt-down", .seek(-600)),
      ("pageup", .chapter(1)), ("pagedown", .chapter(-1)), ("@", .chapter(1)), ("!", .chapter(-1)),
      (",", .step(-1)), (".", .step(1)),
      ("[", .speed(1 / 1.1)), ("]", .speed(1.1)), ("{", .speed(0.5)), ("}", .speed(2)),
      ("backspace", .normalSpeed), ("j", .shuttle(-1)), ("k", .shuttle(0)), ("l", .shuttle(1)),
      ("home", .start), ("end", .end), ("^", .start), ("$", .end),
      ("tab", .focusNext), ("shift-tab", .focusPrevious), ("n", .focusNext), ("N", .focusPrevious),
      ("a", .link), ("z", .zoom), ("g", .gravity), ("w", .wipe), ("d", .difference), ("f", .flicker), ("F", .flickerFaster), ("r", .reference),
      ("\\", .compareSwap), ("|", .compareNext), ("U", .compareList), ("E", .eventList), ("M", .metric), ("G", .syncPoint),
      ("\"", .vote), ("&", .reveal),
      ("alt-,", .nudge(-1)), ("alt-.", .nudge(1)), (";", .nudge(-1)), (":", .nudge(1)), ("alt-<", .nudge(-10)), ("alt->", .nudge(10)),
      ("'", .probe), ("H", .scope), ("D", .frameFacts),
      ("alt-s", .saveView), ("%", .saveView), ("Z", .magnify(1)), ("Y", .magnifyFit), ("y", .chrome), ("B", .cells), ("b", .loopPoint), ("L", .loop), ("=", .align),
      ("o", .open), ("c", .close), ("R", .reopen), ("t", .goTo), ("s", .save), ("i", .info), ("?", .help), ("h", .help),
      ("(", .clip(-1)), (")", .clip(1)), ("P", .clipList), ("S", .shuffle), ("C", .chapterList), ("T", .trackList),
      ("_", .video), ("#", .sound), ("m", .mute), ("-", .volume(-2)), ("+", .volume(2)), ("J", .soundDelay(-0.1)), ("K", .soundDelay(0.1)), ("v", .subtitles), ("/", .find), ("V", .hideSubtitles), ("x", .subtitleDelay(-0.1)), ("X", .subtitleDelay(0.1)),
      ("I", .markIn), ("O", .markOut), ("A", .addPiece), ("u", .undoPiece), ("*", .movie), ("W", .writeMovie),
      ("q", .quit), ("ctrl-c", .quit), ("ctrl-l", .redraw), ("ctrl-z", .suspend),
    ]
    for (name, command) in table { map[stroke(name)] = command }
    for digit in 0...9 { map[stroke("\(digit)")] = .position(percent: Double(10 * digit)) }
    for number in 1...PlayOptions.maxPanes {
      map[stroke("f\(number)")] = .focus(number)
      map[stroke("alt-\(number)")] = .focus(number)
    }
    return map
  }()
}
