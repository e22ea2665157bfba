import CellGraphics
import Terminal

/// Styles and signs of the chrome for one colour depth.
struct ChromeTheme {
  let depth: ColorDepth
  let glyphSet: GlyphSet
  let ground: ChromeStyle
  let title: ChromeStyle
  let focusedTitle: ChromeStyle
  let time: ChromeStyle
  let notice: ChromeStyle
  let error: ChromeStyle
  let panel: ChromeStyle
  let panelKey: ChromeStyle
  let panelHeading: ChromeStyle
  let status: ChromeStyle
  /// The input line, and the cell under its cursor.
  let input: ChromeStyle
  let cursor: ChromeStyle

  init(depth: ColorDepth, glyphSet: GlyphSet) {
    self.depth = depth
    self.glyphSet = glyphSet
    func style(
      _ rgb: (CellColor, CellColor), _ p256: (UInt8, UInt8), _ p16: (UInt8, UInt8), _ mono: CellAttributes,
      bold: Bool = false
    ) -> ChromeStyle {
      let attributes: CellAttributes = bold ? .bold : []
      switch depth {
      case .trueColor: return ChromeStyle(foreground: rgb.0, background: rgb.1, attributes: attributes)
      case .palette256:
        return ChromeStyle(foreground: .indexed(p256.0), background: .indexed(p256.1), attributes: attributes)
      case .ansi16:
        return ChromeStyle(foreground: .indexed(p16.0), background: .indexed(p16.1), attributes: attributes)
      case .ansi8:
        return ChromeStyle(foreground: .indexed(p16.0 & 7), background: .indexed(p16.1 & 7))
      case .mono: return ChromeStyle(attributes: mono)
      }
    }
    ground = style((.rgb(150, 156, 166), .rgb(0, 0, 0)), (247, 16), (7, 0), [])
    title = style((.rgb(168, 174, 184), .rgb(30, 33, 40)), (248, 235), (7, 0), [])
    focusedTitle = style((.rgb(255, 255, 255), .rgb(28, 74, 124)), (231, 24), (15, 4), .reverse, bold: true)
    time = style((.rgb(190, 196, 206), .rgb(20, 22, 27)), (250, 234), (7, 0), [])
    notice = style((.rgb(255, 226, 150), .rgb(46, 42, 26)), (222, 236), (11, 0), .bold)
    error = style((.rgb(255, 180, 170), .rgb(84, 22, 22)), (217, 52), (15, 1), .reverse)
    panel = style((.rgb(214, 219, 228), .rgb(24, 27, 34)), (253, 235), (7, 0), [])
    panelKey = style((.rgb(120, 190, 255), .rgb(24, 27, 34)), (117, 235), (14, 0), .bold)
    panelHeading = style((.rgb(235, 200, 90), .rgb(24, 27, 34)), (221, 235), (11, 0), .bold, bold: true)
    status = style((.rgb(160, 168, 180), .rgb(14, 15, 19)), (247, 233), (7, 0), [])
    input = style((.rgb(255, 255, 255), .rgb(28, 74, 124)), (231, 24), (15, 4), .underline)
    cursor = style((.rgb(14, 15, 19), .rgb(240, 220, 140)), (233, 222), (0, 11), .reverse)
  }

  /// The blitter for frames.
  var blitter: Blitter { .best(for: glyphSet) }

  /// The status line's foreground on another background.
  func status(on other: ChromeStyle) -> ChromeStyle {
    ChromeStyle(foreground: status.foreground, background: other.background, attributes: other.attributes)
  }

  /// The sign of a playback state, one column wide everywhere.
  func sign(_ state: PaneModel.State) -> TerminalText {
    let isASCII = glyphSet == .ascii
    switch state {
    case .playing: return isASCII ? ">" : "►"
    case .reversing: return isASCII ? "<" : "◄"
    case .paused: return isASCII ? "=" : "‖"
    case .waiting: return isASCII ? "~" : "…"
    case .ended: return isASCII ? "#" : "■"
    case .failed: return isASCII ? "!" : "✗"
    }
  }

  /// The sign for inexact values, one column wide everywhere.
  var aboutSign: String { glyphSet == .ascii ? "~" : "≈" }

  /// The prefix of a row. Without colours, the selected row needs its own sign.
  func pointer(_ isPointed: Bool) -> TerminalText { isPointed && depth <= .ansi8 ? ">" : " " }

  /// The prefix of a row that marks the current choice.
  func mark(_ isInForce: Bool) -> TerminalText { isInForce ? (glyphSet == .ascii ? "*" : "•") : " " }
}
