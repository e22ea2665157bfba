/// Reads the text of a `StoryExpression` by recursive descent.
struct ExpressionParser {
  typealias Node = StoryExpression.Node
  typealias Failure = StoryExpression.Failure

  private let tokens: [ExpressionToken]
  private var position = 0
  private var depth = 0

  init(_ text: String) throws(Failure) { tokens = try ExpressionToken.tokens(of: text) }

  private var next: ExpressionToken? { position < tokens.count ? tokens[position] : nil }

  private mutating func take(_ sign: String) -> Bool {
    guard next == .sign(sign) || next == .name(sign) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ sign: String) throws(Failure) {
    guard take(sign) else { throw unexpected("\"\(sign)\"") }
  }

  private func unexpected(_ expected: String) -> Failure {
    if next == .sign("=") { return Failure(problem: "\"=\" assigns; use \"==\" to compare") }
    return Failure(problem: "expected \(expected), \(next.map { "found \($0.quoted)" } ?? "found the end")")
  }

  /// Parses the whole text as an expression.
  mutating func whole() throws(Failure) -> Node {
    let node = try disjunction()
    guard next == nil else { throw unexpected("the end") }
    return node
  }

  /// Parses the whole text as an assignment.
  mutating func assignment() throws(Failure) -> (String, StoryAssignment.Change, Node) {
    guard case .name(let name) = next, !StoryExpression.reserved.contains(name) else { throw unexpected("a variable") }
    position += 1
    guard case .sign(let sign) = next, let change = StoryAssignment.Change(rawValue: sign) else {
      throw Failure(problem: "expected \"=\", \"+=\" or \"-=\" after \"\(name)\"")
    }
    position += 1
    return (name, change, try whole())
  }

  private mutating func disjunction() throws(Failure) -> Node {
    var left = try conjunction()
    while take("or") { left = .binary(.or, left, try conjunction()) }
    return left
  }

  private mutating func conjunction() throws(Failure) -> Node {
    var left = try negation()
    while take("and") { left = .binary(.and, left, try negation()) }
    return left
  }

  private mutating func negation() throws(Failure) -> Node {
    guard take("not") else { return try comparison() }
    try descend()
    defer { depth -= 1 }
    return .not(try negation())
  }

  private mutating func comparison() throws(Failure) -> Node {
    let left = try sum()
    for comparison in [StoryExpression.Operator.equal, .unequal, .lessOrEqual, .greaterOrEqual, .less, .greater]
    where take(comparison.rawValue) { return .binary(comparison, left, try sum()) }
    return left
  }

  private mutating func sum() throws(Failure) -> Node {
    var left = try product()
    while true {
      if take("+") {
        left = .binary(.plus, left, try product())
      } else if take("-") {
        left = .binary(.minus, left, try product())
      } else {
        return left
      }
    }
  }

  private mutating func product() throws(Failure) -> Node {
    var left = try signed()
    while true {
      if take("*") {
        left = .binary(.times, left, try signed())
      } else if take("/") {
        left = .binary(.divided, left, try signed())
      } else {
        return left
      }
    }
  }

  private mutating func signed() throws(Failure) -> Node {
    guard take("-") else { return try primary() }
    try descend()
    defer { depth -= 1 }
    return .negative(try signed())
  }

  private mutating func primary() throws(Failure) -> Node {
    if take("(") {
      let node = try inner()
      try expect(")")
      return node
    }
    switch next {
    case .number(let number):
      position += 1
      return .literal(.number(number))
    case .text(let text):
      position += 1
      return .literal(.text(text))
    case .name(let name):
      position += 1
      return try named(name)
    case .sign, nil: throw unexpected("a value")
    }
  }

  private mutating func named(_ name: String) throws(Failure) -> Node {
    switch name {
    case "true", "false": return .literal(.flag(name == "true"))
    case "score": return .score
    case "chance":
      try expect("(")
      let node = try inner()
      try expect(")")
      return .chance(node)
    case "visited": return .visited(try word("a track name"))
    case "chosen": return next == .sign("(") ? .chosenLabel(try word("a choice label")) : .chosen
    case "and", "or", "not":
      position -= 1
      throw unexpected("a value")
    default: return .variable(name)
    }
  }

  /// Parses a name in parentheses, quoted or not.
  private mutating func word(_ what: String) throws(Failure) -> String {
    try expect("(")
    guard let token = next else { throw unexpected(what) }
    switch token {
    case .name(let name), .text(let name):
      position += 1
      try expect(")")
      return name
    case .number, .sign: throw unexpected("\(what), in quotes if it is more than one word")
    }
  }

  private mutating func inner() throws(Failure) -> Node {
    try descend()
    defer { depth -= 1 }
    return try disjunction()
  }

  private mutating func descend() throws(Failure) {
    depth += 1
    guard depth <= StoryExpression.deepest else { throw Failure(problem: "nested too deeply") }
  }
}
