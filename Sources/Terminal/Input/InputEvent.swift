/// Something that came from the terminal.
public enum InputEvent: Equatable, Sendable {
  case key(Key, Modifiers)
  case mouse(MouseEvent)
  /// Pasted text, at most `InputParser.pasteCapacity` bytes of it; as untrusted as a file's.
  case paste(String)
  /// The terminal answered a query of the program.
  case reply(TerminalReply)
  /// The terminal's window got or lost the keyboard.
  case focus(Bool)
}

extension InputEvent {
  /// The key and its modifiers as one value, when it is one.
  public var keyStroke: KeyStroke? {
    if case .key(let key, let modifiers) = self { KeyStroke(key, modifiers) } else { nil }
  }
}

/// A press, release, drag or turn of the mouse.
public struct MouseEvent: Hashable, Sendable {
  /// The button that a mouse event is about; none where it only moved.
  public enum Button: Hashable, Sendable { case left, middle, right, none }

  /// What the mouse did.
  public enum Kind: Hashable, Sendable {
    case press(Button)
    case release(Button)
    /// Moved with the button held.
    case drag(Button)
    /// Moved with no button held.
    case move
    case wheelUp, wheelDown, wheelLeft, wheelRight
  }

  public var kind: Kind
  /// The cell, from 0 at the top left.
  public var column: Int
  public var row: Int
  public var modifiers: Modifiers

  public init(_ kind: Kind, column: Int, row: Int, modifiers: Modifiers = []) {
    self.kind = kind
    self.column = column
    self.row = row
    self.modifiers = modifiers
  }
}

/// The terminal's answer to a query.
///
/// Source: ECMA-48 and Xterm Control Sequences (Dickey).
public enum TerminalReply: Hashable, Sendable {
  /// DSR 5: the terminal has taken everything up to the query.
  case operatingStatus
  /// The end of such an answer, whose beginning a multiplexer took for a key to itself (`InputParser.expectsTornStatus`).
  case tornOperatingStatus
  /// DSR 6: the cursor's place, from 1.
  case cursorPosition(row: Int, column: Int)
  /// DA1: what the terminal is.
  case primaryAttributes([Int])
  /// DA2: its kind and version.
  case secondaryAttributes([Int])
  /// DECRQM of a private mode.
  case privateMode(Int, ModeState)
  /// XTVERSION: the terminal's name and version.
  case version(String)
  /// DECRQSS for SGR: the parameters of what the terminal draws with, those of colours among them.
  case graphicRendition([Int])
  /// OSC 4: an entry of the palette, its components 0–255 each.
  case paletteColor(Int, red: Int, green: Int, blue: Int)

  /// What a terminal says of a mode.
  public enum ModeState: Int, Hashable, Sendable {
    case unknown = 0
    case set = 1
    case reset = 2
    case permanentlySet = 3
    case permanentlyReset = 4
  }
}
