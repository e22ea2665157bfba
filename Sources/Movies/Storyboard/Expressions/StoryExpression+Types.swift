/// The names known to an expression.
struct ExpressionScope {
  /// The kinds of the variables.
  var variables: [String: StoryValue.Kind]
  /// Returns true for the name of a track, as seen from here.
  var isTrack: (String) -> Bool
  /// The labels of the choices; nil if nothing can have been chosen yet.
  var labels: [String]?
}

extension StoryExpression {
  /// Checks names and types, and returns the kind of the result.
  func kind(in scope: ExpressionScope) throws(Failure) -> StoryValue.Kind { try Self.kind(of: root, scope) }

  private static func kind(of node: Node, _ scope: ExpressionScope) throws(Failure) -> StoryValue.Kind {
    switch node {
    case .literal(let value): return value.kind
    case .variable(let name):
      guard let kind = scope.variables[name] else { throw Failure(problem: "there is no variable \"\(name)\"") }
      return kind
    case .visited(let name):
      guard scope.isTrack(name) else { throw Failure(problem: "visited(): there is no track \"\(name)\"") }
      return .flag
    case .chosen, .chosenLabel:
      guard let labels = scope.labels else {
        throw Failure(problem: "\"chosen\" is only known at the decision point; use it in rules or \"do\"")
      }
      guard case .chosenLabel(let label) = node else { return .number }
      guard labels.contains(label) else { throw Failure(problem: "chosen(): there is no choice \"\(label)\" here") }
      return .flag
    case .score: return .number
    case .chance(let chance):
      try require(.number, chance, "chance()", scope)
      if case .literal(.number(let number)) = chance, !(StoryNumber(0)...StoryNumber(1)).contains(number) {
        throw Failure(problem: "chance() needs a number from 0 to 1")
      }
      return .flag
    case .not(let flag):
      try require(.flag, flag, "\"not\"", scope)
      return .flag
    case .negative(let number):
      try require(.number, number, "\"-\"", scope)
      return .number
    case .binary(let sign, let left, let right): return try kind(of: sign, left, right, scope)
    }
  }

  private static func kind(
    of sign: Operator, _ left: Node, _ right: Node, _ scope: ExpressionScope
  ) throws(Failure) -> StoryValue.Kind {
    switch sign {
    case .and, .or:
      try require(.flag, left, "\"\(sign.rawValue)\"", scope)
      try require(.flag, right, "\"\(sign.rawValue)\"", scope)
      return .flag
    case .equal, .unequal:
      let (a, b) = (try kind(of: left, scope), try kind(of: right, scope))
      guard a == b else { throw Failure(problem: "\"\(sign.rawValue)\" compares \(a.phrase) with \(b.phrase)") }
      return .flag
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      try require(.number, left, "\"\(sign.rawValue)\"", scope)
      try require(.number, right, "\"\(sign.rawValue)\"", scope)
      return .flag
    case .plus, .minus, .times, .divided:
      try require(.number, left, "\"\(sign.rawValue)\"", scope)
      try require(.number, right, "\"\(sign.rawValue)\"", scope)
      return .number
    }
  }

  private static func require(
    _ wanted: StoryValue.Kind, _ node: Node, _ user: String, _ scope: ExpressionScope
  ) throws(Failure) {
    let found = try kind(of: node, scope)
    guard found == wanted else { throw Failure(problem: "\(user) needs \(wanted.phrase), not \(found.phrase)") }
  }
}

extension StoryAssignment {
  /// Checks that the variable exists and can take the value.
  func check(in scope: ExpressionScope) throws(StoryExpression.Failure) {
    guard let wanted = scope.variables[variable] else {
      throw StoryExpression.Failure(problem: "there is no variable \"\(variable)\"")
    }
    if change != .set, wanted != .number {
      throw StoryExpression.Failure(
        problem: "\"\(change.rawValue)\" needs a number, but \"\(variable)\" is \(wanted.phrase)")
    }
    let found = try value.kind(in: scope)
    guard found == wanted else {
      throw StoryExpression.Failure(problem: "\"\(variable)\" is \(wanted.phrase), not \(found.phrase)")
    }
  }
}
