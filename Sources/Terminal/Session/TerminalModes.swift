/// The strings that set up and restore a terminal, from its terminfo entry.
///
/// A terminal gets only what its entry supports: private modes only if `isXtermLike`.
public struct TerminalModes: Equatable, Sendable {
  /// Alternate screen, autowrap off, cursor hidden, mouse, focus and bracketed paste on, screen cleared.
  public let enter: [UInt8]
  /// Undoes `enter` from any state, even in the middle of a control sequence.
  public var leave: [UInt8] { [0x18] + removal + restoration }
  /// Removes images; empty if there are none.
  private var removal: [UInt8] = []
  /// Undoes `enter` between control sequences, which CAN makes of the middle of one.
  private let restoration: [UInt8]

  public init(_ terminfo: TerminfoEntry, wantsMouse: Bool = true, wantsFocus: Bool = false) {
    let isXtermLike = terminfo.isXtermLike
    // Terminals wrap at different moments after the last column; without wrapping none scrolls.
    let canStopWrapping = terminfo.has("rmam") && terminfo.has("smam")
    var enter: [UInt8] = []
    var leave: [UInt8] = []
    if isXtermLike { enter += terminfo.string("smcup") }
    enter += terminfo.string("sgr0")
    if canStopWrapping { enter += terminfo.string("rmam") }
    enter += terminfo.string("civis")
    if isXtermLike {
      // 1002: presses, releases and drags; 1006: unlimited coordinates; 2004: marked pastes.
      if wantsMouse { enter += Self.escape("[?1002h") + Self.escape("[?1006h") }
      if wantsFocus { enter += Self.escape("[?1004h") }
      enter += Self.escape("[?2004h")
      // BDSM (ECMA-48): text is sent in visual order and must not be reordered.
      enter += Self.escape("[8l")
    }
    enter += terminfo.string("clear")

    if isXtermLike { leave += Self.escape("[?2026l") }
    leave += terminfo.string("sgr0") + Self.escape("[m")
    if isXtermLike {
      if wantsMouse { leave += Self.escape("[?1006l") + Self.escape("[?1003l") + Self.escape("[?1002l") }
      if wantsFocus { leave += Self.escape("[?1004l") }
      leave += Self.escape("[?2004l")
      leave += Self.escape("[8h")
    }
    if canStopWrapping { leave += terminfo.string("smam") }
    // Without an alternate screen, there is nothing to return to; an empty screen is the next best.
    if !isXtermLike { leave += terminfo.string("clear") }
    if isXtermLike { leave += terminfo.string("rmcup") }
    // Last, because some terminals restore the cursor's visibility with the other screen.
    leave += terminfo.string("cnorm")
    self.enter = enter
    restoration = leave
  }

  /// Removes images on leaving.
  mutating func setImageRemoval(_ bytes: [UInt8]?) {
    // Some terminals end the strings that carry images only with ST.
    removal = bytes.map { Self.escape("\\") + $0 } ?? []
  }

  /// Those of a program that draws in the line of the cursor, which stays when the program has ended.
  public init(lineOn terminfo: TerminfoEntry) {
    let canStopWrapping = terminfo.has("rmam") && terminfo.has("smam")
    enter = (canStopWrapping ? terminfo.string("rmam") : []) + terminfo.string("civis")
    restoration = Self.escape("[m") + (canStopWrapping ? terminfo.string("smam") : []) + terminfo.string("cnorm") + Array("\r\n".utf8)
  }

  /// Reports movements of the pointer without a button too, or only with one as after `enter`.
  public static func pointerTracking(_ isOn: Bool) -> [UInt8] {
    isOn ? escape("[?1003h") : escape("[?1003l") + escape("[?1002h")
  }

  private static func escape(_ rest: String) -> [UInt8] { [0x1B] + Array(rest.utf8) }
}
