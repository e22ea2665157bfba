import Terminal

/// Something that a key does; also what a settings file binds keys to.
public enum Command: Hashable, Sendable {
  case quit
  case playPause
  /// Seconds, relative.
  case seek(Double)
  /// Pictures, relative; pauses.
  case step(Int)
  /// Multiplies the rate.
  case speed(Double)
  case normalSpeed
  /// As editors know it: −1 plays backwards and 1 forwards, each time faster; 0 stops.
  case shuttle(Int)
  case start
  case end
  /// 0…1 of the whole.
  case fraction(Double)
  case focusNext
  case focusPrevious
  /// Number of a pane, from 1.
  case focus(Int)
  case link
  case zoom
  case gravity
  /// Shows titles, bars and the status row, or nothing but frames.
  case chrome
  case loopPoint
  case loop
  case align
  case open
  case close
  case goTo
  /// Saves the picture on display as a file.
  case save
  case info
  case help
  case redraw
  case suspend
  /// Bound to nothing: takes a default away.
  case nothing
}

extension Command {
  /// Whether clips are elsewhere afterwards than they would have been.
  var movesClips: Bool {
    switch self {
    case .playPause, .seek, .step, .speed, .normalSpeed, .shuttle, .start, .end, .fraction: true
    default: false
    }
  }
}

extension Command: CustomStringConvertible {
  /// The name in a settings file, which `init(_:)` reads back.
  public var description: String {
    switch self {
    case .quit: "quit"
    case .playPause: "pause"
    case .seek(let seconds): "seek \(Self.number(seconds))"
    case .step(let count): "step \(count)"
    case .speed(let factor): "speed \(Self.number(factor))"
    case .normalSpeed: "speed-reset"
    case .shuttle(let direction): "shuttle \(direction)"
    case .start: "start"
    case .end: "end"
    case .fraction(let fraction): "position \(Self.number(fraction * 100))"
    case .focusNext: "focus-next"
    case .focusPrevious: "focus-previous"
    case .focus(let number): "focus \(number)"
    case .link: "link"
    case .zoom: "zoom"
    case .gravity: "gravity"
    case .chrome: "chrome"
    case .loopPoint: "ab-loop"
    case .loop: "loop"
    case .align: "align"
    case .open: "open"
    case .close: "close"
    case .goTo: "goto"
    case .save: "save"
    case .info: "info"
    case .help: "help"
    case .redraw: "redraw"
    case .suspend: "suspend"
    case .nothing: "none"
    }
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
  }
}

extension Command: LosslessStringConvertible {
  /// Commands without a number.
  static let plain: [Command] = [
    .quit, .playPause, .normalSpeed, .start, .end, .focusNext, .focusPrevious, .link, .zoom, .gravity, .chrome,
    .loopPoint, .loop, .align, .open, .close, .goTo, .save, .info, .help, .redraw, .suspend, .nothing,
  ]

  /// Reads a name as written in a settings file: "seek -5", "pause".
  public init?(_ text: String) {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
    if words.count == 1, let command = Self.plain.first(where: { $0.description == words[0] }) {
      self = command
      return
    }
    guard words.count == 2, let value = Double(words[1]), value.isFinite else { return nil }
    switch words[0] {
    case "seek" where abs(value) <= 1e6: self = .seek(value)
    case "step":
      guard let count = Int(words[1]), count != 0, (-1000...1000).contains(count) else { return nil }
      self = .step(count)
    case "speed" where value > 0 && value <= 16: self = .speed(value)
    case "shuttle" where [-1, 0, 1].contains(value): self = .shuttle(Int(value))
    case "position" where (0...100).contains(value): self = .fraction(value / 100)
    case "focus":
      guard let number = Int(words[1]), (1...4).contains(number) else { return nil }
      self = .focus(number)
    default: return nil
    }
  }
}
