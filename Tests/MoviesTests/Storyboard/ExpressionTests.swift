import Testing

@testable import Movies

@Suite(.timeLimit(.minutes(20))) struct ExpressionTests {
  private func evaluate(_ text: String, _ variables: [String: StoryValue] = [:]) throws -> String {
    var values = ExpressionValues(
      variables: variables, isVisited: { $0 == "cellar" }, chosen: (2, "Climb the stairs"), score: StoryNumber(7),
      chances: StoryChances(seed: 1))
    return try StoryExpression(text).value(&values).description
  }

  @Test(arguments: [
    ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("0.1 + 0.2 == 0.3", "true"), ("1 / 3 * 3 == 1", "true"),
    ("1 / 3", "1/3"), ("-2 - -3", "1"), ("10 / 4", "2.5"), ("2 > 1 and not 3 <= 2", "true"),
    ("true or 1 / 0 == 1", "true"), ("false and 1 / 0 == 1", "false"), ("not true or true", "true"),
    ("\"a\" == 'a'", "true"), ("visited(cellar)", "true"), ("visited(\"the roof\")", "false"), ("chosen", "2"),
    ("chosen(\"Climb the stairs\")", "true"), ("chosen == 1", "false"), ("score / 2", "3.5"), ("chance(1)", "true"),
    ("chance(0)", "false"), ("8 / 2 / 2", "2"), ("7 - 2 - 1", "4"), ("-(1 + 2)", "-3"), ("2 != 2", "false"),
  ])
  func values(text: String, value: String) throws { #expect(try evaluate(text) == value) }

  @Test func variables() throws {
    let variables: [String: StoryValue] = ["lamps": .number(StoryNumber(2)), "größe": .text("L"), "brave": .flag(true)]
    #expect(try evaluate("lamps * 2 >= 4 and brave", variables) == "true")
    #expect(try evaluate("größe == \"L\"", variables) == "true")
  }

  @Test(arguments: [
    ("lamps = 3", "\"=\" assigns; use \"==\" to compare"), ("1 +", "expected a value, found the end"),
    ("(1", "expected \")\", found the end"), ("1 2", "expected the end, found \"2\""),
    ("and", "expected a value, found \"and\""),
    ("$", "unexpected \"$\""), ("\"a", "unterminated string"), ("visited()", "expected a track"),
    ("1.2.3", "is not a number"), ("99999999999999999999", "is not a number"), ("1 < 2 < 3", "expected the end"),
    ("", "expected a value"), (String(repeating: "(", count: 100) + "1", "nested too deeply"),
    (String(repeating: "not ", count: 100) + "true", "nested too deeply"),
    (String(repeating: "1+", count: 300) + "1", "longer than 500 bytes"),
  ])
  func failures(text: String, problem: String) {
    let error = #expect(throws: StoryExpression.Failure.self) { try StoryExpression(text) }
    #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "")")
  }

  @Test(arguments: [
    ("lamps and true", "\"and\" needs a flag, not a number"), ("brave + 1", "\"+\" needs a number, not a flag"),
    ("lamps == \"a\"", "compares a number with text"), ("gone", "there is no variable \"gone\""),
    ("visited(roof)", "there is no track \"roof\""), ("not 1", "\"not\" needs a flag"),
    ("-brave", "\"-\" needs a number"),
    ("chance(2)", "from 0 to 1"), ("chance(true)", "chance() needs a number"),
    ("chosen(\"Fly\")", "there is no choice \"Fly\""),
    ("\"a\" < \"b\"", "\"<\" needs a number, not text"),
  ])
  func types(text: String, problem: String) throws {
    let scope = ExpressionScope(
      variables: ["lamps": .number, "brave": .flag], isTrack: { $0 == "cellar" }, labels: ["Swim"])
    let expression = try StoryExpression(text)
    let error = #expect(throws: StoryExpression.Failure.self) { try expression.kind(in: scope) }
    #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "")")
  }

  @Test func assignments() throws {
    var values = ExpressionValues(
      variables: ["n": .number(StoryNumber(1)), "f": .flag(false), "t": .text("")], isVisited: { _ in false },
      chosen: nil,
      score: StoryNumber(0), chances: StoryChances(seed: 1))
    for text in ["n += 2 * 3", "n -= 1/2", "f = n > 6 and chance(1)", "t = \"x\""] {
      try StoryAssignment(text).apply(to: &values)
    }
    #expect(
      values.variables == ["n": .number(try #require(StoryNumber(13, over: 2))), "f": .flag(true), "t": .text("x")])
    #expect(throws: StoryExpression.Failure.self) { try StoryAssignment("n == 1") }
    #expect(throws: StoryExpression.Failure.self) { try StoryAssignment("score = 1") }
    #expect(throws: StoryExpression.Failure.self) { try StoryAssignment("1 = n") }
    let scope = ExpressionScope(variables: ["n": .number, "t": .text], isTrack: { _ in false }, labels: nil)
    for text in ["n = \"a\"", "t += \"a\"", "m = 1", "n = chosen"] {
      #expect(throws: StoryExpression.Failure.self) { try StoryAssignment(text).check(in: scope) }
    }
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let large: [String: StoryValue] = ["n": .number(StoryNumber(.max))]
    #expect(throws: StoryExpression.Trouble.tooLarge) { try evaluate("n + 1", large) }
    #expect(throws: StoryExpression.Trouble.tooLarge) { try evaluate("n * n", large) }
    #expect(throws: StoryExpression.Trouble.tooLarge) { try evaluate("-(0 - n - 1)", large) }
    #expect(throws: StoryExpression.Trouble.dividesByZero) { try evaluate("1 / (n - n)", large) }
    #expect(try evaluate("n > n - 1", large) == "true")
  }

  @Test func chanceComesAgainWithItsSeed() throws {
    var a = StoryChances(seed: 7)
    var b = StoryChances(seed: 7)
    let half = try #require(StoryNumber(1, over: 2))
    let first = (0..<10_000).map { _ in a.draw(half) }
    #expect(first == (0..<10_000).map { _ in b.draw(half) })
    #expect((4_800...5_200).contains(first.count { $0 }))
    var later = StoryChances(seed: 7, drawn: 5000)
    #expect(Array(first[5000...]) == (5000..<10_000).map { _ in later.draw(half) })
  }

  @Test(arguments: ["0", "-12", "0.25", "-0.5", "1/3", "-7/3", "0.000000001", "9223372036854775807"])
  func numbersAreReadAsTheyAreWritten(text: String) throws {
    #expect(try #require(StoryNumber(text)).description == text)
  }

  @Test(arguments: [
    "", "-", "+1", "1.", ".5", "1/0", "1/-2", "0x1", "1e3", "1.0000000001", "9223372036854775808", "--1", "1/2/3", "½",
  ])
  func otherTextIsNoNumber(text: String) { #expect(StoryNumber(text) == nil) }
}
