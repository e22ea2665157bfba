/// The colours and glyphs of a progress bar.
///
/// With `ColorDepth.mono`, the parts differ only in their glyphs; with `GlyphSet.ascii`, the glyphs are ASCII.
public struct ProgressBarStyle: Equatable, Sendable {
  public var depth: ColorDepth
  public var glyphSet: GlyphSet
  public var played: CellColor
  public var cached: CellColor
  public var empty: CellColor
  public var mark: CellColor
  public var marker: CellColor

  public init(
    depth: ColorDepth, glyphSet: GlyphSet, played: CellColor, cached: CellColor, empty: CellColor,
    mark: CellColor, marker: CellColor
  ) {
    self.depth = depth
    self.glyphSet = glyphSet
    self.played = played
    self.cached = cached
    self.empty = empty
    self.mark = mark
    self.marker = marker
  }

  /// Returns the standard colours for a depth, stronger for the bar of the focused pane.
  public static func standard(
    depth: ColorDepth, glyphSet: GlyphSet, isFocused: Bool = true
  ) -> ProgressBarStyle {
    func style(
      _ played: CellColor, _ cached: CellColor, _ empty: CellColor, _ mark: CellColor, _ marker: CellColor
    ) -> ProgressBarStyle {
      ProgressBarStyle(
        depth: depth, glyphSet: glyphSet, played: played, cached: cached, empty: empty, mark: mark, marker: marker)
    }
    switch depth {
    case .trueColor:
      return style(
        isFocused ? .rgb(80, 170, 255) : .rgb(152, 168, 186), .rgb(92, 101, 114), .rgb(50, 55, 64),
        .rgb(235, 200, 90), .rgb(250, 140, 170))
    case .palette256:
      return style(.indexed(isFocused ? 75 : 109), .indexed(241), .indexed(237), .indexed(221), .indexed(211))
    case .ansi16:
      return style(.indexed(isFocused ? 12 : 6), .indexed(8), .indexed(0), .indexed(11), .indexed(13))
    case .ansi8:
      return style(.indexed(isFocused ? 6 : 7), .indexed(4), .indexed(0), .indexed(3), .indexed(5))
    case .mono:
      return style(.default, .default, .default, .default, .default)
    }
  }

  /// Returns a cell of which `eighths` (0–8) have been played.
  func cell(eighths: Int, isCached: Bool, isLoaded: Bool = false) -> Cell {
    if glyphSet == .ascii {
      if eighths == 8 { return Cell("=", foreground: played) }
      if eighths > 0 { return Cell(">", foreground: played) }
      return Cell(isCached ? "-" : isLoaded ? "_" : ".", foreground: isCached && depth != .mono ? cached : quiet)
    }
    if eighths > 0 {
      // U+2588 is the full block, U+258F one eighth.
      return Cell(
        glyph: 0x2590 - UInt32(eighths), foreground: played,
        background: eighths == 8 ? empty : ground(isCached))
    }
    if depth == .mono { return Cell(isCached ? "▒" : isLoaded ? "▁" : "░") }
    return isLoaded ? Cell("▁", foreground: played, background: ground(isCached)) : Cell(" ", background: ground(isCached))
  }

  /// Returns a cell with sound of a height, 0–1.
  func cell(level: Double, isPlayed: Bool) -> Cell {
    let eighths = level > 0 ? UInt32(min(max((level * 8).rounded(), 1), 8)) : 0
    // U+2581 is the lower eighth, U+2588 the full block.
    return Cell(glyph: eighths > 0 ? 0x2580 + eighths : 0x20, foreground: isPlayed ? played : unplayedSound, background: empty)
  }

  private var unplayedSound: CellColor {
    switch depth {
    case .trueColor: .rgb(140, 148, 160)
    case .palette256: .indexed(246)
    case .ansi16, .ansi8, .mono: .indexed(7)
    }
  }

  /// Draws a mark or an end of the loop over a cell's content.
  func draw(_ symbol: ProgressBar.Symbol, on cell: inout Cell, isPlayed: Bool, isCached: Bool) {
    let glyph: Unicode.Scalar =
      switch symbol {
      case .mark: glyphSet == .ascii ? "|" : "│"
      case .marker: glyphSet == .ascii ? "*" : "◆"
      case .event: glyphSet == .ascii ? "x" : "×"
      case .loopStart: "["
      case .loopEnd: "]"
      case .inPoint: "{"
      case .outPoint: "}"
      }
    cell = Cell(
      glyph, foreground: symbol == .marker || symbol == .event ? marker : mark,
      background: glyphSet == .ascii || depth == .mono
        ? .default
        : isPlayed ? played : ground(isCached),
      attributes: depth == .mono && glyphSet == .unicode && isPlayed ? .reverse : [])
  }

  private func ground(_ isCached: Bool) -> CellColor { isCached ? cached : empty }

  /// The colour of dots in the empty part: dim colours would vanish as foregrounds.
  private var quiet: CellColor { .default }
}
