import TestSupport
import Testing

@testable import Movies

/// The examples of docs/storyboards.md.
@Suite(.timeLimit(.minutes(20))) struct StoryboardDocsTests {
  private func block(_ language: String, _ index: Int) throws -> String {
    let parts = try PackageFolder.text(of: "docs/storyboards.md").components(between: "```\(language)\n", and: "```")
    return try #require(parts.indices.contains(index) ? parts[index] : nil)
  }

  @Test func theExampleHasTheTraceThatIsShown() throws {
    let file = try StoryboardFile(text: block("yaml", 0), name: "lighthouse.yaml")
    #expect(file.warnings == [])
    let trace = try StoryboardTrace(file.storyboard, choices: ["c", "a"])
    #expect(try block("text", 0) == trace.lines.map { "\($0)\n" }.joined())
  }

  @Test func theTweeExampleIsAStory() throws {
    let file = try TweeFile(text: block("text", 1), name: "gate.twee").storyboardFile()
    #expect(file.warnings == [])
    let tracks = try StoryboardTrace(file.storyboard, choices: ["Leave"]).tracks
    #expect(tracks.map { file.storyboard[$0].name } == ["Start", "Leave"])
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let first = rest.firstRange(of: start) {
      guard let last = rest[first.upperBound...].firstRange(of: end) else { break }
      parts.append(String(rest[first.upperBound..<last.lowerBound]))
      rest = rest[last.upperBound...]
    }
    return parts
  }
}
