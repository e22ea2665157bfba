import Terminal

/// The way in which frames are shown, as far as it was chosen: a value.
struct FrameStyle {
  private(set) var cells: CellStyle
  private(set) var pixels: PixelStyle
  /// True if the terminal is on another machine.
  let isRemote: Bool

  /// - Parameter kept: The choice of an earlier run, which gives way to options of this one.
  init(_ options: PlayOptions.TerminalOptions, kept: CellStyleFile.Choice?, isRemote: Bool) {
    self.isRemote = isRemote
    cells = options.usualCells
    pixels = options.usualPixels
    switch kept {
    case .cells(let style): (cells, pixels) = (style, .off)
    case .pixels: pixels = .auto
    case nil: break
    }
    if let style = options.cells { (cells, pixels) = (style, .off) }
    if let style = options.pixels { pixels = style }
  }

  /// The protocol to send frames with; nil to draw them with cells.
  func format(in terminal: TerminalCapabilities) -> GraphicsProtocol? { pixels.format(in: terminal, isRemote: isRemote) }

  /// Goes on to the next way that the terminal is known to have: finer cells, then pixels, then half blocks.
  ///
  /// - Parameter hasPixels: True if the size of a cell in pixels is known.
  /// - Returns: A notice about it; nil if there is no other.
  mutating func advance(in terminal: TerminalCapabilities, hasPixels: Bool) -> TerminalText? {
    if hasPixels, format(in: terminal) != nil {
      (cells, pixels) = (.half, .off)
      return cells.words
    }
    let next = cells.next(in: terminal)
    let isFinest = next == nil || next == .half
    if isFinest, hasPixels, let best = terminal.graphics.protocols.first,
      PixelStyle(best).format(in: terminal, isRemote: isRemote) != nil
    {
      pixels = PixelStyle(best)
      return PixelStyle.words(best)
    }
    guard let next else { return nil }
    (cells, pixels) = (next, .off)
    return next.words
  }

  /// The choice as kept for later runs.
  var choice: CellStyleFile.Choice { pixels == .off ? .cells(cells) : .pixels }
}
