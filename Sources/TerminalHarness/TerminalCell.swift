import PlainText

/// The colour of a cell as requested by the program.
public enum TerminalColor: Hashable, Sendable {
  case `default`
  /// An entry of the terminal's palette: 0–15 are the user's, 16–255 the xterm cube and greys.
  case indexed(UInt8)
  case rgb(UInt8, UInt8, UInt8)
}

/// A displayed colour, in 8-bit sRGB.
public struct RGB: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The colour as six hexadecimal digits: "ff8000".
  public var hex: String { String(hexadecimal: [red, green, blue]) }
}

/// One cell of an emulated screen.
public struct TerminalCell: Hashable, Sendable {
  /// The glyph in the cell: " " if it is blank, "" in the right half of a wide glyph.
  public var glyph: String
  /// The first Unicode scalar of the glyph: 32 if it is blank, 0 in the right half of a wide glyph.
  public var code: UInt32
  /// The width of the glyph in columns: 1 or 2.
  public var width: Int
  public var foreground: TerminalColor
  public var background: TerminalColor
  public var isBold: Bool
  public var isItalic: Bool
  public var isReverse: Bool
  public var isBlinking: Bool
  public var isStruck: Bool
  /// The number of underlines: 0, 1, 2, or 3 for a curly one.
  public var underline: Int
}
