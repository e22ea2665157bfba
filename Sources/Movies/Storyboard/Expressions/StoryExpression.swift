/// A condition or value in a storyboard: "lamps > 2 and not visited(cellar)".
///
/// Its length and depth are bounded, and so is the time for evaluating it.
public struct StoryExpression: Hashable, Sendable {
  /// The text as written.
  public let text: String
  let root: Node

  /// A node of the syntax tree.
  indirect enum Node: Hashable, Sendable {
    case literal(StoryValue)
    case variable(String)
    case visited(String)
    /// The number of the choice, or 0 for none.
    case chosen
    case chosenLabel(String)
    case score
    case chance(Node)
    case not(Node)
    case negative(Node)
    case binary(Operator, Node, Node)
  }

  enum Operator: String, Hashable, Sendable {
    case or, and
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
  }

  /// Reserved words, which cannot name variables.
  static let reserved: Set<String> = ["and", "or", "not", "true", "false", "chance", "visited", "chosen", "score"]
  /// The maximum length in bytes.
  static let longest = 500
  /// The maximum depth of parentheses, `not` and signs.
  static let deepest = 32

  /// An error in the syntax, names or types of an expression.
  public struct Failure: Error, Hashable {
    /// The problem, as the end of a sentence. May quote the text: any characters.
    public let problem: String
  }

  /// Reads an expression.
  ///
  /// - Throws: `Failure`.
  public init(_ text: String) throws(Failure) {
    var parser = try ExpressionParser(text)
    root = try parser.whole()
    self.text = text
  }
}

/// An assignment to a variable: "lamps += 1".
public struct StoryAssignment: Hashable, Sendable {
  /// The text as written.
  public let text: String
  /// The variable's name.
  public let variable: String
  /// Its line in the file.
  public let line: SourceLine
  let change: Change
  let value: StoryExpression

  enum Change: String, Hashable, Sendable {
    case set = "="
    case add = "+="
    case subtract = "-="
  }

  /// Reads an assignment.
  ///
  /// - Throws: `StoryExpression.Failure`.
  public init(_ text: String, line: SourceLine = SourceLine()) throws(StoryExpression.Failure) {
    var parser = try ExpressionParser(text)
    let (variable, change, root) = try parser.assignment()
    self.text = text
    self.variable = variable
    self.line = line
    self.change = change
    value = StoryExpression(text: text, root: root)
  }
}

extension StoryExpression {
  fileprivate init(text: String, root: Node) {
    self.text = text
    self.root = root
  }
}
