/// An event from the terminal.
public enum InputEvent: Equatable, Sendable {
  case key(Key, Modifiers)
  case mouse(MouseEvent)
  /// Pasted text, at most `InputParser.pasteCapacity` bytes; untrusted.
  case paste(String)
  /// A reply to a query of the program.
  case reply(TerminalReply)
  /// The terminal window gained or lost the keyboard focus.
  case focus(Bool)
}

extension InputEvent {
  /// The key and its modifiers as one value, for key events.
  public var keyStroke: KeyStroke? {
    if case .key(let key, let modifiers) = self { KeyStroke(key, modifiers) } else { nil }
  }
}

/// A press, release, drag or wheel event of the mouse.
public struct MouseEvent: Hashable, Sendable {
  /// The button of a mouse event; none for mere movement.
  public enum Button: Hashable, Sendable { case left, middle, right, none }

  /// The kind of mouse event.
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

/// A reply of the terminal to a query.
///
/// Source: ECMA-48 and Xterm Control Sequences (Dickey).
public enum TerminalReply: Hashable, Sendable {
  /// DSR 5: the terminal has processed everything up to the query.
  case operatingStatus
  /// The end of such a reply, whose start a multiplexer took for one of its keys (`InputParser.expectsTornStatus`).
  case tornOperatingStatus
  /// DSR 6: the cursor position, from 1.
  case cursorPosition(row: Int, column: Int)
  /// DA1: the primary attributes.
  case primaryAttributes([Int])
  /// DA2: kind and version.
  case secondaryAttributes([Int])
  /// DECRQM of a private mode.
  case privateMode(Int, ModeState)
  /// XTVERSION: the terminal's name and version.
  case version(String)
  /// DECRQSS for SGR: the current graphic parameters, including colours.
  case graphicRendition([Int])
  /// OSC 4: a palette entry, components 0–255.
  case paletteColor(Int, red: Int, green: Int, blue: Int)
  /// CSI 16 t: width and height of a cell, in pixels.
  case cellPixels(width: Int, height: Int)
  /// XTSMGRAPHICS: width and height of the largest image in sixels.
  case sixelGeometry(width: Int, height: Int)
  /// kitty's graphics protocol: the number of an image, and whether it was accepted.
  case image(Int, isAccepted: Bool)

  /// The state of a mode, as reported by the terminal.
  public enum ModeState: Int, Hashable, Sendable {
    case unknown = 0
    case set = 1
    case reset = 2
    case permanentlySet = 3
    case permanentlyReset = 4
  }
}
