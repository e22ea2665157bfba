/// A token of an expression.
enum ExpressionToken: Hashable {
  case number(StoryNumber)
  case text(String)
  case name(String)
  case sign(String)

  /// The token as quoted in errors.
  var quoted: String {
    switch self {
    case .number(let number): "\"\(number)\""
    case .text(let text): "text \"\(text)\""
    case .name(let name), .sign(let name): "\"\(name)\""
    }
  }

  private static let signs = ["==", "!=", "<=", ">=", "+=", "-=", "<", ">", "=", "+", "-", "*", "/", "(", ")"]

  /// Splits text into tokens.
  static func tokens(of text: String) throws(StoryExpression.Failure) -> [ExpressionToken] {
    typealias Failure = StoryExpression.Failure
    guard text.utf8.count <= StoryExpression.longest else {
      throw Failure(problem: "longer than \(StoryExpression.longest) bytes")
    }
    var rest = text.unicodeScalars[...]
    var tokens: [ExpressionToken] = []
    while let scalar = rest.first {
      if scalar == " " || scalar == "\t" || scalar == "\n" {
        rest.removeFirst()
      } else if scalar == "\"" || scalar == "'" {
        tokens.append(.text(try quoted(&rest, by: scalar)))
      } else if isDigit(scalar) {
        let digits = rest.prefix { isDigit($0) || $0 == "." }
        guard let number = StoryNumber(Substring(digits)) else {
          throw Failure(
            problem:
              "\"\(Substring(digits))\" is not a number that fits in 64 bits with up to \(StoryNumber.maxDecimals) decimals")
        }
        rest = rest[digits.endIndex...]
        tokens.append(.number(number))
      } else if isLetter(scalar) {
        let name = rest.prefix { isLetter($0) || isDigit($0) }
        rest = rest[name.endIndex...]
        tokens.append(.name(String(name)))
      } else if let sign = signs.first(where: { rest.starts(with: $0.unicodeScalars) }) {
        rest = rest.dropFirst(sign.unicodeScalars.count)
        tokens.append(.sign(sign))
      } else {
        throw Failure(problem: "unexpected \"\(Character(scalar))\"")
      }
    }
    return tokens
  }

  private static func quoted(
    _ rest: inout Substring.UnicodeScalarView, by quote: Unicode.Scalar
  ) throws(StoryExpression.Failure) -> String {
    rest.removeFirst()
    guard let end = rest.firstIndex(of: quote) else {
      throw StoryExpression.Failure(problem: "unterminated string")
    }
    defer { rest = rest[rest.index(after: end)...] }
    return String(rest[..<end])
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar.properties.isAlphabetic }

  /// Returns true if a text can name a variable.
  static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, isLetter(first) else { return false }
    return text.unicodeScalars.allSatisfy { isLetter($0) || isDigit($0) }
  }
}
