import Terminal

/// The way in which frames are shown, as far as it was chosen: a value.
struct FrameStyle {
  private(set) var cells: CellStyle
  private(set) var pixels: PixelStyle
  /// True if the terminal is on another machine.
  let isRemote: Bool
  /// The kind that was requested for this run and may not be available; nil if there is none.
  private let request: Request?

  private enum Request { case cells, pixels }

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
    // What was chosen earlier, and "auto" in the settings, is for terminals that have it.
    let isNamed = pixels != .off && pixels != .auto
    request = isNamed || options.pixels == .auto ? .pixels : options.cells != nil && cells != .auto ? .cells : nil
  }

  /// A message that frames are not shown as requested, with the reason; nil if they are.
  ///
  /// - Parameter hasPixels: True if the size of a cell in pixels is known.
  func objection(in terminal: TerminalCapabilities, hasPixels: Bool) -> TerminalText? {
    switch request {
    case .pixels:
      let obstacle = pixels.obstacle(in: terminal, isRemote: isRemote)
      let reason = obstacle ?? (hasPixels ? nil : "the size of a cell in pixels is not known")
      return reason.map { "frames are drawn with cells: \($0)" }
    case .cells: return cells.obstacle(in: terminal).map { "frames are drawn with \($0)" }
    case nil: return nil
    }
  }

  /// A message that there is no other way to show frames in a terminal, with the reason.
  static func onlyWay(in terminal: TerminalCapabilities) -> TerminalText {
    let reason: TerminalText? = CellStyle.need(in: terminal).map { "others need \($0)" }
    return "this terminal can show frames in one way only: \(reason ?? "its font may lack other shapes, and it displays no images")"
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
