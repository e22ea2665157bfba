/// A cell's colour: the terminal's default, a palette index, or 24-bit RGB.
///
/// Takes four bytes: the kind in the top byte, the index or 0xRRGGBB below.
public struct CellColor: Hashable, Sendable {
  /// The kind and value packed into one word; colours are equal if their words are.
  public let rawValue: UInt32

  @inlinable init(rawValue: UInt32) { self.rawValue = rawValue }

  @usableFromInline static let indexedKind: UInt32 = 1 << 24
  @usableFromInline static let rgbKind: UInt32 = 2 << 24

  /// The colour that the terminal uses by default; it differs for foreground and background.
  @inlinable public static var `default`: CellColor { CellColor(rawValue: 0) }

  /// Creates a 24-bit colour from full-range sRGB components.
  @inlinable public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> CellColor {
    CellColor(rawValue: rgbKind | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// Creates a palette colour: 0–7, bright 8–15, cube 16–231, greys 232–255.
  @inlinable public static func indexed(_ index: UInt8) -> CellColor {
    CellColor(rawValue: indexedKind | UInt32(index))
  }

  /// The kind of a colour, with its value.
  public enum Kind: Hashable, Sendable {
    case `default`
    case indexed(UInt8)
    case rgb(UInt8, UInt8, UInt8)
  }

  /// The kind and value of the colour, for use in a `switch`.
  public var kind: Kind {
    switch rawValue >> 24 {
    case 0: .default
    case 1: .indexed(UInt8(truncatingIfNeeded: rawValue))
    default:
      .rgb(
        UInt8(truncatingIfNeeded: rawValue >> 16), UInt8(truncatingIfNeeded: rawValue >> 8),
        UInt8(truncatingIfNeeded: rawValue))
    }
  }
}

extension CellColor: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .default: "default"
    case .indexed(let index): "indexed(\(index))"
    case .rgb(let r, let g, let b): "rgb(\(r), \(g), \(b))"
    }
  }
}
