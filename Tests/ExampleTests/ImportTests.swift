import Foundation
import TestSupport
import Testing

/// The libraries with which the program is linked.
@Suite(.timeLimit(.minutes(10))) struct ImportTests {
  /// Foundation brings 45 MB of language tables, three times the program's size; `FoundationEssentials` does not.
  @Test func noRoomOfTheProgramImportsAllOfFoundation() throws {
    let sources = PackageFolder.root.appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      let room = file.pathComponents[sources.pathComponents.count]
      // Those are no part of the program.
      if ["TestSupport", "TerminalHarness", "quadrille-bench"].contains(room) { continue }
      count += 1
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      #expect(!lines.contains { $0.hasSuffix("import Foundation") }, "\(file.path)")
    }
    #expect(count > 300)
  }
}
