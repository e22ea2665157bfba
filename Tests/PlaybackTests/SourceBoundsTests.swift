import Foundation
import TestSupport
import Testing

/// What the sources are to keep to, so that they can be read and their tests end.
@Suite(.timeLimit(.minutes(10))) struct SourceBoundsTests {
  private func sources(in folder: String) throws -> [(name: String, text: String)] {
    let root = PackageFolder.root.appendingPathComponent(folder)
    let names = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)).compactMap { $0 as? URL }
    return try names.filter { $0.pathExtension == "swift" }.map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
  }

  @Test func noFileOfThePlayerIsLong() throws {
    let files = try sources(in: "Sources/Playback/Player")
    #expect(files.count > 20)
    for (name, text) in files { #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 401, "\(name)") }
  }

  /// What is drawn and reported of panes are values, so that others may look at one session, too.
  @Test func chromeAndReportsReadNoLivePane() throws {
    let app = "Sources/QuadrilleApp"
    let files = try sources(in: app + "/Chrome") + sources(in: app + "/Reports")
      + sources(in: app).filter { $0.name.hasPrefix("ChromePainter") }
    #expect(files.count > 15)
    for (name, text) in files {
      for line in text.split(separator: "\n") where !line.contains("//") {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        #expect(!words.contains { ["Pane", "Player", "PaneSet", "Workspace"].contains($0) }, "\(name): \(line)")
      }
    }
  }

  @Test func everySuiteHasATimeLimit() throws {
    var suites = 0
    for (name, text) in try sources(in: "Tests") {
      for line in text.split(separator: "\n") where line.hasPrefix("@Suite") {
        suites += 1
        #expect(line.contains(".timeLimit("), "\(name): \(line)")
      }
    }
    #expect(suites > 100)
  }
}
