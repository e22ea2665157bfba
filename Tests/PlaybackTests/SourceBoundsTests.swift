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
