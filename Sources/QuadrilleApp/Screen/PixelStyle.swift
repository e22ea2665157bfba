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
  func format(in terminal: TerminalCapabilities, isRemote: Bool) -> GraphicsProtocol? {
    guard obstacle(in: terminal, isRemote: isRemote) == nil else { return nil }
    return switch self {
    case .off: nil
    case .auto: terminal.graphics.protocols.first
    case .kitty: .kitty
    case .iterm: .iterm
    case .sixel: .sixel
    }
  }

  /// The reason for drawing frames with cells although pixels were chosen; nil if there is none.
  ///
  /// A protocol that was not detected is obeyed by name, except kitty's, by which the terminal would have replied, and in
  /// multiplexers, which do not pass on what they do not know.
  func obstacle(in terminal: TerminalCapabilities, isRemote: Bool) -> TerminalText? {
    if self == .off { return nil }
    // Chrome needs backgrounds to be readable over images.
    if let need = CellStyle.need(in: terminal) { return "pixels need \(need)" }
    let known = terminal.graphics.protocols
    switch self {
    case .off: return nil
    case .auto:
      if isRemote { return "--pixels auto is for terminals on this machine" }
      if let multiplexer = terminal.multiplexer { return "--pixels auto does not send images through \(multiplexer.rawValue)" }
      return known.isEmpty ? "this terminal displays no images" : nil
    case .kitty: return known.contains(.kitty) ? nil : Self.refusal("kitty's protocol", terminal)
    case .iterm: return terminal.multiplexer == nil || known.contains(.iterm) ? nil : Self.refusal("iTerm2's protocol", terminal)
    case .sixel: return terminal.multiplexer == nil || known.contains(.sixel) ? nil : Self.refusal("sixels", terminal)
    }
  }

  private static func refusal(_ name: TerminalText, _ terminal: TerminalCapabilities) -> TerminalText {
    "\(terminal.multiplexer.map(\.rawValue) ?? "this terminal") does not know \(name)"
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
