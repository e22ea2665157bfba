import Pixels

/// A way of sending images in pixels to a terminal.
public enum GraphicsProtocol: String, CaseIterable, Hashable, Sendable {
  /// kitty's graphics protocol: `APC G`.
  case kitty
  /// iTerm2's inline images: `OSC 1337 ; File`.
  case iterm
  /// Sixels: `DCS q`.
  case sixel
}

/// The images in pixels that a terminal displays, as far as it has told.
public struct TerminalGraphics: Equatable, Sendable {
  /// The source of pixels in kitty's protocol.
  public enum Medium: Hashable, Sendable {
    /// The escape sequence itself.
    case direct
    /// A temporary file, which the terminal removes.
    case file
    /// A POSIX shared memory object, which the terminal removes.
    case sharedMemory
  }

  /// Media of kitty's protocol that the terminal has read an object from; empty if it does not know the protocol.
  public var kittyMedia: Set<Medium> = []
  public var hasITerm = false
  public var hasSixel = false
  /// The size of a cell in pixels, as reported by the terminal itself.
  public var cell: PixelSize?
  /// The largest image in sixels; nil if not reported.
  public var maxSixel: PixelSize?

  public init() {}

  /// The protocols that the terminal knows, best first.
  public var protocols: [GraphicsProtocol] {
    GraphicsProtocol.allCases.filter {
      switch $0 {
      case .kitty: !kittyMedia.isEmpty
      case .iterm: hasITerm
      case .sixel: hasSixel
      }
    }
  }

  /// The fastest medium of kitty's protocol.
  var kittyMedium: Medium {
    kittyMedia.contains(.sharedMemory) ? .sharedMemory : kittyMedia.contains(.file) ? .file : .direct
  }

  /// Detects iTerm2's protocol by variables, which ssh does not transmit.
  static func hasITerm(_ environment: [String: String]) -> Bool {
    if let features = environment["TERM_FEATURES"] {
      // Each feature is a capital, then small letters and digits; F is for files.
      let letters = Array(features.unicodeScalars)
      for (n, letter) in letters.enumerated() where letter == "F" {
        guard n + 1 < letters.count else { return true }
        if !("a"..."z").contains(letters[n + 1]) { return true }
      }
    }
    return ["iTerm.app", "WezTerm", "mintty"].contains(environment["TERM_PROGRAM"] ?? "")
  }

  /// Plausible sides of a cell, in pixels.
  static let cellSides = 2...255
}
