import CVTerm

/// A key of the emulated terminal's keyboard.
public enum TerminalKey: Hashable, Sendable {
  case character(Unicode.Scalar)
  case enter, tab, backspace, escape
  case up, down, left, right, insert, delete, home, end, pageUp, pageDown
  /// F1 to F12.
  case function(Int)

  var libvtermKey: VTermKey {
    switch self {
    case .character: VTERM_KEY_NONE
    case .enter: VTERM_KEY_ENTER
    case .tab: VTERM_KEY_TAB
    case .backspace: VTERM_KEY_BACKSPACE
    case .escape: VTERM_KEY_ESCAPE
    case .up: VTERM_KEY_UP
    case .down: VTERM_KEY_DOWN
    case .left: VTERM_KEY_LEFT
    case .right: VTERM_KEY_RIGHT
    case .insert: VTERM_KEY_INS
    case .delete: VTERM_KEY_DEL
    case .home: VTERM_KEY_HOME
    case .end: VTERM_KEY_END
    case .pageUp: VTERM_KEY_PAGEUP
    case .pageDown: VTERM_KEY_PAGEDOWN
    case .function(let number): VTermKey(VTERM_KEY_FUNCTION_0.rawValue + UInt32(number))
    }
  }
}

/// The modifier keys held down, as libvterm's bits.
public struct TerminalModifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let shift = TerminalModifiers(rawValue: 1)
  public static let alt = TerminalModifiers(rawValue: 2)
  public static let control = TerminalModifiers(rawValue: 4)
}

/// An action of a mouse at a cell. Buttons are 1 (left), 2 (middle) and 3 (right).
public enum TerminalMouseAction: Hashable, Sendable {
  case move
  case press(Int)
  case release(Int)
  case wheelUp, wheelDown
}
