import CellGraphics
import Terminal

/// The choice of frames in pixels, where the terminal displays images.
public enum PixelStyle: String, CaseIterable, Sendable {
  /// Frames are drawn with cells.
  case off
  /// In pixels, except through a remote link.
  case auto
  case kitty, iterm, sixel

  /// The protocol to send frames with; nil to draw them with cells.
  ///
  /// A protocol that was not detected is obeyed by name, except kitty's, by which the terminal would have replied.
  func format(in terminal: TerminalCapabilities, isRemote: Bool) -> GraphicsProtocol? {
    // Chrome needs backgrounds to be readable over images.
    guard terminal.glyphSet == .unicode, terminal.colorDepth >= .palette256 else { return nil }
    let known = terminal.graphics.protocols
    switch self {
    case .off: return nil
    case .auto: return isRemote || terminal.multiplexer != nil ? nil : known.first
    case .kitty: return known.contains(.kitty) ? .kitty : nil
    case .iterm: return .iterm
    case .sixel: return .sixel
    }
  }

  /// The style that sends frames with a protocol.
  init(_ format: GraphicsProtocol) {
    switch format {
    case .kitty: self = .kitty
    case .iterm: self = .iterm
    case .sixel: self = .sixel
    }
  }

  /// A notice that frames are in pixels.
  static func words(_ format: GraphicsProtocol) -> TerminalText {
    switch format {
    case .kitty: "pixels, by kitty's protocol"
    case .iterm: "pixels, by iTerm2's protocol"
    case .sixel: "pixels, as sixels of 252 colours"
    }
  }
}
