import Playback

/// The values for evaluating an expression.
struct ExpressionValues {
  /// The variables.
  var variables: [String: StoryValue]
  /// Returns true if a track has been played.
  var isVisited: (String) -> Bool
  /// The number and label of the choice; nil for none.
  var chosen: (number: Int, label: String)?
  var score: StoryNumber
  /// The random generator; nil to leave `chance()` unknown.
  var chances: StoryChances?
}

/// A random generator that repeats its numbers with the same seed.
struct StoryChances: Hashable, Sendable {
  var seed: UInt64
  /// The number of draws so far.
  var drawn: UInt64 = 0

  /// Returns true with the exact probability `chance`.
  mutating func draw(_ chance: StoryNumber) -> Bool {
    // The generator's state advances by the same step for each number.
    var generator = SplitMix64(seed: seed &+ drawn &* 0x9E37_79B9_7F4A_7C15)
    drawn += 1
    guard chance.numerator > 0 else { return false }
    let random = generator.next().multipliedFullWidth(by: chance.denominator.magnitude)
    return random.high < chance.numerator.magnitude
  }
}

extension StoryExpression {
  /// The reason why an expression has no value.
  enum Trouble: Error, Hashable {
    case dividesByZero
    /// Does not fit in 64 bits.
    case tooLarge
    /// Depends on chance, which is not drawn here.
    case notKnown
    /// Types were not checked.
    case mistyped

    /// The problem, as the end of a sentence.
    var problem: String {
      switch self {
      case .dividesByZero: "divides by zero"
      case .tooLarge: "gives a number that does not fit in 64 bits"
      case .notKnown: "depends on chance"
      case .mistyped: "mixes values of different kinds"
      }
    }
  }

  func value(_ values: inout ExpressionValues) throws(Trouble) -> StoryValue { try Self.value(of: root, &values) }

  /// Evaluates a condition.
  func holds(_ values: inout ExpressionValues) throws(Trouble) -> Bool { try Self.flag(root, &values) }

  private static func value(of node: Node, _ values: inout ExpressionValues) throws(Trouble) -> StoryValue {
    switch node {
    case .literal(let value): return value
    case .variable(let name):
      guard let value = values.variables[name] else { throw .mistyped }
      return value
    case .visited(let name): return .flag(values.isVisited(name))
    case .chosen: return .number(StoryNumber(values.chosen?.number ?? 0))
    case .chosenLabel(let label): return .flag(values.chosen?.label == label)
    case .score: return .number(values.score)
    case .chance(let chance):
      let chance = try number(chance, &values)
      guard let result = values.chances?.draw(chance) else { throw .notKnown }
      return .flag(result)
    case .not(let node): return .flag(try !flag(node, &values))
    case .negative(let node):
      guard let result = StoryNumber.difference(StoryNumber(0), try number(node, &values)) else { throw .tooLarge }
      return .number(result)
    case .binary(let sign, let left, let right): return try value(of: sign, left, right, &values)
    }
  }

  private static func value(
    of sign: Operator, _ left: Node, _ right: Node, _ values: inout ExpressionValues
  ) throws(Trouble) -> StoryValue {
    switch sign {
    case .or: return .flag(try flag(left, &values) ? true : flag(right, &values))
    case .and: return .flag(try flag(left, &values) ? flag(right, &values) : false)
    case .equal: return .flag(try value(of: left, &values) == value(of: right, &values))
    case .unequal: return .flag(try value(of: left, &values) != value(of: right, &values))
    case .less: return .flag(try number(left, &values) < number(right, &values))
    case .lessOrEqual: return .flag(try number(left, &values) <= number(right, &values))
    case .greater: return .flag(try number(left, &values) > number(right, &values))
    case .greaterOrEqual: return .flag(try number(left, &values) >= number(right, &values))
    case .plus, .minus, .times, .divided:
      let (a, b) = (try number(left, &values), try number(right, &values))
      if sign == .divided, b == StoryNumber(0) { throw .dividesByZero }
      let result: StoryNumber? =
        switch sign {
        case .plus: .sum(a, b)
        case .minus: .difference(a, b)
        case .times: .product(a, b)
        default: .quotient(a, b)
        }
      guard let result else { throw .tooLarge }
      return .number(result)
    }
  }

  private static func flag(_ node: Node, _ values: inout ExpressionValues) throws(Trouble) -> Bool {
    guard case .flag(let flag) = try value(of: node, &values) else { throw .mistyped }
    return flag
  }

  private static func number(_ node: Node, _ values: inout ExpressionValues) throws(Trouble) -> StoryNumber {
    guard case .number(let number) = try value(of: node, &values) else { throw .mistyped }
    return number
  }
}

extension StoryAssignment {
  /// Changes the variable; changes nothing when it throws.
  func apply(to values: inout ExpressionValues) throws(StoryExpression.Trouble) {
    let operand = try value.value(&values)
    guard let old = values.variables[variable], old.kind == operand.kind else { throw .mistyped }
    switch (change, old, operand) {
    case (.set, _, _): values.variables[variable] = operand
    case (.add, .number(let a), .number(let b)):
      guard let sum = StoryNumber.sum(a, b) else { throw .tooLarge }
      values.variables[variable] = .number(sum)
    case (.subtract, .number(let a), .number(let b)):
      guard let difference = StoryNumber.difference(a, b) else { throw .tooLarge }
      values.variables[variable] = .number(difference)
    default: throw .mistyped
    }
  }
}
