import CellGraphics
import Playback
import Terminal

/// The kind of cells that frames are drawn with.
public enum CellStyle: String, CaseIterable, Sendable {
  /// Two pixels in each cell, one above the other.
  case half
  /// The finest cells that the terminal is known to have.
  case auto
  /// Halves, quadrants and eighths.
  case blocks
  /// Blocks, and two by three parts.
  case sextants
  /// Blocks, and two by four parts.
  case octants
  /// Everything that cells can be divided into.
  case all

  /// The shapes to fit frames to in a terminal; nil for half blocks.
  ///
  /// A style chosen by name is drawn even in a terminal that is not known to support it.
  func shapes(in terminal: TerminalCapabilities) -> CellShapes? {
    guard Self.need(in: terminal) == nil else { return nil }
    switch self {
    case .half: return nil
    case .auto: return terminal.cellShapes
    case .blocks: return .blocks
    case .sextants: return .sextants
    case .octants: return .octants
    case .all: return .all
    }
  }

  /// The thing that a terminal lacks for anything but half blocks; nil if it lacks nothing.
  static func need(in terminal: TerminalCapabilities) -> TerminalText? {
    if terminal.glyphSet != .unicode { return "a UTF-8 locale" }
    // With 16 colours, mixtures of them show more than shapes do.
    return terminal.colorDepth < .palette256 ? "256 colours or more" : nil
  }

  /// The reason for drawing other cells than these; nil if they are drawn.
  func obstacle(in terminal: TerminalCapabilities) -> TerminalText? {
    guard self != .half, let need = Self.need(in: terminal) else { return nil }
    return "\(terminal.glyphSet == .unicode ? "half blocks" : "characters"): other cells need \(need)"
  }

  /// The style after this one among those that the terminal is known to have; nil if there is only one.
  func next(in terminal: TerminalCapabilities) -> CellStyle? {
    guard CellStyle.blocks.shapes(in: terminal) != nil, let most = terminal.cellShapes else { return nil }
    let known = [CellStyle.half] + [.blocks, .sextants, .octants, .all].filter { style in
      style.shapes(in: terminal).map(most.isSuperset) == true
    }
    let shown = known.firstIndex { $0.shapes(in: terminal) == shapes(in: terminal) }
    return known[((shown ?? -1) + 1) % known.count]
  }

  /// A notice that it is shown.
  var words: TerminalText {
    switch self {
    case .half: "half blocks: two pixels in each cell"
    case .auto: "the finest cells of this terminal"
    case .blocks: "blocks: halves, quadrants and eighths of a cell"
    case .sextants: "sextants: two by three parts, and blocks"
    case .octants: "octants: two by four parts, and blocks"
    case .all: "all shapes: octants, sextants and blocks"
    }
  }
}
