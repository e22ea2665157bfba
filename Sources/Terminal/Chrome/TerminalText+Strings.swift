extension TerminalText: CustomStringConvertible {
  /// The text as a string.
  public var description: String {
    var result = String.UnicodeScalarView()
    for glyph in glyphs {
      result.append(glyph.scalar)
      result.append(contentsOf: glyph.marks)
      if glyph.endsJoining { result.append(Self.nonJoiner) }
    }
    return String(result)
  }
}

extension TerminalText: ExpressibleByStringInterpolation {
  public init(stringLiteral literal: String) { self.init(literal) }

  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }

  /// Sanitises each interpolated part.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = TerminalText()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { text += TerminalText(literal) }

    public mutating func appendInterpolation(_ part: TerminalText) { text += part }

    /// Accepts untrusted text, numbers and values with descriptions.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += TerminalText(value.description)
    }

    public mutating func appendInterpolation(describing error: any Error) {
      text += TerminalText(String(describing: error))
    }
  }
}

extension Sequence<TerminalText> {
  /// Joins texts with a separator.
  public func joined(separator: TerminalText = "") -> TerminalText {
    var result = TerminalText()
    for (index, text) in enumerated() {
      if index > 0 { result += separator }
      result += text
    }
    return result
  }
}

extension StringProtocol {
  /// The lines of the string, each sanitised.
  public var terminalLines: [TerminalText] {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { TerminalText($0) }
  }
}
