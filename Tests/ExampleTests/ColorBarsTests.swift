import Testing

/// A source of frames that is defined outside of the library, by what is public alone.
@Suite(.timeLimit(.minutes(10))) struct ColorBarsTests {
  /// The numbers in a line such as "played [0, 1]".
  private func numbers(_ what: String, _ lines: [String]) -> [Int] {
    guard let line = lines.first(where: { $0.hasPrefix(what + " [") }) else { return [] }
    return line.split { !$0.isNumber }.compactMap { Int($0) }
  }

  @Test func itsFramesAreShown() throws {
    let lines = try ExampleProgram.run("ColorBars")
    // On a busy machine some are dropped.
    let played = numbers("played", lines)
    #expect(played.first == 0 && played.count == 10 && zip(played, played.dropFirst()).allSatisfy { $0 < $1 })
    #expect(lines.contains("seek finished"))
    #expect(numbers("sought", lines) == [50])
    #expect(numbers("stepped on", lines) == [51])
    #expect(numbers("stepped back", lines) == [50])
    let reversed = numbers("played backwards", lines)
    #expect(reversed.count == 10 && reversed.allSatisfy { $0 < 50 })
    #expect(zip(reversed, reversed.dropFirst()).allSatisfy { $0 > $1 })
    #expect(lines.contains("cached true"))
    #expect(lines.filter { $0.hasPrefix("thumbnail") } == [0, 25, 50, 75].map { "thumbnail \($0) 80×45" })
  }
}
